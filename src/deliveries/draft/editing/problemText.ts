/** Messages for the problems in drafts and their fixes. */
import { l10n } from 'vscode';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import type { YamlErrorCode } from '../document/parseYaml.ts';
import type { Fix, Problem } from '../document/problem.ts';
import { recipientProblemText } from './recipientProblemText.ts';

/** A problem in one sentence. */
export function problemText({ code, args }: Pick<Problem, 'code' | 'args'>): string {
  const [first = '', second = '', third = ''] = args.map((arg) => excerpt(arg));
  switch (code) {
    case 'yaml':
      return yamlText(first as YamlErrorCode, second);
    case 'tooLong':
      return l10n.t(
        'The front matter has more than {0} values. Move long lists of recipients to an audience or a CSV file.',
        first,
      );
    case 'unclosed':
      return l10n.t("The front matter isn't closed. Add a line with ---, or use *** if you want a horizontal rule.");
    case 'misplaced':
      return l10n.t(
        "This chat: block would be sent as text. Move it to YAML front matter that begins with --- on the first line, or into a code block if it's an example.",
      );
    case 'secondBlock':
      return l10n.t(
        "This second chat: block would be sent as text. Merge it into the first one, or move it into a code block if it's an example.",
      );
    case 'unsupported':
      return l10n.t("Aliases, tags, and top-level maps in braces aren't supported here.");
    case 'mapExpected':
      return l10n.t('{0} must contain keys with values.', first);
    case 'listExpected':
      return l10n.t('{0} must be a list.', first);
    case 'textExpected':
      return l10n.t('{0} must be a single text value.', first);
    case 'unknownKey':
      return l10n.t('Unknown key {0}.', first);
    case 'duplicateKey':
      return l10n.t('Duplicate key {0}.', first);
    case 'emptyValue':
      return l10n.t('{0} has no value.', first);
    case 'notIdentifier':
      return l10n.t(
        "This ID isn't valid. IDs can't be longer than 200 characters, or contain spaces, line breaks, or invisible characters.",
      );
    case 'duplicate':
      return l10n.t('{0} is listed twice. Only one message is sent.', first);
    case 'unknownAudience':
      return l10n.t("Audience {0} isn't in your settings.", first);
    case 'unknownRecipient':
      return first === 'group'
        ? l10n.t("Group {0} doesn't exist.", second)
        : first === 'bot'
          ? l10n.t("Bot {0} doesn't exist.", second)
          : l10n.t("Person {0} doesn't exist.", second);
    case 'unknownType':
      return l10n.t('Unknown type {0}. Use markdown, text, html, image, or file.', first);
    case 'missing':
      return l10n.t('{0} is missing. {1} requires it.', first, second);
    case 'unused':
      return l10n.t("{0} isn't used with {1}.", first, second);
    case 'notAddress':
      return l10n.t('{0} must be a URL that starts with https:// or http://.', first);
    case 'noText':
      return l10n.t('The button has no text.');
    case 'noEffect':
      return l10n.t('The button does nothing. Add opens, copies, or reports.');
    case 'twoEffects':
      return l10n.t('A button can do only one thing.');
    case 'unknownAction':
      return l10n.t('Unknown action type {0}. Use 1 to open a URL, 2 to copy, or 3 to report.', first);
    case 'undocumentedAction':
      return l10n.t('Action type {0} might not do anything.', first);
    case 'emptyBody':
      return l10n.t('The message is empty.');
    case 'unusedBody':
      return l10n.t("The document's text isn't sent when the type is {0}.", first);
    case 'localPicture':
      return l10n.t("Recipients won't see this local image: {0}", excerpt(first, 60));
    case 'strayBraces':
      return l10n.t("These braces aren't a variable, so they're sent as they are.");
    case 'unquotedVariable':
      return l10n.t('Put quotes around a value that begins with a variable.');
    case 'unknownKind':
      return l10n.t('Unknown kind {0}. Use person or group.', excerpt(first, 60));
    case 'unusedKind':
      return l10n.t('kind has no effect without recipients.');
    default:
      return recipientProblemText(code, [first, second, third], args);
  }
}

/** Why front matter isn't valid. The parser's messages are English and for programmers, so frequent ones are replaced. */
function yamlText(code: YamlErrorCode, message: string): string {
  switch (code) {
    case 'TOO_DEEP':
      return l10n.t('The front matter is nested too deeply.');
    case 'MULTIPLE_DOCS':
      return l10n.t("The front matter isn't valid YAML: a second document begins here.");
    case 'TAB_AS_INDENT':
      return l10n.t("The front matter isn't valid YAML: indent lines with spaces instead of tabs.");
    case 'BAD_INDENT':
      return l10n.t(
        "The front matter isn't valid YAML: a bracket or brace isn't closed, or a line isn't indented like the others.",
      );
    case 'BLOCK_AS_IMPLICIT_KEY':
      return l10n.t(
        "The front matter isn't valid YAML: a value with a colon needs quotes, or a line isn't indented like the others.",
      );
    case 'BAD_SCALAR_START':
      return l10n.t(
        "The front matter isn't valid YAML: put quotes around a value that begins with a special character.",
      );
    case 'MISSING_CHAR':
      return l10n.t("The front matter isn't valid YAML: a colon, comma, space, or quotation mark is missing.");
    case 'UNEXPECTED_TOKEN':
      return l10n.t(
        "The front matter isn't valid YAML: this character isn't expected here. Put quotes around text that contains it.",
      );
    default:
      return l10n.t("The front matter isn't valid YAML: {0}.", message);
  }
}

/** The title of a fix. */
export function fixText({ code, args }: Fix): string {
  const first = excerpt(args[0] ?? '', 60);
  switch (code) {
    case 'rename':
      return l10n.t('Rename to {0}', first);
    case 'replace':
      return l10n.t('Replace with {0}', first);
    case 'remove':
      return l10n.t('Remove from the list');
    case 'list':
      return l10n.t('Convert to a list');
    case 'close':
      return l10n.t('Close the front matter');
    case 'move':
      return l10n.t('Move to the first line');
    case 'quote':
      return l10n.t('Add quotes');
    case 'keep':
      return l10n.t('Send the braces as they are');
    case 'default':
      return l10n.t('Add a default text');
    case 'kind':
      return l10n.t('Add {0}', first);
    case 'beside':
      return l10n.t('Look for {0} beside this document', first);
    case 'nameFile':
      return l10n.t('Name a CSV file of recipients');
    case 'save':
      return l10n.t('Save this document…');
    case 'slash':
      return l10n.t('Insert / before the variable');
  }
}
