/**
 * The variables in Markdown. In code, text that looks like a variable stays as it is: documents about templates are full of
 * them, and no escape works there. A backslash before them lets what is stored be rendered without a Markdown parser.
 */
import type { Outgoing } from '../service/message.ts';
import { proseIn } from './markdownCode.ts';
import { mapTexts } from './messageTemplate.ts';
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

/** A message as a draft says it: the opposite of what {@link escapeCode} and `MessageTemplate.render` make of one. */
export function writtenMessage(message: Outgoing, isTemplate: boolean): Outgoing {
  return mapTexts(message, (text, format) => {
    if (isTemplate) return format === 'markdown' ? unescapeCode(text) : text;
    return format === 'markdown' ? escapeProse(text) : escapeVariables(text);
  });
}

/** A template as it would be sent, except that its variables stay as they are written: for nobody in particular. */
export const unfilledMessage = (message: Outgoing): Outgoing =>
  mapTexts(message, (text) =>
    withoutBackslashes(
      text,
      findVariables(text).filter(({ isEscaped }) => isEscaped),
    ),
  );

const unescapeCode = (text: string) =>
  withoutBackslashes(
    text,
    markdownVariables(text).filter(({ isCode, isEscaped }) => isCode && isEscaped),
  );

function withoutBackslashes(text: string, escaped: readonly Variable[]): string {
  let written = '';
  let from = 0;
  for (const { start } of escaped) {
    written += text.slice(from, start);
    from = start + 1;
  }
  return written + text.slice(from);
}

function escapeThose(text: string, variables: readonly Variable[]): string {
  let escaped = '';
  let from = 0;
  for (const { start } of variables) {
    escaped += `${text.slice(from, start)}\\`;
    from = start;
  }
  return escaped + text.slice(from);
}
