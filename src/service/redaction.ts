/** Keeps tokens out of what is shown, logged or stored. */

const REDACTED = '***';

const ENTITIES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/** A query parameter `token` in a URL, which may itself be embedded in another URL or in HTML. */
const TOKEN_PARAMETER = /((?:[?&#;]|%3f|%26)token(?:=|%3d))[^&#\s"'<>]+/i;

/** Shorter tokens and fragments may occur in a text by chance (UTF-16 units). */
const MIN_LENGTH = 8;

/** Redacts a token in a text, in plain, URL-encoded, HTML, JSON or base64 form. */
export function redactToken(text: string, token: string | undefined): string {
  return createTextRedactor(token)(text);
}

/** {@link redactToken} for many texts: the pattern is built once. */
export function createTextRedactor(token: string | undefined): (text: string) => string {
  if (!token) return (text) => text;
  const base64s = base64sOf(token).map((base64) => base64.replaceAll('+', '[-+]').replaceAll('/', '[/_]'));
  const pattern = new RegExp([Array.from(token, formsOf).join(''), ...base64s].join('|'), 'giu');
  return (text) => text.replace(pattern, REDACTED);
}

/** Redacts a token and fragments of it: an error message may quote it truncated or masked. */
export function redactFragments(text: string, token: string | undefined): string {
  let redacted = redactToken(text, token);
  for (let start = 0; token && start + MIN_LENGTH <= token.length; start++) {
    let end = start + MIN_LENGTH;
    if (!redacted.includes(token.slice(start, end))) continue;
    while (end < token.length && redacted.includes(token.slice(start, end + 1))) end++;
    redacted = redacted.replaceAll(token.slice(start, end), REDACTED);
  }
  return redacted;
}

/**
 * Returns a function that redacts the token in elements of a response, in place. `body` is the text they were parsed
 * from. A token that is too short is ignored: it could match anything.
 */
export function createTokenRedactor(body: string, token = ''): (element: unknown) => unknown {
  const mayContain = token.length >= MIN_LENGTH && indicatorsOf(token).some((form) => body.includes(form));
  if (!mayContain) return (element) => element;
  const redact = createTextRedactor(token);
  return (element) => redactIn(element, redact);
}

/**
 * A text that contains the token contains one of these, which are fast to search for: the longest alphanumeric run,
 * which only base64 changes, and the base64 forms.
 */
function indicatorsOf(token: string): string[] {
  const [longest = ''] = (token.match(/[a-z\d]+/gi) ?? []).toSorted((a, b) => b.length - a.length);
  const base64s = base64sOf(token).flatMap((base64) => [base64, base64.replaceAll('+', '-').replaceAll('/', '_')]);
  return [...new Set([longest, ...base64s])];
}

function redactIn(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  for (const [name, child] of Object.entries(value)) {
    const redactedName = redact(name);
    const redactedChild = redactIn(child, redact);
    if (redactedName === name && redactedChild === child) continue;
    if (redactedName !== name) Reflect.deleteProperty(value, name);
    // Unlike an assignment, doesn't set the prototype if the field is named `__proto__`.
    Object.defineProperty(value, redactedName, {
      value: redactedChild,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
  return value;
}

/** The base64 characters that depend only on the token, for each of its three possible alignments in a longer text. */
function base64sOf(token: string): string[] {
  if (token.length < MIN_LENGTH) return [];
  const bytes = new TextEncoder().encode(token);
  return [0, 1, 2].map((offset) => {
    const base64 = btoa(String.fromCharCode(...new Uint8Array(offset), ...bytes));
    return base64.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
}

/** A pattern for a character, as it is and as URLs, HTML and JSON escape it. */
function formsOf(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  const hex = (unit: number, length: number) => unit.toString(16).padStart(length, '0');
  const bytes = Array.from(new TextEncoder().encode(character), (byte) => `%(?:25)*${hex(byte, 2)}`);
  const units = Array.from({ length: character.length }, (_, at) => `\\\\u${hex(character.charCodeAt(at), 4)}`);
  const forms = [
    `\\\\?\\u{${hex(codePoint, 1)}}`,
    bytes.join(''),
    units.join(''),
    `&#0*${codePoint};`,
    `&#x0*${hex(codePoint, 1)};`,
  ];
  if (character === ' ') forms.push('\\+', '%(?:25)*2b');
  if (ENTITIES[character]) forms.push(`&${ENTITIES[character]};`);
  return `(?:${forms.join('|')})`;
}

/**
 * Redacts every `token` field and query parameter in a lookup response, in place: a copy would dominate the cost of a
 * lookup. The contract (2.3) shows both empty, but if a service fills them, they must not be shown or stored.
 */
export function redactTokenFields(data: unknown): void {
  if (typeof data !== 'object' || data === null) return;
  for (const [name, value] of Object.entries(data)) {
    if (name === 'token' && value !== '' && value !== null) Object.assign(data, { token: REDACTED });
    else if (typeof value === 'string' && TOKEN_PARAMETER.test(value)) {
      Object.assign(data, { [name]: value.replaceAll(new RegExp(TOKEN_PARAMETER, 'gi'), `$1${REDACTED}`) });
    } else redactTokenFields(value);
  }
}
