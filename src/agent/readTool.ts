/** `botchats_read`: messages of one chat. Which page is listed, which of its messages are shown, and each as a row. */
import * as v from 'valibot';
import { buttonAddress, readableText, unnamedMentions } from '../markup/messageContent.ts';
import { quotationText } from '../markup/quotation.ts';
import { contentText } from '../markup/rendered/shownText.ts';
import type { AgentRow } from '../markup/safeText.ts';
import { likelyReader } from '../presentation/chatReader.ts';
import { formatCount } from '../presentation/formats.ts';
import { l10n } from '../presentation/shown.ts';
import type { BotChat } from '../protocol/botChat.ts';
import type { Page } from '../service/client.ts';
import { type Button, type Listed, oldestFirst } from '../service/message.ts';
import { anchoredPage, isAnchorLost } from '../service/messagePages.ts';
import type { Chat } from '../service/model.ts';
import type { AgentAccess } from './agentAccess.ts';
import { ChatType, Id, isQuotable, limit } from './inputs.ts';
import { appliesToAllText, KIND_NAMES, knownTitles, lookUpTitles, messageLinkAdvice } from './names.ts';
import {
  type AgentHost,
  firstOf,
  lines,
  type ReadOnlyService,
  sentences,
  type Tool,
  timeText,
  zoneText,
} from './tool.ts';
import { ASK_FOR_TOKEN, ToolError, toToolError } from './toolError.ts';
import { inert, MAX_NAME, toRow } from './untrusted.ts';

/** How much is shown of the text of a message (UTF-16 units), and how many of its buttons. */
const MAX_TEXT = 400;
const MAX_BUTTONS = 10;
/** How many of the people whom a message mentions without naming them are shown. */
const MAX_MENTIONS = 20;

const Input = v.pipe(
  v.strictObject({
    chatType: ChatType,
    chatId: Id,
    botId: v.optional(Id),
    count: limit(50, 20),
    messageId: v.optional(Id),
    direction: v.optional(v.picklist(['older', 'newer'], 'Must be "older" or "newer"')),
  }),
  v.check(({ messageId, direction }) => direction !== 'newer' || messageId !== undefined, 'newer needs a messageId'),
);
type Input = v.InferOutput<typeof Input>;

export function readTool(host: AgentHost, access: AgentAccess): Tool<Input> {
  async function read(botChat: BotChat, input: Input, signal: AbortSignal) {
    try {
      return await host.messages.read(botChat, pageOf(input), signal);
    } catch (error) {
      if (input.messageId === undefined || !isAnchorLost(error)) throw error;
      const { message } = toToolError(error);
      throw new ToolError(`${message} If the message is gone, leave out messageId to read the newest.`);
    }
  }

  /** The bot that reads the chat. @throws ToolError if none has a token */
  async function reader(input: Input, service: ReadOnlyService, signal: AbortSignal): Promise<string> {
    const bots = await host.tokens.bots(service);
    const wanted = input.botId ?? (await likelyReader(host, chatOf(input), service, signal));
    if (wanted !== undefined && bots.includes(wanted)) return wanted;
    if (input.botId !== undefined) throw new ToolError(`No token is saved for bot ${input.botId}. ${ASK_FOR_TOKEN}`);
    const [only, ...others] = bots;
    if (only === undefined) throw new ToolError(`No bot has a token yet. ${ASK_FOR_TOKEN}`);
    if (others.length === 0) return only;
    throw new ToolError(
      `Several bots can read: ${bots.slice(0, 20).join(', ')}. Call again with one of them as botId.`,
    );
  }

  return {
    schema: Input,
    budget: 3_000,
    async progress(input) {
      const { kind, id } = chatOf(input);
      return l10n.t('Reading messages of {0}', await knownTitles(host, [{ kinds: [kind], id }]));
    },

    async question(input) {
      const chat = chatOf(input);
      if (!access.sees(chat) || access.isGranted([chat])) return undefined;
      const title = await lookUpTitles(host, [{ kinds: [chat.kind], id: chat.id }]);
      const text = sentences(questionText(chat.kind, title, input.count), appliesToAllText());
      return { title: l10n.t('Let the agent read messages?'), text };
    },

    async run(input, signal) {
      const chat = chatOf(input);
      access.checkChat(chat);
      const service = await host.connection.open();
      const botChat = { service: service.address, ...chat, botId: await reader(input, service, signal) };
      const { entries, outage } = await read(botChat, input, signal);
      const excerpt = excerptOf(input, entries);
      const rows = excerpt.order.map((index) => messageRow(excerpt.entries[index] as Listed));
      const link = await messageLinkAdvice(service, botChat);
      return {
        head: headOf(botChat, excerpt, input.direction, outage !== undefined),
        rows,
        arrange: (shown) =>
          shown
            .map((row, rank) => ({ row, index: excerpt.order[rank] ?? 0 }))
            .toSorted((one, other) => one.index - other.index)
            .map(({ row }) => row),
        foot: (shown) => footOf(input, botChat, excerpt, shown, link),
      };
    },
  };
}

