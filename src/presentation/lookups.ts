/**
 * Looks up several IDs: what they belong to, or only their names. What is remembered needs no request. Lookups end early
 * when the caller or the user cancels them; they count as failed then. None is repeated.
 */
import type { Service } from '../platform/service.ts';
import { type Clock, systemClock } from '../service/clock.ts';
import { isFailure } from '../service/errors.ts';
import { CHAT_KINDS, type Chat, type Found, type Kind, type Reference } from '../service/model.ts';
import { TimeSlices } from '../service/timeSlices.ts';
import { showProgress } from './dialogs.ts';
import { formatCount } from './formats.ts';
import { l10n, type ShownText } from './shown.ts';

/** How many IDs are looked up only for their names, unless the caller says how many. */
export const MAX_NAMES = 200;
/** How many lookups are queued at once: the queue gets slow with very many. */
const MAX_AT_ONCE = 200;
/** How long to wait before progress is shown (milliseconds): most lookups end before a notification could be read. */
const PROGRESS_DELAY = 300;

type Directories = Pick<Service, 'directory'>;

/** An ID, and the kinds as which it's looked up. Without kinds, the first kind that has the ID counts. */
interface Wanted<K extends Kind = Kind> {
  readonly id: string;
  readonly kinds?: readonly K[] | undefined;
}

/** What was found, or why the lookup failed; neither if no kind has the ID. */
interface Outcome {
  readonly found?: Found | undefined;
  readonly error?: unknown;
  /** What has the ID if no resource of the kind does, as far as that's remembered. */
  readonly instead?: Found | undefined;
}

/** The outcome for an ID as one of its kinds. */
export interface Lookup<K extends Kind = Kind> extends Outcome {
  readonly id: string;
  readonly kind?: K | undefined;
}

/** The outcome for an ID as a group's or a person's. With neither a result nor an error, it wasn't looked up. */
export interface ChatLookup extends Outcome {
  readonly chat: Chat;
}

interface LookupOptions {
  /** Whether remembered resources may be stale, or count at all, as for a single lookup. */
  readonly accept?: 'remembered' | 'fresh' | 'new';
  readonly signal?: AbortSignal;
  /** The lookups are canceled after this time (milliseconds). */
  readonly maxWait?: number;
  /** Whether an error of one lookup cancels the others, which fail with it. */
  readonly stopsAt?: (error: unknown) => boolean;
  /** The title of a notification that shows the progress of lookups that take long, and from which the user cancels them. */
  readonly title?: ShownText;
  /** Called when an ID has been looked up. */
  readonly onEnded?: (results: readonly Lookup[]) => void;
  readonly clock?: Clock;
}

/** Whether an ID doesn't exist, as opposed to a lookup that failed. */
export const isMissing = ({ found, error }: Outcome) => !found && (!error || isFailure(error, 'notFound'));

/** Looks up the names that aren't known of groups, bots and people, in this order. Never rejects. */
export async function lookUpNames(
  wanted: readonly Reference[],
  service: Directories,
  { max = MAX_NAMES, ...options }: LookupOptions & { readonly max?: number } = {},
): Promise<void> {
  const unknown: Wanted[] = [];
  for (const { kind, id } of wanted) {
    if (unknown.length >= max) break;
    if (!service.directory.peek(kind, id)) unknown.push({ id, kinds: [kind] });
  }
  await lookUp(unknown, service, options);
}

/** Looks up IDs that the user gave, each as a group and as a person unless its type is known. */
export async function lookUpChats(
  wanted: readonly { readonly id: string; readonly kind?: Chat['kind'] }[],
  service: Directories,
): Promise<ChatLookup[][]> {
  const lookups = await lookUp(
    wanted.map(({ id, kind }) => ({ id, kinds: kind ? [kind] : CHAT_KINDS })),
    service,
    { accept: 'fresh', title: l10n.t('Looking up') },
  );
  return lookups.map((each) =>
    each.flatMap(({ id, kind, ...outcome }) => (kind ? [{ chat: { kind, id }, ...outcome }] : [])),
  );
}

/** Looks up IDs. Resolves to the outcomes for each, in the order of its kinds, when all have ended. Never rejects. */
export async function lookUp<K extends Kind>(
  wanted: readonly Wanted<K>[],
  { directory }: Directories,
  {
    accept = 'remembered',
    signal: given,
    maxWait,
    stopsAt = () => false,
    title,
    onEnded,
    clock = systemClock,
  }: LookupOptions = {},
): Promise<Lookup<K>[][]> {
  if (wanted.length === 0) return [];
  const abort = new AbortController();
  const signal = given ? AbortSignal.any([abort.signal, given]) : abort.signal;
  let stopped: Pick<Outcome, 'error'> | undefined;
  const lookUpAs = async (id: string, kind: K | undefined): Promise<Lookup<K>> => {
    try {
      const found = await (kind ? directory.get(kind, id, { signal, accept }) : directory.identify(id, signal, accept));
      return { id, kind, found };
    } catch (error) {
      if (stopsAt(error)) {
        stopped ??= { error };
        abort.abort();
      }
      if (stopped && isFailure(error, 'cancelled')) return { id, kind, ...stopped };
      const instead = rememberedInstead(error, id, kind, directory);
      return { id, kind, error, ...(instead && { instead }) };
    }
  };
  let [done, reported] = [0, 0];
  let showDone = () => {};
  const results: Lookup<K>[][] = [];
  const slices = new TimeSlices(undefined, clock);
  const rest = wanted.entries();
  const lookUpRest = async () => {
    for (const [at, { id, kinds = [undefined] }] of rest) {
      const ended = await Promise.all(kinds.map((kind) => lookUpAs(id, kind)));
      results[at] = ended;
      done++;
      showDone();
      onEnded?.(ended);
      if (slices.isOver) await slices.pause();
    }
  };
  const all = Promise.all(Array.from({ length: Math.min(wanted.length, MAX_AT_ONCE) }, lookUpRest));
  const stopWaiting = maxWait === undefined ? undefined : clock.after(maxWait, () => abort.abort());
  if (title !== undefined && !(await endsSoon(all, clock)))
    await showProgress(title, (report, cancellation) => {
      cancellation.onCancellationRequested(() => abort.abort());
      showDone = () => {
        const message = l10n.t('{0} of {1}', formatCount(done), formatCount(wanted.length));
        report({ message, increment: (100 * (done - reported)) / wanted.length });
        reported = done;
      };
      showDone();
      return all;
    });
  await all;
  stopWaiting?.();
  return results;
}

/** What is remembered to have an ID that doesn't exist as that of a kind, as an error says. */
export function rememberedInstead(
  error: unknown,
  id: string,
  kind: Kind | undefined,
  directory: Pick<Service['directory'], 'kindOf' | 'peek'>,
): Found | undefined {
  const other = isFailure(error, 'notFound') ? directory.kindOf(id) : undefined;
  return other && other !== kind ? directory.peek(other, id) : undefined;
}

function endsSoon(all: Promise<unknown>, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = clock.after(PROGRESS_DELAY, () => resolve(false));
    void all.then(() => {
      stop();
      resolve(true);
    });
  });
}
