/** Cuts the results of tools to a number of tokens. */

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number | PromiseLike<number>;

/**
 * About how many tokens a text has, rather too many. Tokenizers make a token of about four letters of English, three
 * digits, or one Chinese character, which has three bytes.
 */
export const estimateTokens: CountTokens = (text) => Math.ceil(new TextEncoder().encode(text).length / 3);

/** Makes a text of some rows. */
type Render = (rows: readonly string[]) => string;

/**
 * A text of as many of the first `rows` as fit, but at least of the beginning of one. If not even that fits, a text
 * without rows, or else one that says so.
 */
export async function fitToBudget(
  rows: readonly string[],
  render: Render,
  budget: number,
  count: CountTokens,
): Promise<string> {
  const fits = async (some: readonly string[]) => (await count(render(some))) <= budget;
  if (await fits(rows)) return render(rows);
  const shown = await largest(rows.length - 1, (length) => fits(rows.slice(0, length)));
  if (shown > 0) return render(rows.slice(0, shown));
  const [first = ''] = rows;
  const beginning = (length: number) => [`${first.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}…`];
  const length = await largest(first.length - 1, (most) => fits(beginning(most)));
  if (length > 0) return render(beginning(length));
  return (await fits([])) ? render([]) : `A budget of ${budget} tokens is too small for this result.`;
}

/** The largest number from 0 to `max` for which this is true, if it's true for all smaller ones; 0 if for none. */
async function largest(max: number, isTrue: (number: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [0, Math.max(max, 0)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (await isTrue(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
