/** What is said of variables both while a draft is written and before it's sent. */
import { excerpt } from '../../../markup/escapeInvisible.ts';
import type { Place } from '../../../markup/variablePlaces.ts';
import { firstTexts, formatCount, joinNames, joinSentences } from '../../../presentation/formats.ts';
import { l10n, type ShownText, shownText } from '../../../presentation/shown.ts';
import { truncateStart } from '../../../service/truncate.ts';

/** A variable as people write it. */
export const variableName = (name: string) => shownText`{{${excerpt(name, 60)}}}`;

/** Says that a variable is empty, and what is sent in its place: the marks that stay around it, if there are any. */
export const withMarks = (text: ShownText, marks: string | undefined) =>
  marks ? joinSentences(text, l10n.t('The marks around it are sent: {0}', marks)) : text;

/** How many hosts are named. */
const MAX_HOSTS = 3;

/** How much of a host is shown (UTF-16 units): its end, which tells whose it is. */
const HOST_LENGTH = 60;

const hostText = (host: string) => (host.length > HOST_LENGTH ? `…${truncateStart(host, HOST_LENGTH)}` : host);

/** Says in one sentence that the links in a variable go to several hosts. */
export function severalHostsText(name: string, hosts: readonly string[]): ShownText {
  const first = hosts.slice(0, MAX_HOSTS + 1).map((host) => excerpt(hostText(host)));
  const list = joinNames(firstTexts(first, MAX_HOSTS, hosts.length));
  return l10n.t('The links in {0} go to {1} hosts: {2}.', variableName(name), formatCount(hosts.length), list);
}

/** Says that nothing stands for a variable; `hasFile` tells whether the document names a file of recipients. */
export const unknownVariableText = (name: string, hasFile = true) =>
  hasFile
    ? l10n.t('Unknown variable {0}. To send the braces as they are, put a backslash before them.', variableName(name))
    : l10n.t(
        'Unknown variable {0}. Its values can come from a CSV file that the chat: block names as recipients. To send the braces as they are, put a backslash before them.',
        variableName(name),
      );

/** Why no value can be inserted in a place, and what to do instead. */
export function forbiddenPlaceText(name: string, place: Place): ShownText {
  const written = variableName(name);
  switch (place) {
    case 'afterHost':
      return l10n.t('{0} could change the host of this link. Put / before it.', written);
    case 'continued':
      return l10n.t(
        'The text after {0} could change the host of this link. Begin that text with /, ?, or #, or put the whole address into the variable.',
        written,
      );
    case 'scheme':
      return l10n.t(
        "{0} can't be in this kind of address. Variables work in addresses of the web, of mail, and of phones.",
        written,
      );
    case 'attribute':
      return l10n.t("{0} can't be in this attribute. Put it in the text, or in href, src, alt, or title.", written);
    case 'unquoted':
      return l10n.t('Put quotes around the attribute that {0} is in.', written);
    case 'tag':
      return l10n.t("{0} can't be in a tag, except in the value of an attribute.", written);
    case 'code':
      return l10n.t("{0} can't be in a comment, a script, or a style. Put it in the text.", written);
    default:
      return l10n.t(
        "{0} can't be part of the scheme, host, or port of a link. Put the whole address into the variable.",
        written,
      );
  }
}
