/** Which part of an address a variable is. A value may fill a path, a query or a whole address, but never name a host. */

/** Stands for a variable in a text whose places are found. No text contains it: see `variablePlaces.ts`. */
export const MARK = '\uFFFF';

export type AddressPlace =
  /** A whole address, or all of it up to its path. */
  | 'address'
  /** A part of the path, the query or the fragment: the value stays in it. */
  | 'part'
  /** A part of the scheme, user info, host or port. */
  | 'host'
  /** The text right after the host: a slash before it is missing. */
  | 'afterHost'
  /** A whole address, but the text after it could become a part of the host. */
  | 'continued'
  /** A part of an address that runs code, or of an unknown kind. */
  | 'scheme';

/** A character that could be any: a character reference that isn't known here. */
const UNKNOWN = '\uFFFE';
const REFERENCES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };

const isEncoded = (address: string) => /&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*;)/i.test(address);

/** What each {@link MARK} in an address is. Character references are read as in Markdown and HTML. */
export function addressPlaces(address: string): AddressPlace[] {
  // Browsers ignore these characters.
  const text = (isEncoded(address) ? withoutReferences(address) : address).replace(/^[\0- ]+|[\t\r\n]+/g, '');
  const limits = text.startsWith(MARK) ? wholeLimits(text) : partLimits(text);
  const places: AddressPlace[] = [];
  for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, at + 1))
    places.push(limits.find(({ end }) => at < end)?.place ?? 'part');
  return places;
}

/** Up to which offset variables have which place. */
type Limit = { end: number; place: AddressPlace };

const ALL = Number.POSITIVE_INFINITY;

/** The limits of an address that begins with a variable. */
function wholeLimits(text: string): Limit[] {
  const [run = ''] = /^[^/\\?#]+/.exec(text) ?? [];
  if (/^[a-z\d+.\-\uFFFF]*:$/i.test(run) && /^[/\\]{2}/.test(text.slice(run.length))) return partLimits(text);
  const isContinued = /[^\uFFFF]/.test(run) || text[run.length] === '\\';
  if (isContinued && run[1] === MARK) return [{ end: run.length, place: 'host' }];
  return [
    { end: 1, place: isContinued ? 'continued' : 'address' },
    { end: run.length, place: isContinued ? 'host' : 'afterHost' },
  ];
}

/** The limits of an address that begins with text. */
function partLimits(text: string): Limit[] {
  const [start = '', scheme = ''] = /^([a-z\uFFFF][a-z\d+.\-\uFFFF]*):/i.exec(text) ?? [];
  if (start !== '') {
    const rest = text.slice(start.length);
    const isWeb = /^https?$/i.test(scheme);
    if (!isWeb && scheme.includes(MARK) && !/^[/\\]/.test(rest)) return [{ end: ALL, place: 'host' }];
    if (/^(?:javascript|vbscript|data|blob)$/i.test(scheme)) return [{ end: ALL, place: 'scheme' }];
    if (isWeb || /^[/\\]{2}/.test(rest))
      return [{ end: start.length, place: 'host' }, ...hostLimits(text, start.length)];
    if (/^(?:tel|sms)$/i.test(scheme)) return [];
    if (/^mailto$/i.test(scheme)) return mailLimits(text);
    return [{ end: ALL, place: 'scheme' }];
  }
  // An empty value would leave two slashes, after which a host begins.
  if (/^[/\\][/\\\uFFFF]/.test(text)) return hostLimits(text, 0);
  const unknown = text.indexOf(UNKNOWN);
  const path = text.search(/[?#]|$/);
  return unknown >= 0 && unknown < path ? [{ end: path, place: 'scheme' }] : [];
}

/** The limits of the host after the slashes at an offset. */
function hostLimits(text: string, from: number): Limit[] {
  const slashes = /^[/\\]*/.exec(text.slice(from))?.[0].length ?? 0;
  const start = from + slashes;
  const host = /^[^/\\?#]*/.exec(text.slice(start))?.[0] ?? '';
  const [, fixed = ''] = /^([^\uFFFF]*[\p{L}\p{N}\]])\uFFFF+$/u.exec(host) ?? [];
  const isWhole = fixed !== '' && !/:\d+$/.test(fixed) && slashes !== 1;
  return [{ end: start + host.length, place: isWhole ? 'afterHost' : 'host' }];
}

function mailLimits(text: string): Limit[] {
  const at = text.indexOf('@');
  const query = text.search(/\?|$/);
  return at >= 0 && at < query
    ? [
        { end: at, place: 'part' },
        { end: query, place: 'host' },
      ]
    : [];
}

const withoutReferences = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{0,30}));?/gi, (_, decimal, hex, name) => {
    if (name) return REFERENCES[name] ?? UNKNOWN;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code < 0xfffe ? String.fromCharCode(code) : UNKNOWN;
  });
