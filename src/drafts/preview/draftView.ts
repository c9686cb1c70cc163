/** What the preview of a draft shows. Pure. */
import type { Message, Outgoing } from '../../service/message.ts';
import type { Chat } from '../../service/model.ts';
import type { ParsedDraft } from '../document/parseDraft.ts';

/** Who sends what to whom. */
export interface Sendable {
  message: Outgoing;
  /** Empty where the document names none. */
  botId: string;
  /** Audiences included, each once. */
  chats: Chat[];
}

/** How many recipients are shown unless all are asked for. */
const MAX_RECIPIENTS = 20;

/** What a reading can be shown as: one that can be sent, or that lacks nothing but words; else undefined. */
export function toSendable(
  text: string,
  { message, bot, body, problems }: ParsedDraft,
  chats: Chat[],
): Sendable | undefined {
  const isBlank = !text.slice(body.start, body.end).trim();
  const isEmpty = isBlank && problems.every(({ severity, start }) => severity === 'warning' || start >= body.start);
  const shown = message ?? (isEmpty ? { contentType: 'text' as const, content: { text: '' } } : undefined);
  if (!shown) return undefined;
  return { message: shown, botId: bot?.id ?? '', chats };
}

/** The recipients that are shown. */
export const visibleRecipients = ({ chats }: Sendable, all: boolean) => (all ? chats : chats.slice(0, MAX_RECIPIENTS));

/** The message of a bot with this name, as a history would list it (contract 2.6). */
export function previewMessage({ message, botId }: Sendable, botName: string): Message {
  const { buttons, ...content } = message.content;
  // As they come in a history: with every field.
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
