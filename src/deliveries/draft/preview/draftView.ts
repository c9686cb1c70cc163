/** What the preview of a draft shows. */
import { l10n } from 'vscode';
import type { EditedMessage } from '../../../platform/host.ts';
import { countText } from '../../../presentation/chatItems.ts';
import { formatDateTime, joinSentences } from '../../../presentation/formats.ts';
import type { Message, Outgoing } from '../../../service/message.ts';
import type { Chat } from '../../../service/model.ts';
import type { ParsedDraft } from '../document/parseDraft.ts';
import type { ReadDraft } from '../draftReader.ts';

const RECIPIENT_KEYS = ['groups', 'people', 'audiences', 'recipients'] as const;

/** Whether the values of its variables are known: it names no file of them, or one that can be used. */
export const knowsValues = ({ parsed, file, table }: Pick<ReadDraft, 'parsed' | 'file' | 'table'>) =>
  file
    ? table !== undefined && (table.rows.size > 0 || table.problems.every(({ severity }) => severity === 'warning'))
    : !parsed.unread.has('recipients');

/** Whether a draft says who sends it and who receives it, even where that can't be read. */
export const namesIn = ({ bot, recipientFile, unread }: ParsedDraft, chats: readonly Chat[]) => ({
  namesBot: bot !== undefined || unread.has('bot'),
  namesRecipients: chats.length > 0 || recipientFile !== undefined || RECIPIENT_KEYS.some((key) => unread.has(key)),
});

/** Which message a draft edits, and who gets it if the draft doesn't say so. */
export function editedText({ due, recipients }: EditedMessage, namesRecipients: boolean): string {
  const what = l10n.t('Editing the message scheduled for {0}. Sending it replaces that one.', formatDateTime(due));
  const { group, user } = recipients;
  return namesRecipients
    ? what
    : joinSentences(what, l10n.t('It goes to the same recipients: {0}.', countText(group, user)));
}

/** A message as a history would list it (contract 2.6), sent by a bot with this name. */
export function previewMessage(message: Outgoing, botId: string, botName: string): Message {
  const { buttons, ...content } = message.content;
  // A history lists every field of a button.
  const rows = buttons?.map((row) => row.map((button) => ({ url: '', value: '', ...button })));
  return {
    contentType: message.contentType,
    content: { ...content, ...(rows && { buttons: rows }) },
    msgId: 'draft',
    parentId: '',
    senderId: botId,
    senderType: 'bot',
    senderNickname: botName,
    sendTime: undefined,
    commandName: '',
    commandId: undefined,
  };
}
