/** A lost connection, as `fetch` reports it. */
export class ConnectionReset extends TypeError {
  constructor(message: 'fetch failed' | 'terminated') {
    super(message, { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
  }
}

/** A stream of the first half of `bytes`, which then fails with a {@link ConnectionReset}. */
export function halfOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (body) => body.enqueue(bytes.slice(0, bytes.length / 2)),
    pull: (body) => body.error(new ConnectionReset('terminated')),
  });
}

/** A stream of a text and then endless spaces. Fails with the reason of `signal`. */
export function endless(text: string, signal: AbortSignal): ReadableStream<Uint8Array> {
  const spaces = new Uint8Array(16_384).fill(0x20);
  const canceled = new AbortController();
  const ended = AbortSignal.any([signal, canceled.signal]);
  return new ReadableStream({
    start: (body) => body.enqueue(new TextEncoder().encode(text)),
    async pull(body) {
      // A stream that is always ready would starve the timers of its reader.
      await pause(1, ended);
      body.enqueue(spaces);
    },
    cancel: () => canceled.abort(),
  });
}

/** Waits. @throws the reason of `signal` as soon as it aborts */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const cancel = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', cancel);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', cancel, { once: true });
  });
}
