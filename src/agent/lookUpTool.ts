/** `botchats_look_up`: the details of groups, bots and people. */
import * as v from 'valibot';
import type { AgentRow } from '../markup/safeText.ts';
import { formatCount } from '../presentation/formats.ts';
import { isMissing, type Lookup, lookUp } from '../presentation/lookups.ts';
import { l10n } from '../presentation/shown.ts';
import { isRateLimited } from '../service/errors.ts';
import { type Found, KINDS, type Kind } from '../service/model.ts';
import type { AgentAccess } from './agentAccess.ts';
import { ids, ResourceKind } from './inputs.ts';
import { chatLinkAdvice, KIND_NAMES } from './names.ts';
import { type AgentHost, firstOf, lines, sentences, type Tool, timeText, zoneText } from './tool.ts';
import { toToolError } from './toolError.ts';
import { inert, toRow } from './untrusted.ts';

/** How much is shown of a text (UTF-16 units). */
const MAX_TEXT = 400;

/** How many medals are listed. */
const MAX_ELEMENTS = 10;

/** The fields that no agent sees: tokens, and addresses to send to, which may contain a token (contract 2.1, 2.3). */
const SECRET_FIELDS: ReadonlySet<string> = new Set(['token', 'uri']);

/** The fields with Unix seconds (contract 2.1–2.5). */
const TIME_FIELDS: ReadonlySet<string> = new Set(['createTime', 'updateTime', 'updateTsime', 'registerTime']);

const Input = v.strictObject({
  ids: v.pipe(
    ids(10),
    v.minLength(1, 'Must have at least one ID'),
    v.transform((ids) => [...new Set(ids)]),
  ),
  kind: v.optional(ResourceKind),
});
type Input = v.InferOutput<typeof Input>;

export function lookUpTool(host: AgentHost, access: AgentAccess): Tool<Input> {
  return {
    schema: Input,
    budget: 1_500,
    async progress({ ids }) {
      return ids.length === 1
        ? l10n.t('Looking up {0}', ids[0] ?? '')
        : l10n.t('Looking up {0} IDs', formatCount(ids.length));
    },

    async run({ ids, kind }, signal) {
      const service = await host.connection.open();
      const link = await chatLinkAdvice(service);
      const kinds = kind ? [kind] : KINDS;
      const isSeen = (one: Kind, id: string) => one === 'bot' || access.sees({ kind: one, id });
      const wanted = ids.map((id) => ({ id, kinds: kinds.filter((one) => isSeen(one, id)) }));
      const lookups = await lookUp(wanted, service, { signal, accept: 'fresh', stopsAt: isRateLimited });
      signal.throwIfAborted();
      const rows = wanted.map(({ id, kinds: seen }, at) => {
        const hidden = kinds.filter((one) => !seen.includes(one));
        return rowOf(id, lookups[at] ?? []) ?? toRow({ id, result: missingText(seen, hidden) });
      });
      return {
        head: sentences(zoneText(), 'registerTimeText is in that of the service.', access.limits),
        rows,
        foot: (shown) => {
          const rest = JSON.stringify(ids.slice(shown));
          return lines(
            shown < ids.length && `For the rest, call botchats_look_up again with the same kind and ids ${rest}.`,
            shown > 0 && link,
          );
        },
      };
    },
  };
}

/** A row with every kind that has this ID, or that couldn't be looked up; undefined if there is none. */
function rowOf(id: string, lookups: readonly Lookup[]): AgentRow | undefined {
  const results = lookups.flatMap((one) => {
    if (!one.kind || isMissing(one)) return [];
    return [[KIND_NAMES[one.kind], one.found ? fieldsOf(one.found) : toToolError(one.error).message] as const];
  });
  return results.length > 0 ? toRow({ id, ...Object.fromEntries(results) }) : undefined;
}

/** Says as what an ID doesn't exist, and as what it may exist that agents can't see. */
function missingText(kinds: readonly Kind[], hidden: readonly Kind[]): string {
  const names = kinds.map((kind) => KIND_NAMES[kind]).join(', ');
  const others = hidden.map((kind) => (kind === 'group' ? 'groups' : 'people')).join(' and ');
  return [names && `doesn't exist as ${names}`, others && `the user doesn't let agents see ${others} with this ID`]
    .filter(Boolean)
    .join('; ');
}

/** The documented fields of a resource that have a value, without tokens and addresses to send to. */
const fieldsOf = ({ resource }: Found) => shorten(resource) as object;

function shorten(value: unknown, name = ''): unknown {
  // A value that is a whole image, such as an avatar of the sandbox.
  if (typeof value === 'string') return value.startsWith('data:') ? undefined : inert(value, MAX_TEXT);
  if (typeof value === 'number' && TIME_FIELDS.has(name)) return value > 0 ? timeText(value * 1000) : undefined;
  if (Array.isArray(value)) return firstOf(value, MAX_ELEMENTS, (element) => shorten(element));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value)
    .filter(([key]) => !SECRET_FIELDS.has(key))
    .map(([key, field]) => [key, shorten(field, key)] as const);
  return Object.fromEntries(fields.filter(([, field]) => !isEmpty(field)));
}

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
