/** Finds tokens in what people paste: in addresses, JSON, code, shells and sentences. Pure. */

/** The name that a token is assigned to: in code and shells with a word before it, in a label with words. */
const ASSIGNMENT =
  /^\{?\s{0,9}(?:\$env:)?["'“]?[\p{L}\p{N} _-]{0,40}(?:token|authorization|令牌)["'”]?\s{0,9}[:=：＝]\s{0,9}/iu;

const BEARER = /^bearer\s{1,9}/i;

/** A JSON Web Token. */
const JWT = /^ey[\w-]+\.[\w-]+\.[\w-]*$/;

/** A name with a value, between other words, or a parameter of an address. */
const INSIDE =
  /(?:token|authorization|令牌)["'”]?\s{0,9}[:=：＝]\s{0,9}["'“]?[^\s"'“”,，;；&}]|(?<!\w)bearer\s{1,9}\S|(?<![\w.-])ey[\w-]{10,}\.[\w-]+\.\w/iu;

/** A parameter of an address, or of a query on its own. */
const PARAMETER = /(?:[?&]|^(?=[^\s"'`&]*&))token=([^&#\s"'`]*)/i;

/** A name and its value, whatever is before and after them. */
const NAMED =
  /(?:token|authorization|令牌)["'”]?\s{0,9}(?::=|=>|[:=：＝])\s{0,9}["'`“‘]{0,3}(?:bearer\s{1,9})?([^\s"'`“”‘’]*)/iu;

/** The signs that end a value in JSON, a shell or code. */
const AROUND = /^["'`“”‘’]{1,3}|["'`“”‘’]{1,3}\s{0,9}[;,}]?$/g;

/** Invisible characters, which can't be meant: they come along from web pages and chats, whose mentions end with U+200B. */
const INVISIBLE = /[\p{Cf}\p{DI}\u2800]|(?!\s)\p{Cc}/gu;

const withoutInvisible = (text: string) => text.replace(INVISIBLE, '').trim();

/** The token in what was pasted, without invisible characters, and the address, the name, `Bearer` and quotation marks around it. */
export function pastedToken(text: string): string {
  const trimmed = withoutInvisible(text);
  const parameter = PARAMETER.exec(trimmed)?.[1];
  if (parameter !== undefined) return decoded(parameter);
  return NAMED.exec(trimmed)?.[1] ?? trimmed.replace(AROUND, '').replace(BEARER, '').trim();
}

/** Whether a text is a token, as its form or its name says. */
export function isToken(text: string): boolean {
  const trimmed = withoutInvisible(text);
  return [JWT, ASSIGNMENT, BEARER].some((form) => form.test(trimmed));
}

/** Whether a token is in a text, as its form or its name says. */
export const mentionsToken = (text: string) => INSIDE.test(withoutInvisible(text));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
