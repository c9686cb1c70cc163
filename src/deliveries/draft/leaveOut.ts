/**
 * Who is left out of a delivery, and why: the rules that everything shows or applies. The order is never > except > where >
 * needless > chosen. Chats on the *Do Not Send* list get nothing, whatever a document says; those under `except:` get nothing
 * even if named by hand; a row of the recipient file that `where:` doesn't pick gets nothing even if it's also chosen elsewhere;
 * those who have the message or don't exist needn't get it, if the user says so. The first of them that applies is
 * the reason. On the lowest floor, because the editor and the preview show it, too.
 */
import type { Notes } from '../../platform/neverList.ts';
import { type Chat, chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';

/** The strongest first. */
export const RULES = ['never', 'except', 'where', 'needless'] as const;
export type Rule = (typeof RULES)[number];

export interface Reason {
  readonly by: Rule;
  /** What the user noted, or where it's said; may be empty. */
  readonly note: string;
  /** The list is the reason, but the document excepts the chat, too: so do resends, when it's on the list no more. */
  readonly isExcepted?: true | undefined;
}

export type LeftOut<C extends Chat = Chat> = C & Reason;

export interface Rules {
  readonly never: Notes;
  /** Those under `except:`, with the audience or the file that they are in. */
  readonly except: Notes;
  /** Rows of the recipient file that `where:` doesn't pick, by {@link chatKey}. */
  readonly unmatched: Pick<ReadonlyMap<string, unknown>, 'has' | 'size'>;
  /** Those who needn't get it, because they have it or don't exist, by {@link chatKey}: until it is sent, the editor knows none. */
  readonly needless: ReadonlySet<string>;
}

export const NO_RULES: Rules = { never: new Map(), except: new Map(), unmatched: new Map(), needless: new Set() };

/** Why a chat is left out; undefined if it isn't. */
export function reasonFor(chat: Chat, { never, except, unmatched, needless }: Rules): Reason | undefined {
  const key = chatKey(chat);
  const [onList, excepted] = [never.get(key), except.get(key)];
  if (onList !== undefined) return { by: 'never', note: onList, ...(excepted !== undefined && { isExcepted: true }) };
  if (excepted !== undefined) return { by: 'except', note: excepted };
  if (unmatched.has(key)) return { by: 'where', note: '' };
  return needless.has(key) ? { by: 'needless', note: '' } : undefined;
}

export interface Division<C extends Chat> {
  /** Those who get the message. */
  readonly kept: readonly C[];
  readonly leftOut: readonly LeftOut<C>[];
}

/** Divides those who were chosen into those who get the message and those who don't, in their order. Works in time slices. */
export async function leaveOut<C extends Chat>(chosen: readonly C[], rules: Rules): Promise<Division<C>> {
  // Nobody can be left out, as usually.
  if (rules.never.size + rules.except.size + rules.unmatched.size + rules.needless.size === 0)
    return { kept: chosen, leftOut: [] };
  const kept: C[] = [];
  const leftOut: LeftOut<C>[] = [];
  await new TimeSlices().each(chosen, (chat) => {
    const reason = reasonFor(chat, rules);
    if (reason) leftOut.push({ ...chat, ...reason });
    else kept.push(chat);
  });
  return { kept, leftOut };
}

/**
 * How many are left out by each rule: of those chosen, and of the rows that `where:` doesn't pick, chosen elsewhere or not.
 * Counts in time slices.
 */
export async function countByRule(
  leftOut: readonly LeftOut[],
  { never, except, unmatched }: Rules,
): Promise<Record<Rule, number>> {
  const counts = { never: 0, except: 0, where: unmatched.size, needless: 0 };
  const known = new Set<string>();
  const slices = new TimeSlices();
  await slices.each(leftOut, (one) => {
    const key = chatKey(one);
    known.add(key);
    if (one.by === 'where') return;
    counts[one.by]++;
    if (unmatched.has(key)) counts.where--;
  });
  if (unmatched.size === 0) return counts;
  for (const [by, notes] of [
    ['never', never],
    ['except', except],
  ] as const) {
    await slices.each(notes.keys(), (key) => {
      if (known.has(key) || !unmatched.has(key)) return;
      known.add(key);
      counts[by]++;
      counts.where--;
    });
  }
  return counts;
}
