/**
 * The file that moves the outbox and the archive: compressed lines, so that a chat of any length takes little memory, and any
 * unpacker shows what is in it. The first line names the format. Each of the others says what it is, followed by JSON with a
 * checksum: that of `MARKS`. A delivery is `stored` once all of its lines were there, and a chat when it has `ended`. What
 * is read is untrusted input.
 */
import * as v from 'valibot';
import type { ArchivePart } from '../chats/contract.ts';
import type { MovedDelivery } from '../deliveries/contract.ts';
import { isTime } from '../markup/days.ts';
import { addChecksum, verifyChecksum } from '../platform/checkedLines.ts';
import { BotChat } from '../protocol/botChat.ts';
import { hasMoreValues } from '../service/json.ts';
import { MAXIMUM } from '../service/operations.ts';

/**
 * Why a file can't be imported: it's something else, from a newer version, or not as it was written, such as cut off; or a
 * line or a delivery is larger than any that is written.
 */
type MoveProblem = 'foreign' | 'newer' | 'damaged' | 'largeLine' | 'largeDelivery';

export class MoveError extends Error {
  override readonly name = 'MoveError';
  readonly problem: MoveProblem;
  /** The number of the line that is to blame, from 1, if there is one. */
  readonly line: number | undefined;

  constructor(problem: MoveProblem, line?: number) {
    super(`moved file: ${problem}${line === undefined ? '' : `, line ${line}`}`);
    this.problem = problem;
    this.line = line;
  }
}

/**
 * The size of a line at most (bytes). A page of a chat may have two messages of 700,000 characters, the most in a response,
 * whose JSON is serialized once more. It's parsed within 50 ms.
 */
export const MAX_LINE = 6 * 2 ** 20;

/**
 * How much memory a delivery takes at most (bytes). Messages of their own to 100,000 people, from the largest file of
 * recipients, take 100 million, their claims and results 55 million, and what is known of their chats 35 million.
 */
export const MAX_DELIVERY = 200_000_000;

/** What a line takes beside its characters (bytes): two strings, and their places in lists that grow. */
const LINE_OVERHEAD = 140;

const VERSION = 1;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** A time that can be shown, in Unix milliseconds. */
const time = v.pipe(
  v.number(),
  v.safeInteger(),
  v.check((ms) => isTime(ms)),
);

const MARKS = {
  /** What is in the file, made at a time (Unix ms). */
  made: v.object({ at: time, deliveries: count, chats: count, messages: count }),
  stored: v.object({
    id: v.string(),
    lines: count,
    claims: count,
    journal: count,
    replies: count,
    due: v.optional(time),
  }),
  chat: v.object({
    botChat: BotChat,
    since: v.optional(time),
    checkedAt: v.optional(time),
    name: v.string(),
    botName: v.string(),
  }),
  page: v.object({
    jsons: v.array(v.string()),
    isFirst: v.optional(v.boolean()),
    isApart: v.optional(v.boolean()),
  }),
  ended: v.object({ pages: count }),
  end: v.object({ deliveries: count, chats: count }),
} as const;

type Mark = keyof typeof MARKS;
type Marked<M extends Mark> = v.InferOutput<(typeof MARKS)[M]>;

/** What is in a file, in order. */
export type MovedPart =
  | ({ what: 'made' } & Marked<'made'>)
  | { what: 'delivery'; delivery: MovedDelivery }
  /** A part of the archive. `line` is the number of its line in a file that is read. */
  | (ArchivePart & { line?: number });

/** The lines of a file. */
export async function* writeMoved(parts: AsyncIterable<MovedPart>): AsyncGenerator<string, void> {
  const total = { deliveries: 0, chats: 0 };
  let pages = 0;
  yield `bot-chats ${VERSION}`;
  for await (const part of parts) {
    switch (part.what) {
      case 'made': {
        const { what, ...made } = part;
        yield await mark(what, made);
        break;
      }
      case 'delivery':
        total.deliveries++;
        yield* deliveryLines(part.delivery);
        break;
      case 'chat':
        total.chats++;
        pages = 0;
        yield await mark('chat', part.chat);
        break;
      case 'page':
        pages++;
        yield await mark('page', { ...part.page, jsons: [...part.page.jsons] });
        break;
      case 'ended':
        yield await mark('ended', { pages });
    }
  }
  yield await mark('end', total);
}

