/** Why a service address was rejected. */
export type AddressProblem = 'empty' | 'notAnAddress' | 'notHttp' | 'hasExtras' | 'insecure';

/** White space, and what can't be seen: it comes along from web pages and chats, and would belong to the path. */
const AROUND = /^[\p{C}\p{Z}\p{DI}\u2800]+|(?<![\p{C}\p{Z}\p{DI}\u2800])[\p{C}\p{Z}\p{DI}\u2800]+$/gu;

/**
 * Validates a base address of the service and removes its trailing slashes: http or https, without credentials, query
 * or fragment. If requests carry a token, plain http is accepted only for loopback, unless the user allows it.
 */
export function readAddress(
  input: string,
  use: { token: boolean; allowPlainHttp?: boolean },
): { url: string } | { problem: AddressProblem } {
  const trimmed = input.replace(AROUND, '');
  if (!trimmed) return { problem: 'empty' };
  const url = parseUrl(trimmed);
  if (!url) return { problem: 'notAnAddress' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { problem: 'notHttp' };
  // An appended path would end up in the query or fragment, even an empty one.
  if (url.username || url.password || /[?#]/.test(url.href)) return { problem: 'hasExtras' };
  const isPlain = url.protocol === 'http:' && !isLoopback(url.hostname);
  if (isPlain && use.token && !use.allowPlainHttp) return { problem: 'insecure' };
  return { url: url.href.replace(/(?<!\/)\/+$/, '') };
}

/**
 * Only names that always mean this machine: other `.localhost` names may be resolved by DNS, and other addresses in
 * 127.0.0.0/8 may go through a proxy.
 */
function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/**
 * An absolute URL; undefined for any other text. Not by `URL.canParse`: the Node of VS Code 1.105 refuses hosts such as
 * bücher.example there, once it has been called often.
 */
export const parseUrl = (text: string): URL | undefined => URL.parse(text) ?? undefined;
