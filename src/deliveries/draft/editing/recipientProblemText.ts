/** Messages for the problems with variables, and with the rows of a file of recipients. */
import { l10n } from 'vscode';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import type { RowProblem } from '../../../markup/recipientCsv.ts';
import type { Place } from '../../../markup/variablePlaces.ts';
import { firstTexts, formatCount, joinNames, joinSentences } from '../../../presentation/formats.ts';
import { rowProblemText } from '../../../presentation/rowProblemText.ts';
import { truncateStart } from '../../../service/truncate.ts';
import type { RecipientProblemCode } from '../document/problem.ts';

/** A problem of a draft in one sentence. */
export function recipientProblemText(
  code: RecipientProblemCode,
  [first, second, third]: readonly [string, string, string],
  args: readonly string[],
): string {
  const file = shorten(args[3] ?? '');
  switch (code) {
    case 'unknownVariable':
      return second === 'noFile'
        ? l10n.t(
            'Unknown variable {0}. Its values can come from a CSV file that the chat: block names as recipients. To send the braces as they are, put a backslash before them.',
            variableName(first),
          )
        : l10n.t(
            'Unknown variable {0}. To send the braces as they are, put a backslash before them.',
            variableName(first),
          );
    case 'escapedVariable':
      return l10n.t('Because of the backslash, {0} stays as it is.', variableName(first));
    case 'variableInCode':
      return l10n.t('Variables in code stay as they are: {0}.', variableName(first));
    case 'emptyValues':
      return withMarks(
        second === '1'
          ? l10n.t(
              '{0} is empty for 1 recipient, on line {1} of {2}.',
              variableName(first),
              formatCount(Number(third)),
              file,
            )
          : l10n.t(
              '{0} is empty for {1} recipients, first on line {2} of {3}.',
              variableName(first),
              ...[second, third].map(Number).map(formatCount),
              file,
            ),
        args[4],
      );
    case 'noAddresses':
      return second === '1'
        ? l10n.t(
            "{0} isn't a web address for 1 recipient, on line {1} of {2}.",
            variableName(first),
            formatCount(Number(third)),
            file,
          )
        : l10n.t(
            "{0} isn't a web address for {1} recipients, first on line {2} of {3}.",
            variableName(first),
            ...[second, third].map(Number).map(formatCount),
            file,
          );
    case 'lineBreaks':
      return second === '1'
        ? l10n.t(
            '{0} has line breaks for 1 recipient, on line {1} of {2}. Spaces are sent instead.',
            variableName(first),
            formatCount(Number(third)),
            file,
          )
        : l10n.t(
            '{0} has line breaks for {1} recipients, first on line {2} of {3}. Spaces are sent instead.',
            variableName(first),
            ...[second, third].map(Number).map(formatCount),
            file,
          );
    case 'severalHosts':
      return severalHostsText(first, args.slice(1));
    case 'forbiddenPlace':
      return forbiddenPlaceText(first, second as Place);
    case 'unsavedDocument':
      return l10n.t('Save this document first: {0} is looked for beside it.', shorten(first));
    case 'notRelative':
      return l10n.t('{0} must be a path relative to this document.', shorten(first));
    case 'badFileName':
      return l10n.t(
        "{0} can't be used on every computer. Rename the file: no colons or control characters, no dot or space at the end, and no name of a device such as CON or AUX.",
        shorten(first),
      );
    case 'outsideWorkspace':
      return l10n.t(
        "{0} is outside this workspace, so it isn't read. Move or copy it into the workspace.",
        shorten(first),
      );
    case 'outsideFolder':
      return l10n.t(
        "{0} isn't in the folder of this document, so it isn't read. Move or copy it there.",
        shorten(first),
      );
    case 'untrustedFolder':
      return l10n.t(
        "{0} isn't in the folder of this document, so it isn't read until you trust this workspace.",
        shorten(first),
      );
    case 'outsideLink':
      return l10n.t(
        "{0} is a link to somewhere else, so it isn't read. Put the file itself in its place.",
        shorten(first),
      );
    case 'noFile':
      return l10n.t("There's no file {0} beside this document.", shorten(first));
    case 'unreadableFile':
      return l10n.t("{0} can't be read: {1}", shorten(first), second);
    case 'fileTooLarge':
      return l10n.t('{0} is too large. The limit is {1} MB.', shorten(first), second);
    case 'notTextFile':
      return l10n.t("{0} isn't text in UTF-8 or GB18030. Save it as CSV (UTF-8).", shorten(first));
    case 'otherEncoding':
      return l10n.t("{0} isn't UTF-8 and was read as GB18030. Check the names in the preview.", shorten(first));
    case 'noRows':
      return l10n.t('There are no recipients in {0}.', shorten(first));
    case 'noIdColumn':
      return l10n.t(
        '{0} has no id column. One of its first lines must name the columns, separated by commas, semicolons, or tabs.',
        shorten(first),
      );
    case 'noKind':
      return l10n.t("{0} doesn't say whether its IDs are those of people or of groups. Add kind.", shorten(first));
    case 'duplicateColumn':
      return l10n.t(
        "{0} has the columns {1} and {2}, which can't be told apart. Rename one of them.",
        ...[first, second, third].map((text) => shorten(text)),
      );
    case 'tooManyRows':
      return l10n.t('{0} has more than {1} recipients. Divide it into several files.', shorten(first), second);
    case 'badRows': {
      const rows =
        second === '1'
          ? l10n.t("{0} has a row that can't be used, on line {1}.", shorten(first), formatCount(Number(third)))
          : l10n.t(
              "{0} has {1} rows that can't be used, first on line {2}.",
              shorten(first),
              ...[second, third].map(Number).map(formatCount),
            );
      return joinSentences(rows, rowProblemText({ code: args[3] as RowProblem['code'], args: args.slice(4) }));
    }
    case 'repeatedRows':
      return second === '1'
        ? l10n.t(
            '{0} lists a recipient twice, on line {1}. Only one message is sent.',
            shorten(first),
            formatCount(Number(third)),
          )
        : l10n.t(
            '{0} lists {1} recipients twice, first on line {2}. Each gets only one message.',
            shorten(first),
            ...[second, third].map(Number).map(formatCount),
          );
    case 'unusedColumns':
      return l10n.t('Never used in this document: {0}.', shorten(second, 200));
  }
}

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

/** Why no value can be inserted in a place, and what to do instead. */
export function forbiddenPlaceText(name: string, place: Place): string {
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

/** That a variable is empty, and what is sent in its place: the marks that stay around it, if there are any. */
export const withMarks = (text: string, marks: string | undefined) =>
  marks ? joinSentences(text, l10n.t('The marks around it are sent: {0}', marks)) : text;

/** A variable as people write it. */
export const variableName = (name: string) => `{{${shorten(name)}}}`;

const shorten = (text: string, length = 60) => excerpt(text, length);
