/** Decodes text files as spreadsheets save them. */
import { TimeSlices } from '../service/timeSlices.ts';

export interface DecodedText {
  /** Without a byte order mark, and in pieces: copying a long text blocks the thread. */
  readonly pieces: readonly string[];
  readonly encoding: 'utf-8' | 'utf-16le' | 'gb18030';
}

/** Decoding this many bytes takes a few milliseconds. */
const CHUNK = 500_000;

/** The text of a file; undefined if it isn't text in a known encoding. GB18030 is what isn't UTF-8. */
export async function decodeText(bytes: Uint8Array): Promise<DecodedText | undefined> {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  for (const encoding of isUtf16 ? (['utf-16le'] as const) : (['utf-8', 'gb18030'] as const)) {
    const pieces = await decode(bytes, encoding);
    if (pieces?.every((piece) => !piece.includes('\0'))) return { pieces, encoding };
  }
  return undefined;
}

async function decode(bytes: Uint8Array, encoding: string): Promise<string[] | undefined> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const slices = new TimeSlices();
  const pieces: string[] = [];
  try {
    for (let at = 0; at < bytes.length; at += CHUNK) {
      pieces.push(decoder.decode(bytes.subarray(at, at + CHUNK), { stream: true }));
      if (slices.isOver) await slices.pause();
    }
    pieces.push(decoder.decode());
  } catch {
    return undefined;
  }
  return pieces.filter(Boolean);
}
