/** `botchats_search`: archived messages by their words. */
import * as v from 'valibot';
import { l10n } from 'vscode';
import { formatCount } from '../presentation/formats.ts';
import type { AgentAccess } from './agentAccess.ts';
import type { AgentHost, ReadOnlyService, SearchedChat, SearchHit } from './agentHost.ts';
import { Id, limit, moment, Page } from './inputs.ts';
import { chatTitle, KIND_NAMES, knownName, linkAdvice } from './names.ts';
import { timeText, zoneText } from './times.ts';
import type { Answer, Question, Tool } from './tool.ts';
import { ToolError } from './toolError.ts';
import { toRow } from './untrusted.ts';

const Input = v.strictObject({
  query: v.pipe(v.string(), v.trim(), v.nonEmpty('query must not be empty'), v.maxLength(1_000)),
  chatIds: v.optional(v.pipe(v.array(Id), v.minLength(1, 'Leave out chatIds to search all chats'), v.maxLength(50))),
  senderId: v.optional(Id),
  since: moment(false),
  until: moment(true),
  limit: limit(20, 10),
  page: Page,
});
type Input = v.InferOutput<typeof Input>;

/** How many chats are named in a description of the archive. */
const MAX_CHATS = 10;

/** How many chats are named in a question. */
const MAX_TITLES = 5;

export class SearchTool implements Tool<Input> {
  readonly schema = Input;
  readonly budget = 2_000;
  readonly #host: AgentHost;
  readonly #access: AgentAccess;

  constructor(host: AgentHost, access: AgentAccess) {
    this.#host = host;
    this.#access = access;
  }

  async progress({ query }: Input): Promise<string> {
    return l10n.t('Searching archived messages for “{0}”', query);
  }

  async question({ query, chatIds, limit }: Input): Promise<Question | undefined> {
    if (this.#access.isDecided) return undefined;
    const where = chatIds ? await this.#titles(chatIds) : l10n.t('all archived chats');
    return {
      title: l10n.t('Let the agent search messages?'),
      text: l10n.t(
        'The language model gets excerpts of up to {0} messages with “{1}” from {2}, with their senders and times.',
        ...[formatCount(limit), query, where],
      ),
    };
  }

  /** Names or the number of chats, which may be groups or people. */
  async #titles(ids: readonly string[]): Promise<string> {
    if (ids.length > MAX_TITLES) return l10n.t('{0} chats', formatCount(ids.length));
    const service = await this.#host.connection.open().catch(() => undefined);
    const nameOf = (id: string) => service && (knownName(service, 'group', id) ?? knownName(service, 'user', id));
    return ids.map((id) => chatTitle(nameOf(id), id)).join(', ');
  }

  async run({ query, chatIds, senderId, since, until, limit, page }: Input): Promise<Answer> {
    const hidden = chatIds?.find((id) => !this.#access.sees({ id }));
    if (hidden !== undefined)
      throw new ToolError(`The user doesn't let agents see ${hidden}. botchats_list shows what you can see.`);
    const service = await this.#host.connection.open();
    const { hits, next, chats } = await this.#host.search.search(
      {
        text: query,
        senderId,
        since,
        until,
        // Chats of another service may have the same IDs.
        includes: ({ service: address, id }) =>
          address === service.address && this.#access.sees({ id }) && (chatIds?.includes(id) ?? true),
      },
      limit,
      page,
    );
    const links = await Promise.all(hits.map(({ botChat }) => linkAdvice(service, botChat)));
    return {
      head: [coverage(chats, chatIds), this.#access.limits].filter(Boolean).join(' '),
      rows: hits.map((hit) => rowOf(service, hit)),
      foot: (shown) => {
        const last = hits[shown - 1];
        const after = shown < hits.length ? last?.position : next;
        return [
          ...(after === undefined ? [] : [`For more, call botchats_search again with page "${after}".`]),
          ...(shown > 0 ? ['To read what was said around a message, call botchats_read with its chat and id.'] : []),
          ...new Set(links.slice(0, shown)),
        ].join('\n');
      },
    };
  }
}

function rowOf(service: ReadOnlyService, { botChat, msgId, senderId, senderName, time, text }: SearchHit): string {
  const { type, id, botId } = botChat;
  return toRow({
    time: time && timeText(time),
    chatType: KIND_NAMES[type],
    chatId: id,
    chat: knownName(service, type, id),
    botId,
    sender: senderName,
    senderId,
    id: msgId,
    text,
  });
}

/** What was searched: an answer of "nothing" means little if half of the chat is missing. */
function coverage(chats: readonly SearchedChat[], wanted: readonly string[] | undefined): string {
  if (chats.length === 0) {
    const what = wanted ? 'None of these chats is' : 'No chat is';
    return `${what} archived on this computer, so nothing was searched. Read chats with botchats_read instead.`;
  }
  const named = chats.slice(0, MAX_CHATS).map(({ botChat: { type, id }, checkedAt, isIncomplete }) => {
    const until = checkedAt === undefined ? '' : ` until ${timeText(checkedAt)}`;
    return `${KIND_NAMES[type]} ${id}${until}${isIncomplete || checkedAt === undefined ? ' (incomplete)' : ''}`;
  });
  const more = chats.length > named.length ? ` and ${chats.length - named.length} more` : '';
  const missing = wanted?.filter((id) => chats.every(({ botChat }) => botChat.id !== id)) ?? [];
  return [
    `Searched the archive of ${named.join(', ')}${more}. Times are ${zoneText(Date.now())}.`,
    ...(missing.length > 0 ? [`Not archived: ${missing.join(', ')}.`] : []),
    ...(wanted ? [] : ['Other chats are not archived: read them with botchats_read.']),
  ].join(' ');
}
