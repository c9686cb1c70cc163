/** Messages for the problems in drafts and their fixes. */
import { l10n } from 'vscode';
import type { Fix, Problem } from '../document/problem.ts';

/** A problem in one sentence. */
export function problemText({ code, args: [first = '', second = ''] }: Pick<Problem, 'code' | 'args'>): string {
  switch (code) {
    case 'yaml':
      return l10n.t('The front matter is not YAML: {0}.', first);
    case 'tooLong':
      return l10n.t('The front matter has more than {0} values. Put long lists of recipients into an audience.', first);
    case 'unclosed':
      return l10n.t('The front matter has no end: a line of three dashes is missing. If a rule is meant, write ***.');
    case 'unsupported':
      return l10n.t('Aliases, tags and maps in braces at the top are not supported here.');
    case 'mapExpected':
      return l10n.t('{0} takes keys with values.', first);
    case 'listExpected':
      return l10n.t('{0} takes a list.', first);
    case 'textExpected':
      return l10n.t('{0} takes a single text.', first);
    case 'unknownKey':
      return l10n.t('There is no key {0} here.', first);
    case 'duplicateKey':
      return l10n.t('{0} is there already.', first);
    case 'emptyValue':
      return l10n.t('{0} has no value.', first);
    case 'notIdentifier':
      return l10n.t('This is no ID: it holds spaces, line breaks or characters that cannot be seen.');
    case 'duplicate':
      return l10n.t('{0} is in the list already, and gets one message.', first);
    case 'unknownAudience':
      return l10n.t('There is no audience {0} in the settings.', first);
    case 'unknownRecipient':
      return first === 'group'
        ? l10n.t('The service knows no group {0}.', second)
        : first === 'bot'
          ? l10n.t('The service knows no bot {0}.', second)
          : l10n.t('The service knows no user {0}.', second);
    case 'unknownType':
      return l10n.t('There is no type {0}: a message is markdown, text, html, image or file.', first);
    case 'missing':
      return l10n.t('{0} is missing: {1} needs it.', first, second);
    case 'unused':
      return l10n.t('{0} is not used with {1}.', first, second);
    case 'notAddress':
      return l10n.t('{0} takes an address that begins with https:// or http://.', first);
    case 'noText':
      return l10n.t('The button has no text.');
    case 'noEffect':
      return l10n.t('The button does nothing: it needs opens, copies or reports.');
    case 'twoEffects':
      return l10n.t('A button does one thing only.');
    case 'unknownAction':
      return l10n.t('There is no action type {0}: 1 opens an address, 2 copies, 3 reports.', first);
    case 'undocumentedAction':
      return l10n.t('The service does not document what the action type {0} does.', first);
    case 'emptyBody':
      return l10n.t('The message is empty.');
    case 'unusedBody':
      return l10n.t('The text of the document is not sent with the type {0}.', first);
    case 'localPicture':
      return l10n.t('Those who get the message cannot see this picture: {0}', truncate(first));
  }
}

/** The title of a fix. */
export function fixText({ code, args: [first = ''] }: Fix): string {
  switch (code) {
    case 'rename':
      return l10n.t('Rename to {0}', first);
    case 'replace':
      return l10n.t('Replace by {0}', first);
    case 'remove':
      return l10n.t('Remove from the list');
    case 'list':
      return l10n.t('Make it a list');
    case 'close':
      return l10n.t('End the front matter');
  }
}

const truncate = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
