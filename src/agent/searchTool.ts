/** `botchats_search`: archived messages by their words. */

import * as v from 'valibot';
import type { SearchedChat, SearchHit } from '../chats/contract.ts';
import { excerpt } from '../markup/escapeInvisible.ts';
import type { AgentRow } from '../markup/safeText.ts';
import { parseQuery } from '../markup/searchTerms.ts';
import { knownOwnName } from '../presentation/describe.ts';
import { formatCount } from '../presentation/formats.ts';
import { l10n } from '../presentation/shown.ts';
import { CHAT_KINDS } from '../service/model.ts';
import type { AgentAccess } from './agentAccess.ts';
import { Id, ids, limit, moment, Page, text } from './inputs.ts';
import { appliesToAllText, KIND_NAMES, listOf, lookUpTitles, messageLinksAdvice } from './names.ts';
import { type AgentHost, lines, type ReadOnlyService, sentences, type Tool, timeText, zoneText } from './tool.ts';
import { inert, MAX_NAME, toRow } from './untrusted.ts';

const Input = v.strictObject({
  query: v.pipe(
    text(1_000),
    v.trim(),
    v.check((query) => parseQuery(query).length > 0, 'Needs a letter, a digit or an emoji'),
  ),
  chatIds: v.optional(v.pipe(ids(50), v.minLength(1, 'Leave out chatIds to search all chats'))),
  senderId: v.optional(Id),
  since: moment(false),
  until: moment(true),
  limit: limit(20, 10),
  page: Page,
});
type Input = v.InferOutput<typeof Input>;

/** How much of a query is in a question (UTF-16 units). */
const MAX_QUERY = 100;

export function searchTool(host: AgentHost, access: AgentAccess): Tool<Input> {
  return {
    schema: Input,
    budget: 2_000,
    async progress({ query }) {
      return l10n.t('Searching archived messages for “{0}”', shorten(query));
    },

    async question({ query, chatIds, limit }) {
      if (!access.asksEachTime) return undefined;
      const chats = chatIds?.map((id) => ({ kinds: CHAT_KINDS, id }));
      return {
        title: l10n.t('Let the agent search messages?'),
        // The query comes last: it may be any text.
        text: sentences(
          l10n.t(
            'Excerpts of up to {0} messages from {1}, with their senders and times, will be sent to the language model.',
            formatCount(limit),
            chats ? await lookUpTitles(host, chats) : l10n.t('all archived chats'),
          ),
          appliesToAllText(),
          l10n.t('Search for: “{0}”', shorten(query)),
        ),
      };
    },

    async run({ query, chatIds, senderId, since, until, limit, page }, signal) {
      access.checkIds(chatIds ?? []);
      access.checkAny();
      const service = await host.connection.open();
      const { hits, next, chats } = await host.search.search(
        {
          text: query,
          senderId,
          since,
          until,
          // Chats of another service may have the same IDs.
          includes: ({ service: address, kind, id }) =>
            address === service.address && access.sees({ kind, id }) && (chatIds?.includes(id) ?? true),
        },
        limit,
        signal,
        page,
      );
      const links = await messageLinksAdvice(service, new Set(hits.map(({ botChat }) => botChat.kind)));
      return {
        head: sentences(hits.length === 0 && 'No messages found.', coverage(chats, chatIds), access.limits),
        rows: hits.map((hit) => rowOf(service, hit)),
        foot: (shown) => {
          const after = shown < hits.length ? hits[shown - 1]?.position : next;
          return lines(
            after !== undefined && `For more, call botchats_search again with the same input and page "${after}".`,
            shown > 0 && 'To read what was said around a message, call botchats_read with its chat and id.',
            shown > 0 && links,
          );
        },
      };
    },
  };
}

const shorten = (query: string) => excerpt(query, MAX_QUERY);

function rowOf(service: ReadOnlyService, { botChat, msgId, senderId, senderName, time, text }: SearchHit): AgentRow {
  const { kind, id, botId } = botChat;
  return toRow({
    time: time && timeText(time),
    chatType: KIND_NAMES[kind],
    chatId: id,
    chat: knownOwnName(service.directory, kind, id),
    botId,
    sender: inert(senderName, MAX_NAME),
    senderId,
    id: msgId,
    text,
  });
}

/** Says what was searched: finding nothing means little if half of the chat is missing. */
function coverage(chats: readonly SearchedChat[], wanted: readonly string[] | undefined): string {
  if (chats.length === 0) {
    const what = wanted ? 'None of these chats is' : 'No chat that you may see is';
    return `${what} archived on this computer. Use botchats_read instead.`;
  }
  const searched = chats.map(({ botChat: { kind, id }, since, checkedAt, isIncomplete }) => {
    const from = since === undefined ? '' : ` from ${timeText(since)}`;
    const until = checkedAt === undefined ? '' : ` until ${timeText(checkedAt)}`;
    return `${KIND_NAMES[kind]} ${id}${from}${until}${isIncomplete || checkedAt === undefined ? ' (incomplete)' : ''}`;
  });
  const missing = wanted?.filter((id) => chats.every(({ botChat }) => botChat.id !== id)) ?? [];
  return sentences(
    `Searched the archive of ${listOf(searched)}. ${zoneText()}`,
    missing.length > 0 && `Not archived: ${listOf(missing)}.`,
    !wanted && 'Chats that are not archived can be read with botchats_read.',
  );
}
