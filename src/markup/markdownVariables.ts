/** The variables in Markdown. In code, what looks like one stays as it is. */
import { proseIn } from './markdownCode.ts';
import { findVariables, type Variable } from './template.ts';

/** The variables in a Markdown text, in order. */
export function markdownVariables(text: string): (Variable & { readonly isCode: boolean })[] {
  const variables = findVariables(text);
  const prose = variables.length > 0 ? proseIn(text, '{{') : [];
  let at = 0;
  return variables.map((one) => {
    while ((prose[at]?.end ?? Number.POSITIVE_INFINITY) <= one.start) at++;
    return { ...one, isCode: one.start < (prose[at]?.start ?? Number.POSITIVE_INFINITY) };
  });
}

/** A template in which the code stays as it is. `found` are its variables. */
export const escapeCode = (text: string, found = markdownVariables(text)) =>
  escapeThose(
    text,
    found.filter(({ isCode }) => isCode),
  );

/** A text as a draft that says the same: nothing in it is a variable. */
export const escapeProse = (text: string) =>
  escapeThose(
    text,
    markdownVariables(text).filter(({ isCode }) => !isCode),
  );

/** Like {@link escapeProse}, for text that isn't Markdown. */
export const escapeVariables = (text: string) => escapeThose(text, findVariables(text));

function escapeThose(text: string, variables: readonly Variable[]): string {
  let escaped = '';
  let from = 0;
  for (const { start } of variables) {
    escaped += `${text.slice(from, start)}\\`;
    from = start;
  }
  return escaped + text.slice(from);
}
