/** What the long random proofs have in common. */
import fc from 'fast-check';

/** How much is tried: each property so often, or over and over until a time of `performance.now()`. */
export type Effort = {
  /** The same seed tries the same cases. A 32-bit whole number. */
  readonly seed: number;
  /** Told in one line what was tried and what was found. */
  report(line: string): void;
  /** Counts what was tried, and what was found: {@link HARMS}. */
  tally(what: string, count: number): void;
} & ({ readonly runs: number } | { readonly until: number });

/** What must never be, by the words of the errors that say that it was. */
const HARMS = {
  doubles: /\btwice\b/,
  lost: /\blost\b/,
  scripts: /\bscript\b|refused by the policy/,
  'links that act': /link that acts|as Markdown|as HTML/,
  tokens: /tells? the token|field "token"/,
  'blocks over 50 ms': /held the thread/,
} as const;
const OTHERS = 'other findings';
export const harms = [...Object.keys(HARMS), OTHERS];

/** A claim about the product that random cases try to refute. */
export interface Proof {
  readonly name: string;
  /** Resolves to what was found: the case, the error and how to repeat it. Nothing, where the claim held. */
  run(effort: Effort): Promise<string[]>;
}

interface Search {
  name: string;
  /** By what they say of the product. */
  properties: Readonly<Record<string, fc.IAsyncProperty<unknown>>>;
  /** How often each property is tried before the next one has its turn, where there is time for more. */
  runsPerRound: number;
}

/**
 * Looks for cases in which a property does not hold; one that was refuted is not tried again. Where there is time, the
 * case is shrunk. Each round has a seed of its own, so that a finding is repeated by the first round of its seed.
 */
export async function search(
  { name, properties, runsPerRound }: Search,
  effort: Effort,
): Promise<{ found: string[]; cases: number }> {
  const isShort = 'runs' in effort;
  const left = new Map(Object.entries(properties));
  const found: string[] = [];
  let cases = 0;
  const isTimeLeft = () => !isShort && performance.now() < effort.until;
  for (let seed = effort.seed; left.size > 0; seed++) {
    for (const [title, property] of left) {
      const numRuns = isShort ? effort.runs : runsPerRound;
      const result = await fc.check(property, { seed, numRuns, endOnFailure: isShort });
      cases += result.numRuns;
      if (!result.failed) continue;
      left.delete(title);
      const { errorInstance: error } = result;
      effort.tally(harmOf(error, title), 1);
      found.push(
        [
          `${name}: ${title}`,
          `Case: ${fc.stringify(result.counterexample)}`,
          error instanceof Error ? error.stack : error,
          `Repeat it with: npm run prove -- --only ${name} --seed ${seed}`,
        ].join('\n'),
      );
    }
    if (!isTimeLeft()) break;
  }
  return { found, cases };
}

/** What a case has shown: as the error says, or else the claim that it refutes. */
function harmOf(error: unknown, title: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const named = (text: string) => Object.entries(HARMS).find(([, pattern]) => pattern.test(text))?.[0];
  return named(message) ?? (HARMS.tokens.test(title) ? 'tokens' : OTHERS);
}

/** `1,204 kills`. */
export const count = (number: number, what: string) => `${number.toLocaleString('en')} ${what}`;
