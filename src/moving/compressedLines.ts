/** Lines of text in a compressed file (gzip), and in one that isn't. */
import type { FilePiece } from '../platform/fileReader.ts';
import { MoveError } from './moveFile.ts';

/** How much is compressed at once (UTF-16 units). */
const CHUNK = 2 ** 18;

/** Longer lines aren't ours (UTF-16 units). */
const MAX_LINE = 2 ** 26;

/** Compresses lines. Rejects as `lines` does. */
export async function* compress(lines: AsyncGenerator<string, void>): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const encoder = new TextEncoder();
  const chunks = async function* () {
    let chunk = '';
    for await (const line of lines) {
      chunk += `${line}\n`;
      if (chunk.length < CHUNK) continue;
      yield encoder.encode(chunk);
      chunk = '';
    }
    yield encoder.encode(chunk);
  };
  yield* through(chunks(), new CompressionStream('gzip'), (error) => error);
}

/** The lines of a file, without their ends. Rejects as `pieces` does, or with a MoveError for one that can't be unpacked. */
export async function* linesOf(pieces: AsyncGenerator<FilePiece, void>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of unpacked(pieces)) {
    rest += decoder.decode(bytes, { stream: true });
    let start = 0;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', start)) {
      yield rest.slice(start, end).replace(/\r$/, '');
      start = end + 1;
    }
    rest = rest.slice(start);
    if (rest.length > MAX_LINE) throw new MoveError('foreign');
  }
  rest += decoder.decode();
  if (rest) yield rest;
}

async function* unpacked(pieces: AsyncGenerator<FilePiece, void>): AsyncGenerator<Uint8Array, void> {
  const first = await pieces.next();
  if (first.done) return;
  const all = async function* () {
    yield first.value.bytes;
    for await (const { bytes } of pieces) yield bytes;
  };
  const [one, other] = first.value.bytes;
  const isCompressed = one === 0x1f && other === 0x8b;
  try {
    if (isCompressed) yield* through(all(), new DecompressionStream('gzip'), () => new MoveError('damaged'));
    else yield* all();
  } finally {
    // Closes the file, however little of it was wanted.
    await pieces.return();
  }
}

/** Sends bytes through a stream. `errorOf` explains an error of the stream itself. */
async function* through(
  source: AsyncGenerator<Uint8Array<ArrayBuffer>, void>,
  { readable, writable }: CompressionStream | DecompressionStream,
  errorOf: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let failure: { error: unknown } | undefined;
  const writer = writable.getWriter();
  const write = async () => {
    for (;;) {
      const next = await source.next().catch((error) => {
        failure = { error };
      });
      if (!next) return writer.abort(failure?.error);
      if (next.done) return writer.close();
      await writer.write(next.value);
    }
  };
  // The other side fails, too.
  const written = write().catch(() => {});
  const reader = readable.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error) => {
        throw failure ? failure.error : errorOf(error);
      });
      if (done) break;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
    await source.return();
    await written;
  }
}
