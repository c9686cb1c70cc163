/** `botchats_activity`: what needs the user in the watched chats. */
import * as v from 'valibot';
import type { AgentRow } from '../markup/safeText.ts';
import { knownOwnName } from '../presentation/describe.ts';
import { formatCount } from '../presentation/formats.ts';
import { l10n } from '../presentation/shown.ts';
import { CHAT_KINDS, type Chat } from '../service/model.ts';
import type { ActivityEntry, CheckedChat } from '../sidebar/contract.ts';
import type { AgentAccess } from './agentAccess.ts';
import { ids, limit, Page } from './inputs.ts';
import { appliesToAllText, KIND_NAMES, listOf, lookUpTitles, messageLinksAdvice } from './names.ts';
import { type AgentHost, lines, type ReadOnlyService, sentences, type Tool, timeText, zoneText } from './tool.ts';
import { toToolError } from './toolError.ts';
import { inert, MAX_NAME, toRow } from './untrusted.ts';

const ONLY = ['unread', 'replies', 'words'] as const;

const Input = v.strictObject({
  only: v.optional(v.picklist(ONLY, 'Must be "unread", "replies" or "words"')),
  chatIds: v.optional(v.pipe(ids(50), v.minLength(1, 'Leave out chatIds to list all watched chats'))),
  limit: limit(50, 20),
  page: Page,
});
type Input = v.InferOutput<typeof Input>;

export function activityTool(host: AgentHost, access: AgentAccess): Tool<Input> {
  return {
    schema: Input,
    budget: 2_000,
    async progress() {
      return l10n.t('Reading the activity of watched chats');
    },

    async question({ chatIds, limit }) {
      if (!access.asksEachTime) return undefined;
      const chats = chatIds?.map((id) => ({ kinds: CHAT_KINDS, id }));
      return {
        title: l10n.t('Let the agent see the activity of chats?'),
        text: sentences(
          l10n.t(
            'Excerpts of up to {0} messages from {1}, with their senders and times, will be sent to the language model.',
            formatCount(limit),
            chats ? await lookUpTitles(host, chats) : l10n.t('all chats that you watch'),
          ),
          appliesToAllText(),
        ),
      };
    },

    async run({ only, chatIds, limit, page = 0 }) {
      access.checkIds(chatIds ?? []);
      access.checkAny();
      const service = await host.connection.open();
      const { items, watched } = await host.activity.list();
      const isWanted = ({ kind, id }: Chat) => access.sees({ kind, id }) && (chatIds?.includes(id) ?? true);
      const chats = watched.filter(isWanted);
      const seen = items.filter(
        (item) => item.service === service.address && isWanted(item) && (only === undefined || has(item, only)),
      );
      const rows = seen.slice(page, page + limit);
      const links = await messageLinksAdvice(service, new Set(rows.map(({ kind }) => kind)));
      return {
        head: sentences(seen.length === 0 && 'Nothing found.', coverage(chats, chatIds), access.limits),
        rows: rows.map((item) => rowOf(service, item)),
        foot: (shown) =>
          lines(
            page + shown < seen.length &&
              `For more, call botchats_activity again with the same input and page "${page + shown}".`,
            shown > 0 && 'To read what was said around a message, call botchats_read with its chat and id.',
            shown > 0 && links,
          ),
      };
    },
  };
}

/** Says what was looked at: finding nothing means little for a chat that isn't watched, or can't be checked. */
function coverage(chats: readonly CheckedChat[], wanted: readonly string[] | undefined): string {
  if (chats.length === 0) {
    const what = wanted ? 'watches none of these chats' : 'watches no chat that you may see';
    return `The user ${what}. Use botchats_read instead.`;
  }
  const missing = wanted?.filter((id) => chats.every((chat) => chat.id !== id)) ?? [];
  const failed = chats.filter(({ error }) => error !== undefined);
  return sentences(
    `The activity of ${chats.length} watched ${chats.length === 1 ? 'chat' : 'chats'}, as of the last check. ${zoneText()}`,
    missing.length > 0 && `Not watched: ${listOf(missing)}. To see what is new there, use botchats_read.`,
    failed.length > 0 &&
      `The last check failed, so messages may be missing: ${listOf(failed.map(({ kind, id }) => `${KIND_NAMES[kind]} ${id}`))}. The first error: ${toToolError(failed[0]?.error).message}`,
  );
}

const has = ({ isUnread, isReply, words }: ActivityEntry, reason: (typeof ONLY)[number]) =>
  ({ unread: isUnread, replies: isReply, words: words.length > 0 })[reason];

function rowOf(service: ReadOnlyService, item: ActivityEntry): AgentRow {
  const { kind, id, botId, msgId, sender, senderId, sendTime, text, isUnread, isReply, words } = item;
  return toRow({
    time: timeText(sendTime),
    chatType: KIND_NAMES[kind],
    chatId: id,
    chat: knownOwnName(service.directory, kind, id),
    botId,
    sender: inert(sender, MAX_NAME),
    senderId,
    id: msgId,
    unread: isUnread,
    ...(isReply && { replyToBot: true }),
    ...(words.length > 0 && { words }),
    text,
  });
}
