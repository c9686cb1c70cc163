/** `botchats_read`: messages of one chat. */
import * as v from 'valibot';
import { l10n } from 'vscode';
import { likelyReader } from '../presentation/chatReader.ts';
import { formatCount } from '../presentation/formats.ts';
import type { BotChat } from '../protocol/botChat.ts';
import type { Listed } from '../service/message.ts';
import { isAnchorLost } from '../service/messagePages.ts';
import type { Chat } from '../service/model.ts';
import type { AgentAccess } from './agentAccess.ts';
import { ChatType, Id, isQuotable, limit } from './inputs.ts';
import { type Excerpt, excerptOf, pageOf } from './messageExcerpt.ts';
import { messageRow } from './messageRow.ts';
import { appliesToAllText, KIND_NAMES, knownTitles, lookUpTitles, messageLinkAdvice } from './names.ts';
import { type AgentHost, lines, type ReadOnlyService, sentences, type Tool, zoneText } from './tool.ts';
import { ASK_FOR_TOKEN, ToolError, toToolError } from './toolError.ts';

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

function questionText(kind: Chat['kind'], title: string, count: number): string {
  if (kind === 'user')
    return count === 1
      ? l10n.t(
          'A message of the chat with {0}, with its sender, time, and buttons, will be sent to the language model.',
          title,
        )
      : l10n.t(
          'Up to {0} messages of the chat with {1}, with their senders, times, and buttons, will be sent to the language model.',
          ...[formatCount(count), title],
        );
  return count === 1
    ? l10n.t(
        'A message of the group {0}, with its sender, time, and buttons, will be sent to the language model.',
        title,
      )
    : l10n.t(
        'Up to {0} messages of the group {1}, with their senders, times, and buttons, will be sent to the language model.',
        ...[formatCount(count), title],
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
