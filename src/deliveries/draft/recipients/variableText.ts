/** How variables and what is wrong with their values are written. */
import { l10n } from 'vscode';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { firstTexts, formatCount, joinNames, joinSentences } from '../../../presentation/formats.ts';
import { truncateStart } from '../../../service/truncate.ts';

/** A variable as people write it. */
export const variableName = (name: string) => `{{${excerpt(name, 60)}}}`;

/** That a variable is empty, and what is sent in its place: the marks that stay around it, if there are any. */
export const withMarks = (text: string, marks: string | undefined) =>
  marks ? joinSentences(text, l10n.t('The marks around it are sent: {0}', marks)) : text;

/** How many hosts are named. */
const MAX_HOSTS = 3;

/** How much of a host is shown (UTF-16 units): its end, which says whose it is. */
const HOST_LENGTH = 60;

const hostText = (host: string) => (host.length > HOST_LENGTH ? `…${truncateStart(host, HOST_LENGTH)}` : host);

/** That the links in a variable go to several hosts, in one sentence. */
export function severalHostsText(name: string, hosts: readonly string[]): string {
  const first = hosts.slice(0, MAX_HOSTS + 1).map((host) => excerpt(hostText(host)));
  const list = joinNames(firstTexts(first, MAX_HOSTS, hosts.length));
  return l10n.t('The links in {0} go to {1} hosts: {2}.', variableName(name), formatCount(hosts.length), list);
}

/** That nothing stands for a variable; `hasFile` is whether the document names a file of recipients. */
export const unknownVariableText = (name: string, hasFile = true) =>
  hasFile
    ? l10n.t('Unknown variable {0}. To send the braces as they are, put a backslash before them.', variableName(name))
    : l10n.t(
        'Unknown variable {0}. Its values can come from a CSV file that the chat: block names as recipients. To send the braces as they are, put a backslash before them.',
        variableName(name),
      );
