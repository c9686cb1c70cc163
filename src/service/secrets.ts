/** Keeping tokens out of what is shown, logged or stored. */

const HIDDEN = '***';

const ENTITIES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/** A query parameter with a token, in an address that may itself be written within another, or in HTML. */
const IN_ADDRESS = /((?:[?&#;]|%3f|%26)token(?:=|%3d))[^&#\s"'<>]+/i;

/** Kept, for a token is looked for in each text of a long answer; of the last one alone, for patterns are large. */
let last: { token: string; pattern: RegExp } | undefined;

/** Takes a token out of a text, each character of it as it is or as addresses, HTML and JSON write it. */
export function hideToken(said: string, token: string | undefined): string {
  if (!token) return said;
  if (last?.token !== token) last = { token, pattern: new RegExp(Array.from(token, formsOf).join(''), 'giu') };
  return said.replace(last.pattern, HIDDEN);
}

function formsOf(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const hex = (unit: number, length: number) => unit.toString(16).padStart(length, '0');
  const bytes = Array.from(new TextEncoder().encode(character), (byte) => `%(?:25)*${hex(byte, 2)}`);
  const units = Array.from({ length: character.length }, (_, at) => `\\\\u${hex(character.charCodeAt(at), 4)}`);
  const forms = [
    `\\\\?\\u{${hex(point, 1)}}`,
    bytes.join(''),
    units.join(''),
    `&#0*${point};`,
    `&#x0*${hex(point, 1)};`,
  ];
  if (character === ' ') forms.push('\\+', '%(?:25)*2b');
  if (ENTITIES[character]) forms.push(`&${ENTITIES[character]};`);
  return `(?:${forms.join('|')})`;
}

/**
 * Hides, in the answer of a lookup, the value of every field `token` and of every query parameter of that name. The
 * contract (2.3) shows both empty; a service that fills them must not have its tokens shown or stored. Changes the
 * answer itself: a copy of each would be the dearest part of a lookup.
 */
export function hideTokens(answer: unknown): void {
  if (typeof answer !== 'object' || answer === null) return;
  for (const [name, value] of Object.entries(answer)) {
    if (name === 'token' && value !== '' && value !== null) Object.assign(answer, { token: HIDDEN });
    else if (typeof value === 'string' && IN_ADDRESS.test(value)) {
      Object.assign(answer, { [name]: value.replaceAll(new RegExp(IN_ADDRESS, 'gi'), `$1${HIDDEN}`) });
    } else hideTokens(value);
  }
}
