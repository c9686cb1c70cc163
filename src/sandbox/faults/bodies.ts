import { pause } from './pause.ts';

/** The connection was lost: looks like what `fetch` rejects with then. */
export class ConnectionReset extends TypeError {
  constructor(message: 'fetch failed' | 'terminated') {
    super(message, { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
  }
}

/** The first half of some bytes, which then breaks off with a {@link ConnectionReset}. */
export function halfOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (body) => body.enqueue(bytes.slice(0, bytes.length / 2)),
    pull: (body) => body.error(new ConnectionReset('terminated')),
  });
}

/** A text, and blanks after it without end, made as they are read; breaks off with the reason of `signal`. */
export function endless(text: string, signal: AbortSignal): ReadableStream<Uint8Array> {
  const blanks = new Uint8Array(16_384).fill(0x20);
  const unread = new AbortController();
  const stop = AbortSignal.any([signal, unread.signal]);
  return new ReadableStream({
    start: (body) => body.enqueue(new TextEncoder().encode(text)),
    async pull(body) {
      // A body that is always ready would let no timer of its reader run.
      await pause(1, stop);
      body.enqueue(blanks);
    },
    cancel: () => unread.abort(),
  });
}
