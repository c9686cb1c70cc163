/** What is wrong with an address that was given for the service. */
export type AddressProblem = 'empty' | 'notAnAddress' | 'notHttp' | 'hasExtras' | 'insecure';

/**
 * Reads a base address of the service: http or https, with no credentials, query or fragment, and no slash at its end.
 * Where calls will carry a token, plain http is accepted for loopback only, unless the person allows it.
 */
export function readAddress(
  given: string,
  use: { token: boolean; allowPlainHttp?: boolean },
): { url: string } | { problem: AddressProblem } {
  const trimmed = given.trim();
  if (!trimmed) return { problem: 'empty' };
  if (!URL.canParse(trimmed)) return { problem: 'notAnAddress' };
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { problem: 'notHttp' };
  // An empty query or fragment would still swallow the path of every call.
  if (url.username || url.password || /[?#]/.test(url.href)) return { problem: 'hasExtras' };
  const plain = url.protocol === 'http:' && !isLoopback(url.hostname);
  if (plain && use.token && !use.allowPlainHttp) return { problem: 'insecure' };
  return { url: url.href.replace(/\/+$/, '') };
}

/**
 * Just the names that everything on the way takes for this machine: others under `.localhost` may be asked of a name
 * server, and other addresses of 127.0.0.0/8 be sent through a proxy.
 */
function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
