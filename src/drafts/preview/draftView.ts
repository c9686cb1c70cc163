/** What the preview of a draft shows. */
import type { Message, Outgoing } from '../../service/message.ts';
import type { Chat } from '../../service/model.ts';
import type { ParsedDraft } from '../document/parseDraft.ts';
import type { ReadDraft } from '../draftReader.ts';

/** A message with its bot and recipients. */
export interface Sendable {
  message: Outgoing;
  /** Empty if the document names none. */
  botId: string;
  /** Including audiences, without duplicates. */
  chats: readonly Chat[];
}

/** Whether its recipients are known: it names no file of them, or one that can be used. */
export const hasReadableRecipients = ({ file, table }: Pick<ReadDraft, 'file' | 'table'>) =>
  !file ||
  (table !== undefined && (table.rows.size > 0 || table.problems.every(({ severity }) => severity === 'warning')));

/** What can be shown of a draft: a draft without errors, or an empty message; otherwise undefined. */
export function toSendable(
  text: string,
  { message, bot, body, problems }: ParsedDraft,
  chats: readonly Chat[],
): Sendable | undefined {
  const isBlank = !text.slice(body.start, body.end).trim();
  const isEmpty = isBlank && problems.every(({ severity, start }) => severity === 'warning' || start >= body.start);
  const shownMessage = message ?? (isEmpty ? { contentType: 'text' as const, content: { text: '' } } : undefined);
  if (!shownMessage) return undefined;
  return { message: shownMessage, botId: bot?.id ?? '', chats };
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
