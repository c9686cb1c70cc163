/** A token is pasted from where it was kept: a configuration, a command, an address. Pure. */

/** A name that a value is assigned to, and the value. */
const ASSIGNMENT = /^["']?[\w-]*(?:token|authorization)["']?\s{0,9}[:=]\s{0,9}/i;

/** What ends a value in JSON, a shell or code. */
const AROUND = /^["'`“”‘’]{1,3}|["'`“”‘’]{1,3}[;,]?$/g;

/** The token in what was pasted, without the address, the name, `Bearer` and the quotation marks around it. */
export function pastedToken(text: string): string {
  const trimmed = text.trim();
  const inAddress = /[?&]token=([^&#\s"'`]*)/i.exec(trimmed)?.[1];
  if (inAddress !== undefined) return decoded(inAddress);
  return trimmed
    .replace(AROUND, '')
    .replace(ASSIGNMENT, '')
    .replace(AROUND, '')
    .replace(/^bearer\s{1,9}/i, '')
    .trim();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
