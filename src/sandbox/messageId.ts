/**
 * The position of a message: the number of its chat, and its index in the chat, 0 being the oldest. `run` identifies the
 * sandbox instance that a message was sent to, and is 0 for initial messages.
 */
export interface MessagePosition {
  readonly chat: number;
  readonly index: number;
  readonly run: number;
}

type Words = [number, number, number, number];

// Pads an ID. An ID that doesn't decode to the last word was never issued.
const padding = [0x626f7463, 0x68617473] as const;
const rounds = 4;

const rotate = (word: number, by: number) => (word << by) | (word >>> (32 - by));

// The ChaCha quarter round, which is reversible.
function scatter([a, b, c, d]: Words): Words {
  a = (a + b) | 0;
  d = rotate(d ^ a, 16);
  c = (c + d) | 0;
  b = rotate(b ^ c, 12);
  a = (a + b) | 0;
  d = rotate(d ^ a, 8);
  c = (c + d) | 0;
  b = rotate(b ^ c, 7);
  return [a, b, c, d];
}

function gather([a, b, c, d]: Words): Words {
  b = rotate(b, 25) ^ c;
  c = (c - d) | 0;
  d = rotate(d, 24) ^ a;
  a = (a - b) | 0;
  b = rotate(b, 20) ^ c;
  c = (c - d) | 0;
  d = rotate(d, 16) ^ a;
  a = (a - b) | 0;
  return [a, b, c, d];
}

/** The msgId (contract 2.6) of a position: 32 hex digits that encode it, so that no table of IDs is needed. */
export function messageId({ chat, index, run }: MessagePosition): string {
  let words: Words = [chat, index, padding[0] ^ run, padding[1]];
  for (let round = 0; round < rounds; round++) words = scatter(words);
  return words.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** The position that a message ID encodes, or undefined if it's invalid. */
export function positionOf(id: string): MessagePosition | undefined {
  if (!/^[0-9a-f]{32}$/.test(id)) return undefined;
  const word = (at: number) => Number.parseInt(id.slice(at, at + 8), 16) | 0;
  let words: Words = [word(0), word(8), word(16), word(24)];
  for (let round = 0; round < rounds; round++) words = gather(words);
  const [chat, index, paddedRun, last] = words;
  return last === padding[1]
    ? { chat: chat >>> 0, index: index >>> 0, run: (paddedRun ^ padding[0]) >>> 0 }
    : undefined;
}
