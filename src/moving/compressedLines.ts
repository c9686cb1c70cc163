/** Lines of text in a file that is compressed (gzip), or isn't. */
import type { FilePiece } from '../platform/fileReader.ts';
import { builtin } from '../platform/node.ts';
import { TimeSlices } from '../service/timeSlices.ts';
import { MAX_LINE, MoveError } from './moveFile.ts';

/** How much is compressed at once (UTF-16 units). */
const CHUNK = 2 ** 18;

const LINE_FEED = 0x0a;

type Pieces = AsyncGenerator<Uint8Array<ArrayBuffer>, void>;

/** Compresses lines. Rejects as `lines` does. */
export async function* compress(lines: AsyncGenerator<string, void>): Pieces {
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

/**
 * The lines of a file, without their ends, in time slices: the reader does little with each. Rejects as `pieces` does, or
 * with a MoveError if the file can't be unpacked, or a line is too long.
 */
export async function* linesOf(pieces: AsyncGenerator<FilePiece, void>): AsyncGenerator<string, void> {
  const slices = new TimeSlices();
  const decoder = new TextDecoder();
  const bytes = new Uint8Array(MAX_LINE);
  let size = 0;
  let number = 1;
  const read = () => {
    const text = decoder.decode(bytes.subarray(0, size));
    return text.endsWith('\r') ? text.slice(0, -1) : text;
  };
  for await (const piece of unpacked(pieces)) {
    for (let start = 0, end = 0; ; start = end + 1) {
      end = piece.indexOf(LINE_FEED, start);
      const part = piece.subarray(start, end < 0 ? piece.length : end);
      if (size + part.length > MAX_LINE) throw new MoveError('largeLine', number);
      bytes.set(part, size);
      size += part.length;
      if (end < 0) break;
      const line = read();
      // The reader may take long with a line, too.
      if (slices.isOver) await slices.pause();
      yield line;
      size = 0;
      number++;
    }
  }
  if (size > 0) yield read();
}

async function* unpacked(pieces: AsyncGenerator<FilePiece, void>): Pieces {
  const first = await pieces.next();
  if (first.done) return;
  const all = async function* () {
    yield first.value.bytes;
    for await (const { bytes } of pieces) yield bytes;
  };
  const [one, other] = first.value.bytes;
  const isCompressed = one === 0x1f && other === 0x8b;
  try {
    yield* isCompressed ? unzipped(all()) : all();
  } finally {
    // The file is closed even if the reader stops early.
    await pieces.return();
  }
}

/** Unpacks a file with Node's streams, which also take several members, as `cat` makes them; those of the web take one. */
async function* unzipped(source: Pieces): Pieces {
  const zlib = builtin('node:zlib') as { createGunzip(): Pieces } | undefined;
  const stream = builtin('node:stream') as
    | { pipeline(from: () => Pieces, to: Pieces, end: () => void): void }
    | undefined;
  if (!zlib || !stream) return yield* through(source, new DecompressionStream('gzip'), () => new MoveError('damaged'));
  let failure: { error: unknown } | undefined;
  const pieces = async function* () {
    try {
      yield* source;
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  const gunzip = zlib.createGunzip();
  stream.pipeline(pieces, gunzip, () => {});
  try {
    for await (const piece of gunzip) yield piece;
  } catch {
    throw failure ? failure.error : new MoveError('damaged');
  }
}

/** Sends bytes through a stream. `errorOf` explains an error of the stream itself. */
async function* through(
  source: Pieces,
  { readable, writable }: CompressionStream | DecompressionStream,
  errorOf: (error: unknown) => unknown,
): Pieces {
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
  // If writing fails, reading does, too, and rejects.
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