async function* deliveryLines({
  id,
  lines,
  claims,
  journal,
  replies,
  due,
}: MovedDelivery): AsyncGenerator<string, void> {
  // The lines of a delivery have checksums of their own.
  for (const line of lines) yield `delivery ${line}`;
  for (const line of claims) yield `claim ${line}`;
  for (const line of journal) yield `journal ${line}`;
  for (const line of replies) yield `reply ${line}`;
  yield await mark('stored', {
    id,
    lines: lines.length,
    claims: claims.length,
    journal: journal.length,
    replies: replies.length,
    ...(due !== undefined && { due }),
  });
}

const mark = async <M extends Mark>(what: M, value: v.InferInput<(typeof MARKS)[M]>) =>
  `${what} ${await addChecksum(value)}`;

/** Whether a line is the first one of such a file, of whatever version. */
export const isMoved = (line: string) => /^bot-chats \d+$/.test(line);

/** What is in a file, by its lines: first when it was made, and each delivery as a whole. @throws MoveError */
export async function* readMoved(lines: AsyncIterable<string>): AsyncGenerator<MovedPart, void> {
  const total = { deliveries: 0, chats: 0 };
  let pages: number | undefined;
  let parts = noParts();
  let size = 0;
  let number = 0;
  const damaged = () => new MoveError('damaged', number);
  const read = async <M extends Mark>(what: M, rest: string): Promise<Marked<M>> => {
    const value = await verifyChecksum(rest, MARKS[what] as v.GenericSchema<unknown, Marked<M>>);
    if (value === undefined) throw damaged();
    return value;
  };
  for await (const line of lines) {
    const space = line.indexOf(' ');
    const [what, rest] = [line.slice(0, space), line.slice(space + 1)];
    number++;
    if (number === 1) {
      if (!isMoved(line)) throw new MoveError('foreign');
      if (Number(rest) !== VERSION) throw new MoveError('newer');
      continue;
    }
    if ((what === 'made') !== (number === 2)) throw damaged();
    if (await hasMoreValues(rest, MAXIMUM.values)) throw new MoveError('largeLine', number);
    if (isPart(what)) {
      size += sizeOf(line);
      if (size > MAX_DELIVERY) throw new MoveError('largeDelivery', number);
      parts[what].push(rest);
    } else if (what === 'stored') {
      const { id, due, ...counts } = await read(what, rest);
      const { delivery: lines, claim: claims, journal, reply: replies } = parts;
      const isWhole =
        counts.lines === lines.length &&
        counts.claims === claims.length &&
        counts.journal === journal.length &&
        counts.replies === replies.length;
      if (!isWhole || pages !== undefined) throw damaged();
      total.deliveries++;
      yield { what: 'delivery', delivery: { id, lines, claims, journal, replies, due } };
      [parts, size] = [noParts(), 0];
    } else if (size > 0) throw damaged();
    else if (what === 'made') yield { what, ...(await read(what, rest)) };
    else if (what === 'chat' && pages === undefined) {
      total.chats++;
      pages = 0;
      yield { what, chat: await read(what, rest), line: number };
    } else if (what === 'page' && pages !== undefined) {
      pages++;
      yield { what, page: await read(what, rest), line: number };
    } else if (what === 'ended' && pages === (await read('ended', rest)).pages) {
      pages = undefined;
      yield { what: 'ended' };
    } else if (what === 'end') {
      const end = await read(what, rest);
      const isWhole = end.deliveries === total.deliveries && end.chats === total.chats && pages === undefined;
      if (!isWhole) throw damaged();
      return;
    } else throw damaged();
  }
  throw new MoveError(number === 0 ? 'foreign' : 'damaged');
}

/** The lines of a delivery that were read, by their marks. */
const noParts = () => ({
  delivery: [] as string[],
  claim: [] as string[],
  journal: [] as string[],
  reply: [] as string[],
});

const isPart = (what: string): what is keyof ReturnType<typeof noParts> =>
  ['delivery', 'claim', 'journal', 'reply'].includes(what);

/** The memory that a line takes (bytes). */
const sizeOf = (line: string) => LINE_OVERHEAD + line.length * (/[^\p{ASCII}]/u.test(line) ? 2 : 1);