/** Where to read, and how many messages: the newest, or those before, after or around a message. */
interface Position {
  readonly messageId?: string | undefined;
  readonly direction?: 'older' | 'newer' | undefined;
  readonly count: number;
}

/** Messages in order of time. */
interface Excerpt {
  readonly entries: readonly Listed[];
  /** The indexes of the messages, the most important one first. */
  readonly order: readonly number[];
}

/** What to list (contract 4.4): without a direction, the messages around one. */
function pageOf({ messageId, direction, count }: Position): Page {
  if (messageId === undefined) return { latest: count };
  if (direction === 'older') return { anchor: messageId, before: count };
  if (direction === 'newer') return { anchor: messageId, after: count };
  return { anchor: messageId, before: Math.ceil((count - 1) / 2), after: Math.floor((count - 1) / 2) };
}

/** Lists the page. @throws ToolError if the message to begin with isn't there */
function excerptOf({ messageId, direction, count }: Position, page: readonly Listed[]): Excerpt {
  if (messageId === undefined) return nearest(oldestFirst(page), Infinity, count);
  const found = anchoredPage(page, messageId, direction);
  if (!found)
    throw new ToolError(`The chat has no message ${messageId} any more. Leave out messageId to read the newest.`);
  const { entries, anchorIndex } = found;
  if (direction === 'older') return nearest(entries.slice(0, anchorIndex), Infinity, count);
  if (direction === 'newer') return nearest(entries.slice(anchorIndex + 1), 0, count);
  return nearest(entries, anchorIndex, count);
}

/** Up to `count` entries, those next to an index first: the user has allowed no more, whatever the service sends. */
function nearest(entries: readonly Listed[], to: number, count: number): Excerpt {
  const at = Math.min(to, entries.length);
  const distance = (index: number) => Math.abs(index - at);
  const order = entries.map((_, index) => index).sort((one, other) => distance(one) - distance(other));
  return { entries, order: order.slice(0, count) };
}

/** A row with time, sender, ID, text and buttons of a message (contract 2.6–2.8), or with the JSON of an unreadable one. */
export function messageRow(entry: Listed): AgentRow {
  const text = inert(contentText(entry, 'copied'), MAX_TEXT);
  if (!entry.readable) return toRow({ unreadable: text });
  const { msgId, parentId, senderId, senderNickname, sendTime, contentType, content, commandName } = entry.message;
  const quotation = quotationText(content);
  const buttons = content.buttons?.flat() ?? [];
  const words = firstOf(buttons, MAX_BUTTONS, buttonText);
  const mentions = firstOf(unnamedMentions(content), MAX_MENTIONS, (id) => inert(id, MAX_NAME));
  return toRow({
    time: sendTime && timeText(sendTime),
    sender: inert(senderNickname, MAX_NAME),
    senderId,
    id: msgId,
    ...(parentId && { replyTo: parentId }),
    ...(quotation && { quotes: inert(quotation, MAX_NAME) }),
    ...(!['text', 'markdown'].includes(contentType) && { type: inert(contentType, MAX_NAME) }),
    ...(commandName && { command: inert(commandName, MAX_NAME) }),
    text,
    ...(mentions.length > 0 && { mentions }),
    ...(content.tip && { note: inert(readableText(content.tip), MAX_TEXT) }),
    ...(words.length > 0 && { buttons: words }),
  });
}

