/** `botchats_list`: the groups, bots, people and audiences that the user has. */
import * as v from 'valibot';
import { fold } from '../markup/caseFolding.ts';
import { knownOwnName } from '../presentation/describe.ts';
import { lookUpNames } from '../presentation/lookups.ts';
import { l10n } from '../presentation/shown.ts';
import { isOutage, isRateLimited } from '../service/errors.ts';
import { type Chat, KINDS, type Kind } from '../service/model.ts';
import type { AgentAccess } from './agentAccess.ts';
import { limit, Page, text } from './inputs.ts';
import { chatLinkAdvice, KIND_NAMES } from './names.ts';
import { type AgentHost, lines, type ReadOnlyService, sentences, type Tool } from './tool.ts';
import { toRow } from './untrusted.ts';

/** How many unknown names are looked up for a query. */
const MAX_LOOKUPS = 100;

const Input = v.strictObject({
  query: v.optional(v.pipe(text(200), v.trim())),
  kind: v.optional(
    v.picklist(['group', 'bot', 'person', 'audience'], 'Must be "group", "bot", "person" or "audience"'),
  ),
  limit: limit(50, 20),
  page: Page,
});
type Input = v.InferOutput<typeof Input>;

/** Something that the user has. */
type Listing =
  | { readonly kind: Kind; readonly id: string; readonly label: string | undefined }
  | { readonly kind: 'audience'; readonly name: string; readonly chats: readonly Chat[] };

export function listTool(host: AgentHost, access: AgentAccess): Tool<Input> {
  function listed(service: ReadOnlyService, kind: Kind): Listing[] {
    const { entries } = host.lists.read(kind, service);
    const seen = entries.filter(({ id }) => kind === 'bot' || access.sees({ kind, id }));
    return seen.map(({ id, label }) => ({ kind, id, label }));
  }

  return {
    schema: Input,
    budget: 1_500,
    async progress() {
      return l10n.t('Listing groups, bots, and people');
    },

    async run({ query = '', kind, limit, page = 0 }, signal) {
      const service = await host.connection.open();
      const kinds = KINDS.filter((one) => !kind || KIND_NAMES[one] === kind);
      const audiences = !kind || kind === 'audience' ? host.audiences.read() : undefined;
      const all: Listing[] = [
        ...kinds.flatMap((one) => listed(service, one)),
        ...Array.from(audiences?.audiences ?? [], ([name, chats]) => ({ kind: 'audience' as const, name, chats })),
      ];
      // Names are looked up only for the first page: names that are found would move the rows of later pages.
      if (query && page === 0) await lookUpUnknown(service, all, signal);
      const found = query ? all.filter((listing) => matches(service, listing, fold(query))) : all;
      const shown = found.slice(page, page + limit);
      if (!query) await lookUpUnknown(service, shown, signal);
      const unnamed = unknownOwnNames(service, query ? all : shown).length;
      const unreadable = audiences?.unreadable.size ?? 0;
      const link = await chatLinkAdvice(service);
      return {
        head: sentences(
          `Entries of the sidebar, and audiences: ${all.length}.`,
          query && `Matching: ${found.length}.`,
          unnamed > 0 && `Without a known name: ${unnamed}. A query finds these only by ID or label.`,
          unreadable > 0 && `Audiences in the settings that can't be read: ${unreadable}.`,
          access.limits,
        ),
        rows: shown.map((listing) => toRow(rowOf(service, listing))),
        foot: (count) =>
          lines(
            page + count < found.length &&
              `For more, call botchats_list again with the same input and page "${page + count}".`,
            count > 0 && link,
          ),
      };
    },
  };
}

/** The groups, bots and people whose name is neither cached nor known to be missing. */
const unknownOwnNames = ({ directory }: ReadOnlyService, listings: readonly Listing[]) =>
  listings.flatMap((one) => (one.kind !== 'audience' && !directory.has(one.kind, one.id) ? [one] : []));

/** Looks up names for as long as the service answers. A name that can't be looked up stays unknown. */
async function lookUpUnknown(service: ReadOnlyService, listings: readonly Listing[], signal: AbortSignal) {
  const stopsAt = (error: unknown) => isOutage(error) || isRateLimited(error);
  await lookUpNames(unknownOwnNames(service, listings), service, { max: MAX_LOOKUPS, signal, stopsAt });
  signal.throwIfAborted();
}

function matches(service: ReadOnlyService, listing: Listing, query: string): boolean {
  const texts =
    listing.kind === 'audience'
      ? [listing.name]
      : [listing.id, listing.label, knownOwnName(service.directory, listing.kind, listing.id)];
  return texts.some((text) => text !== undefined && fold(text).includes(query));
}

function rowOf(service: ReadOnlyService, listing: Listing): object {
  if (listing.kind !== 'audience') {
    const { kind, id, label } = listing;
    return { kind: KIND_NAMES[kind], id, name: knownOwnName(service.directory, kind, id), label };
  }
  const { kind, name, chats } = listing;
  const groups = chats.filter(({ kind }) => kind === 'group').length;
  return { kind, name, groups, people: chats.length - groups };
}
