/** `botchats_list`: the groups, bots, people and audiences that the user has. */
import * as v from 'valibot';
import { l10n } from 'vscode';
import type { Kind } from '../service/model.ts';
import type { AgentAccess } from './agentAccess.ts';
import type { AgentHost, ReadOnlyService } from './agentHost.ts';
import { limit, Page } from './inputs.ts';
import { KIND_NAMES, knownName } from './names.ts';
import type { Answer, Tool } from './tool.ts';
import { toRow } from './untrusted.ts';

/** How many unknown names are looked up for one list. */
const MAX_LOOKUPS = 200;

const KINDS = ['group', 'bot', 'user'] as const;

const Input = v.strictObject({
  query: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200))),
  kind: v.optional(
    v.picklist(['group', 'bot', 'person', 'audience'], 'Must be "group", "bot", "person" or "audience"'),
  ),
  limit: limit(50, 20),
  page: Page,
});
type Input = v.InferOutput<typeof Input>;

/** What is listed, and the texts by which a query finds it. */
interface Listing {
  readonly row: object;
  readonly texts: readonly (string | undefined)[];
}

export class ListTool implements Tool<Input> {
  readonly schema = Input;
  readonly budget = 1_500;
  readonly #host: AgentHost;
  readonly #access: AgentAccess;

  constructor(host: AgentHost, access: AgentAccess) {
    this.#host = host;
    this.#access = access;
  }

  async progress(): Promise<string> {
    return l10n.t('Listing groups, bots and people');
  }

  async run({ query = '', kind, limit, page = 0 }: Input, signal: AbortSignal): Promise<Answer> {
    const service = await this.#host.connection.open();
    const kinds = KINDS.filter((one) => !kind || KIND_NAMES[one] === kind);
    const listed = await Promise.all(kinds.map((one) => this.#resources(service, one, signal)));
    const all = [...listed.flat(), ...(!kind || kind === 'audience' ? this.#audiences() : [])];
    const wanted = query.toLocaleLowerCase();
    const found = all.filter(({ texts }) => texts.some((text) => text?.toLocaleLowerCase().includes(wanted)));
    const rows = found.slice(page, page + limit).map(({ row }) => toRow(row));
    return {
      head: [`${found.length} of the ${all.length} that the user lists match.`, this.#access.limits]
        .filter(Boolean)
        .join(' '),
      rows,
      foot: (shown) =>
        page + shown < found.length ? `For more, call botchats_list again with page "${page + shown}".` : '',
    };
  }

  async #resources(service: ReadOnlyService, kind: Kind, signal: AbortSignal): Promise<Listing[]> {
    const { entries } = this.#host.lists.read(kind, service);
    const seen = entries.filter(({ id }) => kind === 'bot' || this.#access.sees({ id }));
    const unknown = seen.filter(({ id }) => !service.directory.has(kind, id)).slice(0, MAX_LOOKUPS);
    // Without its name, an entry is listed by its ID.
    await Promise.allSettled(unknown.map(({ id }) => service.directory.get(kind, id, { signal })));
    return seen.map(({ id, label }) => {
      const name = knownName(service, kind, id);
      return { row: { kind: KIND_NAMES[kind], id, name, label }, texts: [id, name, label] };
    });
  }

  #audiences(): Listing[] {
    return [...this.#host.audiences.read().audiences].map(([name, chats]) => {
      const groups = chats.filter(({ type }) => type === 'group').length;
      return { row: { kind: 'audience', name, groups, people: chats.length - groups }, texts: [name] };
    });
  }
}