/** What a button does (contract 2.8), in words. */
function buttonText(button: Button): string {
  const { text, actionType, value } = button;
  const label = `“${inert(readableText(text), MAX_NAME)}”`;
  switch (actionType) {
    case 1:
      return `${label} opens ${inert(buttonAddress(button), MAX_NAME)}`;
    case 2:
      return `${label} copies “${inert(value, MAX_NAME)}”`;
    case 3:
      return `${label} reports “${inert(value, MAX_NAME)}”`;
    default:
      return `${label}, unknown action`;
  }
}

function questionText(kind: Chat['kind'], title: string, count: number): string {
  if (kind === 'user')
    return count === 1
      ? l10n.t(
          'A message of the chat with {0}, with its sender, time, and buttons, will be sent to the language model.',
          title,
        )
      : l10n.t(
          'Up to {0} messages of the chat with {1}, with their senders, times, and buttons, will be sent to the language model.',
          formatCount(count),
          title,
        );
  return count === 1
    ? l10n.t(
        'A message of the group {0}, with its sender, time, and buttons, will be sent to the language model.',
        title,
      )
    : l10n.t(
        'Up to {0} messages of the group {1}, with their senders, times, and buttons, will be sent to the language model.',
        formatCount(count),
        title,
      );
}

const chatOf = ({ chatType, chatId }: Input): Chat => ({ kind: chatType, id: chatId });

function headOf(
  { kind, id, botId }: BotChat,
  { entries }: Excerpt,
  direction: Input['direction'],
  isArchived: boolean,
): string {
  const messages = direction ? `${direction} messages` : 'messages';
  const chat = `${KIND_NAMES[kind]} ${id}`;
  const about =
    entries.length === 0
      ? `There are no ${messages} in ${chat}, as bot ${botId} reads it.`
      : `Messages of ${chat} as bot ${botId} reads it, oldest first. ${zoneText()}`;
  const source = "The service can't be used now: this comes from the archive on this computer, which may be older.";
  return sentences(about, isArchived && source);
}

/** How to go on reading from the messages that are shown. */
function footOf(
  { messageId, direction }: Input,
  { botId }: BotChat,
  { entries, order }: Excerpt,
  shown: number,
  link: string,
): string {
  const idsOf = (indexes: readonly number[]) =>
    indexes.flatMap((index) => {
      const entry = entries[index];
      return entry?.readable && isQuotable(entry.message.msgId) ? [entry.message.msgId] : [];
    });
  const call = `call botchats_read again with botId ${JSON.stringify(botId)}`;
  const ids = idsOf(order.slice(0, shown).toSorted((one, other) => one - other));
  const [oldest, newest] = [ids[0], ids.at(-1)];
  if (oldest === undefined || newest === undefined) {
    const [next] = idsOf(order.slice(shown));
    if (next !== undefined) return `To go on, ${call} and messageId ${JSON.stringify(next)}.`;
    return shown > 0 ? 'None of these messages has an ID from which to go on.' : '';
  }
  const goOn = (side: 'older' | 'newer', id: string) =>
    `For ${side} messages, ${call}, messageId ${JSON.stringify(id)} and direction "${side}".`;
  const isNewest = messageId === undefined || direction === 'older';
  return lines(direction !== 'newer' && goOn('older', oldest), !isNewest && goOn('newer', newest), link);
}
