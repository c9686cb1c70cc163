/** Decodes text files as spreadsheets save them. */
import { TimeSlices } from '../service/timeSlices.ts';

export interface DecodedText {
  /** The text without a byte order mark, in pieces: copying a long text blocks the thread. */
  readonly pieces: readonly string[];
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030';
}

/** Decoding this many bytes takes a few milliseconds. */
const CHUNK = 500_000;

/** The text of a file; undefined if it isn't text in a known encoding. Text that isn't UTF-8 is taken for GB18030. */
export async function decodeText(bytes: Uint8Array): Promise<DecodedText | undefined> {
  for (const encoding of encodingsOf(bytes)) {
    const pieces = await decode(bytes, encoding);
    if (pieces?.every((piece) => !piece.includes('\0'))) return { pieces, encoding };
  }
  return undefined;
}

function encodingsOf([first, second]: Uint8Array): readonly DecodedText['encoding'][] {
  if (first === 0xff && second === 0xfe) return ['utf-16le'];
  if (first === 0xfe && second === 0xff) return ['utf-16be'];
  return ['utf-8', 'gb18030'];
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
