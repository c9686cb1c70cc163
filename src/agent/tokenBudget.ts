/**
 * Cuts the results of tools to a number of tokens. They're estimated if VS Code doesn't count them: a tokenizer is larger than
 * the whole extension.
 */
import { shorten } from '../service/truncate.ts';

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number | PromiseLike<number>;

/** About how many tokens a text has. Tokenizers make one of three or four letters, or of a Chinese character (3 bytes). */
export const estimateTokens: CountTokens = (text) => Math.ceil(new TextEncoder().encode(text).length / 3);

/** A row is shown cut off if at least this much of it fits (UTF-16 units). */
const MIN_LENGTH = 80;

/** Makes a text of some rows. If `isCut`, there's only one, of which the end is missing. */
type Render = (rows: readonly string[], isCut: boolean) => string;

/**
 * A text of as many of the first `rows` as fit, or of the beginning of the first one. If that doesn't fit either, a text
 * that says so: one without rows would offer the same rows again.
 */
export async function fitToBudget(
  rows: readonly string[],
  render: Render,
  budget: number,
  count: CountTokens,
): Promise<string> {
  const fits = async (text: string) => (await count(text)) <= budget;
  const withFirst = (length: number) => render(rows.slice(0, length), false);
  if (await fits(withFirst(rows.length))) return withFirst(rows.length);
  const shown = await largest(0, rows.length - 1, (length) => fits(withFirst(length)));
  if (shown > 0) return withFirst(shown);
  const [first = ''] = rows;
  const cut = (length: number) => render([shorten(first, length)], true);
  if (first.length > MIN_LENGTH && (await fits(cut(MIN_LENGTH))))
    return cut(await largest(MIN_LENGTH, first.length - 1, (length) => fits(cut(length))));
  return `A budget of ${budget} tokens is too small for this result. Call the tool again with more.`;
}

/** The largest number up to `high` for which this is true, if it's true for all smaller ones; `low` if for none. */
async function largest(low: number, high: number, isTrue: (number: number) => Promise<boolean>): Promise<number> {
  let [least, most] = [low, Math.max(low, high)];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (await isTrue(middle)) least = middle;
    else most = middle - 1;
  }
  return least;
}
