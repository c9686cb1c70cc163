/** A draft: a message about to be sent. */
import { l10n } from 'vscode';
import type { Outgoing } from '../../service/message.ts';
import type { Chat } from '../../service/model.ts';
import type { Rules } from './leaveOut.ts';
import type { RecipientTable } from './recipients/recipientTable.ts';

export interface Draft {
  /** Shown to the user: the name of the document, or a description. */
  name: string;
  /** Address of the document, if it has one. */
  source?: string | undefined;
  /** Address of the document, even of an untitled one, while it's open. */
  uri?: string | undefined;
  /** The whole text of the document that the message is made of. Undefined for selections. */
  document?: string | undefined;
  message: Outgoing;
  /** The bot that the document names, if any. */
  botId?: string | undefined;
  /** The ID of the delivery that it reminds of, if any. */
  follows?: string | undefined;
  /** The chats that the document names. */
  chats: readonly Chat[];
  /** The variables of the message; without any, it is sent as it is. */
  variables?: readonly string[];
  /** The file of its recipients, with values for the variables. */
  table?: RecipientTable | undefined;
  /** Who is left out. */
  rules: Rules;
  /** What the document's own checks warn about, a sentence each. */
  problems?: readonly string[];
}

/** The name of a content type (contract 2.7). */
export function contentName(contentType: Outgoing['contentType']): string {
  switch (contentType) {
    case 'markdown':
      return 'Markdown';
    case 'text':
      return l10n.t('Text');
    case 'html':
      return 'HTML';
    case 'file':
      return l10n.t('File');
    case 'image':
      return l10n.t('Image');
  }
}
