/**
 * Who is left out of a delivery, and why: one object goes from a draft to its sending, and all who show or apply the rules
 * ask it. Chats on the *Do Not Send* list get nothing, whatever a document says; those under `except:` get nothing even if
 * named by hand; a row of the recipient file that `where:` doesn't pick gets nothing even if it's also chosen elsewhere;
 * those who have the message or don't exist needn't get it, if the user says so. It's in the lowest folder of deliveries,
 * because the editor and the preview show it, too.
 */
import type { Notes } from '../../platform/neverList.ts';
import { type Chat, chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import type { ChatsRule } from './document/keys.ts';

/**
 * The rules, the strongest first: the first that applies is the reason. Each says whether it excludes people even if they
 * aren't recipients of the draft. People who are excluded that way get no trial message either, and no resend, even if they
 * are chosen for it. The other rules only select among the recipients.
 */
const EXCLUDES_ANYBODY = { never: true, except: true, where: false, needless: false } satisfies Record<
  ChatsRule | 'never' | 'where' | 'needless',
  boolean
>;
export type Rule = keyof typeof EXCLUDES_ANYBODY;
export const RULES = Object.keys(EXCLUDES_ANYBODY) as Rule[];

interface Ground {
  readonly by: Rule;
  /** What the user noted, or where the rule names the chat; may be empty. */
  readonly note: string;
}

export interface Reason extends Ground {
  /** The weaker rules that leave out the chat, too. */
  readonly also?: readonly Ground[] | undefined;
}

export type LeftOut<C extends Chat = Chat> = C & Reason;

/** Whom one rule leaves out, by {@link chatKey}. */
export interface LeavesOut {
  /** The note about a chat that is left out (see {@link Ground}); undefined for any other chat. */
  noteOf(key: string): string | undefined;
  /** The keys of the only chats that can be left out; undefined if it can be anybody. */
  readonly named?: Pick<ReadonlySet<string>, 'keys' | 'size'> | undefined;
}

/** Leaves out the chats that have a note. */
export const noted = (notes: Notes): LeavesOut => ({ noteOf: (key) => notes.get(key), named: notes });

/** Leaves out the chats with these keys. */
export const listed = (keys: Pick<ReadonlySet<string>, 'has' | 'keys' | 'size'>): LeavesOut => ({
  noteOf: (key) => (keys.has(key) ? '' : undefined),
  named: keys,
});

const NOBODY = listed(new Set());

export interface Division<C extends Chat> {
  /** Those who get the message. */
  readonly kept: readonly C[];
  readonly leftOut: readonly LeftOut<C>[];
}

export class Rules {
  readonly #rules: Readonly<Record<Rule, LeavesOut>>;

  constructor(rules: Readonly<Record<Rule, LeavesOut>>) {
    this.#rules = rules;
  }

  /** The rules that left out these people, without those that only select among the recipients. */
  static excluding(leftOut: readonly LeftOut[]): Rules {
    const notes = new Map<Rule, Map<string, string>>();
    for (const { by, note, also = [], ...chat } of leftOut)
      for (const one of [{ by, note }, ...also])
        if (EXCLUDES_ANYBODY[one.by]) notes.set(one.by, (notes.get(one.by) ?? new Map()).set(chatKey(chat), one.note));
    let rules = NO_RULES;
    for (const [rule, of] of notes) rules = rules.with(rule, noted(of));
    return rules;
  }

  /** The rules with one replaced. */
  with(rule: Rule, leavesOut: LeavesOut): Rules {
    return new Rules({ ...this.#rules, [rule]: leavesOut });
  }

  /** Rules that leave out everyone whom either of the two leaves out. */
  or(others: Rules): Rules {
    const either = (rule: Rule): LeavesOut => {
      const one = this.#rules[rule];
      const other = others.#rules[rule];
      return {
        noteOf: (key) => one.noteOf(key) ?? other.noteOf(key),
        named: one.named && other.named && new Set([...one.named.keys(), ...other.named.keys()]),
      };
    };
    return RULES.reduce<Rules>((rules, rule) => rules.with(rule, either(rule)), this);
  }

  /** The rules without those that only select among the recipients. */
  get forAnybody(): Rules {
    return RULES.reduce((rules, rule) => (EXCLUDES_ANYBODY[rule] ? rules : rules.with(rule, NOBODY)), this as Rules);
  }

  /** Why a chat is left out; undefined if it isn't. */
  reasonFor(chat: Chat): Reason | undefined {
    return this.#reasonOf(chatKey(chat));
  }

  #reasonOf(key: string): Reason | undefined {
    let reason: Reason | undefined;
    for (const by of RULES) {
      const note = this.#rules[by].noteOf(key);
      if (note === undefined) continue;
      const ground = { by, note };
      reason = reason ? { ...reason, also: [...(reason.also ?? []), ground] } : ground;
    }
    return reason;
  }

  /** Whether nobody can be left out, as usually. */
  get isEmpty(): boolean {
    return this.#atMost === 0;
  }

  /** How many can be left out at most. */
  get #atMost(): number {
    return RULES.reduce((sum, rule) => sum + (this.#rules[rule].named?.size ?? Number.POSITIVE_INFINITY), 0);
  }

  /** Divides those who were chosen into those who get the message and those who don't, in their order. Works in time slices. */
  async divide<C extends Chat>(chosen: readonly C[]): Promise<Division<C>> {
    if (this.isEmpty) return { kept: chosen, leftOut: [] };
    const kept: C[] = [];
    const leftOut: LeftOut<C>[] = [];
    await new TimeSlices().each(chosen, (chat) => {
      const reason = this.reasonFor(chat);
      if (reason) leftOut.push({ ...chat, ...reason });
      else kept.push(chat);
    });
    return { kept, leftOut };
  }

  /** The rows of a table, by {@link chatKey}, that are left out: faster than {@link divide} if the rules name few. */
  *among<Row>(rows: ReadonlyMap<string, Row>): Iterable<Row> {
    if (this.#atMost >= rows.size) {
      for (const [key, row] of rows) if (this.#reasonOf(key)) yield row;
      return;
    }
    const named = new Set(RULES.flatMap((rule) => [...(this.#rules[rule].named?.keys() ?? [])]));
    for (const key of named) {
      const row = rows.get(key);
      if (row !== undefined) yield row;
    }
  }

  /**
   * How many chats are left out by each rule: of the chosen ones, and of the rows that aren't picked, chosen elsewhere or
   * not. Counts in time slices.
   */
  async count(
    leftOut: readonly LeftOut[],
    unpicked: Pick<ReadonlyMap<string, unknown>, 'keys'> = new Map(),
  ): Promise<Record<Rule, number>> {
    const counts = Object.fromEntries(RULES.map((rule) => [rule, 0])) as Record<Rule, number>;
    const known = new Set<string>();
    const slices = new TimeSlices();
    await slices.each(leftOut, (one) => {
      known.add(chatKey(one));
      counts[one.by]++;
    });
    await slices.each(unpicked.keys(), (key) => {
      const reason = known.has(key) ? undefined : this.#reasonOf(key);
      if (reason) counts[reason.by]++;
    });
    return counts;
  }
}

/** Rules that leave nobody out. */
export const NO_RULES = new Rules({ never: NOBODY, except: NOBODY, where: NOBODY, needless: NOBODY });
