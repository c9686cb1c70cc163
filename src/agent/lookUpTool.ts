/** `botchats_look_up`: the details of groups, bots and people. */
import * as v from 'valibot';
import { l10n } from 'vscode';
import { formatCount } from '../presentation/formats.ts';
import { isFailure } from '../service/errors.ts';
import type { Found, Kind } from '../service/model.ts';
import type { AgentAccess } from './agentAccess.ts';
import type { AgentHost, ReadOnlyService } from './agentHost.ts';
import { ids, ResourceKind } from './inputs.ts';
import { chatLinkAdvice, KIND_NAMES, KINDS } from './names.ts';
import { lines, sentences } from './sentences.ts';
import { timeText, zoneText } from './times.ts';
import type { Answer, Tool } from './tool.ts';
import { toToolError } from './toolError.ts';
import { inert, toRow } from './untrusted.ts';

/** How much is shown of a text (UTF-16 units). */
const MAX_TEXT = 400;

/** How many medals are listed. */
const MAX_ELEMENTS = 10;

/** Tokens and the addresses to send to, which may contain one (contract 2.1, 2.3). */
const SECRET_FIELDS: ReadonlySet<string> = new Set(['token', 'uri']);

/** Unix seconds (contract 2.1–2.5). */
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

export class LookUpTool implements Tool<Input> {
  readonly schema = Input;
  readonly budget = 1_500;
  readonly #host: AgentHost;
  readonly #access: AgentAccess;

  constructor(host: AgentHost, access: AgentAccess) {
    this.#host = host;
    this.#access = access;
  }

  async progress({ ids }: Input): Promise<string> {
    return ids.length === 1
      ? l10n.t('Looking up {0}', ids[0] ?? '')
      : l10n.t('Looking up {0} IDs', formatCount(ids.length));
  }

  async run({ ids, kind }: Input, signal: AbortSignal): Promise<Answer> {
    const service = await this.#host.connection.open();
    const link = await chatLinkAdvice(service);
    const rows = await Promise.all(ids.map((id) => this.#lookUp(service, id, kind, signal)));
    return {
      head: sentences(zoneText(), 'registerTimeText is in that of the service.', this.#access.limits),
      rows,
      foot: (shown) => {
        const rest = JSON.stringify(ids.slice(shown));
        return lines(
          shown < ids.length && `For the rest, call botchats_look_up again with the same kind and ids ${rest}.`,
          shown > 0 && link,
        );
      },
    };
  }

  /** A row with every kind that has this ID. */
  async #lookUp(service: ReadOnlyService, id: string, kind: Kind | undefined, signal: AbortSignal): Promise<string> {
    const wanted = kind ? [kind] : KINDS;
    const kinds = wanted.filter((one) => one === 'bot' || this.#access.sees({ type: one, id }));
    const outcomes = await Promise.all(
      kinds.map((one) =>
        service.directory.get(one, id, { signal, accept: 'fresh' }).then(
          (found) => [KIND_NAMES[one], fieldsOf(found)] as const,
          (error: unknown) =>
            isFailure(error, 'notFound') ? undefined : ([KIND_NAMES[one], toToolError(error).message] as const),
        ),
      ),
    );
    signal.throwIfAborted();
    const found = outcomes.filter((outcome) => outcome !== undefined);
    return found.length > 0
      ? toRow({ id, ...Object.fromEntries(found) })
      : toRow({
          id,
          result: missingText(
            kinds,
            wanted.filter((one) => !kinds.includes(one)),
          ),
        });
  }
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
  // An image as an address, such as an avatar of the sandbox.
  if (typeof value === 'string') return value.startsWith('data:') ? undefined : inert(value, MAX_TEXT);
  if (typeof value === 'number' && TIME_FIELDS.has(name)) return value > 0 ? timeText(value * 1000) : undefined;
  if (Array.isArray(value)) return value.slice(0, MAX_ELEMENTS).map((element) => shorten(element));
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
