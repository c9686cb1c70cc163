/** Keeping tokens out of what is shown, logged or stored. */

const HIDDEN = '***';

const ENTITIES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/** A query parameter with a token, in an address that may itself be written within another, or in HTML. */
const IN_ADDRESS = /((?:[?&#;]|%3f|%26)token(?:=|%3d))[^&#\s"'<>]+/i;

/** Kept, for a token is looked for in each text of a long answer; of the last one alone, for patterns are large. */
let last: { token: string; pattern: RegExp } | undefined;

/** Shorter tokens, and shorter parts of them, may stand in a text by chance (UTF-16 units). */
const PART = 8;

/**
 * Takes a token out of a text: each character of it as it is or as addresses, HTML and JSON write it, or the whole as
 * base64.
 */
export function redactToken(said: string, token: string | undefined): string {
  if (!token) return said;
  if (last?.token !== token) {
    const base64s = base64sOf(token).map((one) => one.replaceAll('+', '[-+]').replaceAll('/', '[/_]'));
    last = { token, pattern: new RegExp([Array.from(token, formsOf).join(''), ...base64s].join('|'), 'giu') };
  }
  return said.replace(last.pattern, HIDDEN);
}

/** The same, and parts of the token: for words about a call, which may quote it cut off or masked. */
export function hideTraces(said: string, token: string | undefined): string {
  let hidden = redactToken(said, token);
  for (let start = 0; token && start + PART <= token.length; start++) {
    let end = start + PART;
    if (!hidden.includes(token.slice(start, end))) continue;
    while (end < token.length && hidden.includes(token.slice(start, end + 1))) end++;
    hidden = hidden.replaceAll(token.slice(start, end), HIDDEN);
  }
  return hidden;
}

/**
 * What takes the token out of the parts of an answer, given the text that it was read from. It changes the parts
 * themselves. A token that is so short that it may stand in any word is left: whole answers would be lost with it.
 */
export function tokenRemover(received: string, token = ''): (part: unknown) => unknown {
  const mayHold = token.length >= PART && surePartsOf(token).some((form) => received.includes(form));
  return mayHold ? (part) => hideIn(part, token) : (part) => part;
}

/**
 * One of these is in every text that holds the token. Quick to look for, as an answer may be long: the longest run of
 * letters and digits is written as it is, but for base64.
 */
function surePartsOf(token: string): string[] {
  const [longest = ''] = (token.match(/[a-z\d]+/gi) ?? []).toSorted((one, other) => other.length - one.length);
  const base64s = base64sOf(token).flatMap((one) => [one, one.replaceAll('+', '-').replaceAll('/', '_')]);
  return [...new Set([longest, ...base64s])];
}

function hideIn(value: unknown, token: string): unknown {
  if (typeof value === 'string') return redactToken(value, token);
  if (typeof value !== 'object' || value === null) return value;
  for (const [name, inner] of Object.entries(value)) {
    const shown = redactToken(name, token);
    const hidden = hideIn(inner, token);
    if (shown === name && hidden === inner) continue;
    if (shown !== name) Reflect.deleteProperty(value, name);
    // Not an assignment, which would make a prototype of a field called `__proto__`.
    Object.defineProperty(value, shown, { value: hidden, configurable: true, enumerable: true, writable: true });
  }
  return value;
}

/**
 * What base64 makes of a token for sure, at each of the three places where it can begin within something longer; nothing
 * of a short one.
 */
function base64sOf(token: string): string[] {
  if (token.length < PART) return [];
  const bytes = new TextEncoder().encode(token);
  return [0, 1, 2].map((before) => {
    const whole = btoa(String.fromCharCode(...new Uint8Array(before), ...bytes));
    return whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
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
export function redactTokens(answer: unknown): void {
  if (typeof answer !== 'object' || answer === null) return;
  for (const [name, value] of Object.entries(answer)) {
    if (name === 'token' && value !== '' && value !== null) Object.assign(answer, { token: HIDDEN });
    else if (typeof value === 'string' && IN_ADDRESS.test(value)) {
      Object.assign(answer, { [name]: value.replaceAll(new RegExp(IN_ADDRESS, 'gi'), `$1${HIDDEN}`) });
    } else redactTokens(value);
  }
}
