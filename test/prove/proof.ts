/** What the long random proofs share. */
import fc from 'fast-check';

/** How long to try: a number of runs for each property, or until a time of `performance.now()`. */
export type Effort = {
  /** A 32-bit integer. The same seed tries the same cases. */
  readonly seed: number;
  /** Called with one line on what was tried and found. */
  report(line: string): void;
  /** Counts what was tried and found; see {@link HARMS}. */
  tally(what: string, count: number): void;
} & ({ readonly runs: number } | { readonly until: number });

/** What must never happen, with a pattern for the error messages that report it. */
const HARMS = {
  doubles: /\btwice\b/,
  lost: /\blost\b/,
  forgotten: /\bforgotten\b|\bdeleted, but sent\b/,
  back: /\bis back\b|after it was deleted\b/,
  'wrong texts': /\banother's text\b|\bwrong text\b/,
  scripts: /\bscript\b|refused by the policy/,
  'links that act': /link that acts|^as (?:Markdown|HTML)\b/,
  hangs: /^It hangs/,
  tokens: /reveals the token|field "token"/,
  'blocks over 50 ms': /held the thread/,
} as const;
export const OTHERS = 'other findings';
export const HARM_NAMES = [...Object.keys(HARMS), OTHERS];

/** Where a proof tries every step, its short form tries every sixth. */
export const strideOf = (effort: Effort): number => ('runs' in effort ? 6 : 1);

/** A claim about the product that random cases try to refute. */
export interface Proof {
  readonly name: string;
  /** Resolves to the findings: the case, the error and how to repeat it. Empty if the claim holds. */
  run(effort: Effort): Promise<string[]>;
}

interface Search {
  name: string;
  /** By title: a claim about the product. */
  properties: Readonly<Record<string, fc.IAsyncProperty<unknown>>>;
  /** Runs of each property before it is the next one's turn, if there is time for more. */
  runsPerRound: number;
}

/**
 * Looks for counterexamples; a refuted property is not tried again. Cases are shrunk if there is time. Each round has
 * its own seed, so that the first round with that seed repeats a finding.
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
          `Repeat it with: npm run prove -- ${name} --seed ${seed}`,
        ].join('\n'),
      );
    }
    if (!isTimeLeft()) break;
  }
  return { found, cases };
}

/** The kind of a finding, from its error message or else from the refuted claim. */
function harmOf(error: unknown, title: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const named = (text: string) => Object.entries(HARMS).find(([, pattern]) => pattern.test(text))?.[0];
  return named(message) ?? (HARMS.tokens.test(title) ? 'tokens' : OTHERS);
}

/** `1,204 kills`. */
export const count = (number: number, what: string) => `${number.toLocaleString('en')} ${what}`;

/** The words of a list, between white space. */
export const split = (words: string): string[] => words.trim().split(/\s+/);
