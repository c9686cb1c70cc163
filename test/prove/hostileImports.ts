/** Hostile files to import: each is taken over or refused within little memory, in slices, and the file is said to be to blame. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import fc from 'fast-check';
import { addChecksum } from '../../src/platform/checkedLines.ts';
import { temporaryFolder } from '../host/temporary.ts';
import { CHAT, messageOf } from '../unit/chats/archive/archives.ts';
import { MAX_BLOCK } from './blocks.ts';
import type { ImportReport } from './hostileImports.process.ts';
import { count, type Effort, type Proof, search, strideOf } from './proof.ts';

const SCRIPT = fileURLToPath(import.meta.resolve('./hostileImports.process.ts'));
const MIB = 2 ** 20;

/** The heap of the process, beyond which it crashes (MiB). */
const MAX_HEAP = 256;

const START = ['bot-chats 1', `made ${await addChecksum({ at: 1, deliveries: 1, chats: 1, messages: 1 })}`];
const CHAT_LINE = `chat ${await addChecksum({ botChat: CHAT, name: 'The shop', botName: 'Order Desk' })}`;
const page = async (...jsons: string[]) => `page ${await addChecksum({ jsons })}`;
const message = (text: string) => JSON.stringify(messageOf('m1', text));
const deep = (levels: number) => message('').replace('{', `{"odd":${'['.repeat(levels)}${']'.repeat(levels)},`);

/** A text of so many bytes, piece by piece. */
function* repeated(text: string, size: number): Generator<string> {
  const piece = text.repeat(Math.max(1, Math.floor(MIB / text.length)));
  for (let left = size; left > 0; left -= piece.length) yield piece;
}
function* lines(...all: string[]): Generator<string> {
  for (const line of all) yield `${line}\n`;
}
function* after(first: readonly string[], rest: Iterable<string>): Generator<string> {
  yield* lines(...first);
  yield* rest;
}

interface HostileImport {
  text(): Promise<Iterable<string>>;
  /** What is said of it. */
  readonly said: RegExp;
}

/** What is in each. */
const IMPORTS: Record<string, HostileImport> = {
  'very many empty claims': {
    text: async () => after(START, repeated('claim \n', 200 * MIB)),
    said: /a delivery takes more than/,
  },
  'very many results': {
    text: async () => after(START, repeated(`journal ${'x'.repeat(100)}\n`, 300 * MIB)),
    said: /a delivery takes more than/,
  },
  'long lines of recipients': {
    text: async () => after(START, repeated(`delivery ${'"'.repeat(5 * MIB)}\n`, 300 * MIB)),
    said: /a delivery takes more than/,
  },
  'replies in Chinese': {
    text: async () => after(START, repeated(`reply ${'x'.repeat(500)}张\n`, 300 * MIB)),
    said: /a delivery takes more than/,
  },
  'a first line without an end': { text: async () => repeated('x', 300 * MIB), said: /\(line 1\).*more than 6 MB/ },
  'a line without an end': {
    text: async () => after([...START, CHAT_LINE], repeated('page x', 300 * MIB)),
    said: /\(line 4\).*more than 6 MB/,
  },
  'a page of many texts': {
    text: async () => lines(...START, CHAT_LINE, `page ${'0'.repeat(16)} {"jsons":[${'"",'.repeat(MIB)}""]}`),
    said: /\(line 4\).*60,000 values/,
  },
  'a page nested deep': {
    text: async () => lines(...START, CHAT_LINE, await page(deep(200_000))),
    said: /\(line 4\) is damaged/,
  },
  'a page with a message twice': {
    text: async () => lines(...START, CHAT_LINE, await page(message('a'), message('b'))),
    said: /\(line 4\) is damaged/,
  },
  'a page of large messages': {
    text: async () =>
      lines(
        ...START,
        CHAT_LINE,
        await page(...['m1', 'm2'].map((id) => message('"'.repeat(690_000)).replace('m1', id))),
      ),
    // It ends there.
    said: /gz is damaged or incomplete.* 2 messages of 1 archived chat/,
  },
  'empty lines': { text: async () => repeated('\n', 300 * MIB), said: /has no messages/ },
  'a message before empty lines': {
    text: async () => after([message('first')], repeated('\n', 200 * MIB)),
    said: /^Imported 1 message from/,
  },
  'lines that are no messages': {
    text: async () => after([message('first')], repeated('{"odd":[{}]}\n', 100 * MIB)),
    said: /Lines that aren't messages/,
  },
  'messages of 5 MB': {
    text: async () =>
      lines(
        message('first'),
        ...['\\"', 'x', '张', '\\u0001'].map((text) =>
          message('').replace('"text":"', `"text":"${text.repeat((5 * MIB) / Buffer.byteLength(text))}`),
        ),
      ),
    said: /Lines that aren't messages: 2, 3, 4, 5/,
  },
  'messages of many values': {
    text: async () =>
      lines(message('first'), message('').replace('{', `{"odd":[${'[],'.repeat(MIB)}1],`), deep(200_000)),
    said: /Lines that aren't messages: 2, 3\./,
  },
  'a message before a line without an end': {
    text: async () => after([message('first')], repeated('x', 300 * MIB)),
    said: /\(line 2\).*more than 6 MB/,
  },
};

async function run(effort: Effort): Promise<string[]> {
  const folder = await temporaryFolder('imports');
  const measured = { longest: 0, memory: 0 };
  const imported = async ({ text, said }: HostileImport) => {
    const file = join(folder, `file-${randomUUID()}.gz`);
    await pipeline(Readable.from(await text()), createGzip({ level: 1 }), createWriteStream(file));
    const args = ['--no-warnings', `--max-old-space-size=${MAX_HEAP}`, SCRIPT, file];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    await rm(file);
    const report: ImportReport = JSON.parse(stdout);
    measured.longest = Math.max(measured.longest, report.longest);
    measured.memory = Math.max(measured.memory, report.memory);
    assert.match(report.said, said);
    assert.ok(report.longest <= MAX_BLOCK, `it held the thread for ${Math.round(report.longest)} ms`);
  };
  const names = Object.keys(IMPORTS).filter((_, at) => at % strideOf(effort) === 0);
  const properties = Object.fromEntries(
    names.map((each) => [
      `a file to import with ${each} is refused or taken over within little memory, and nothing blocks the thread`,
      fc.asyncProperty(fc.constant(IMPORTS[each] ?? assert.fail()), imported),
    ]),
  );
  const { found, cases } = await search({ name, properties, runsPerRound: 1 }, effort);
  effort.tally('payloads', cases);
  const { longest, memory } = measured;
  effort.report(
    `${name}: ${count(cases, 'files')}, longest ${Math.round(longest)} ms, at most ${Math.round(memory / MIB)} MB`,
  );
  return found;
}

const name = 'hostileImports';
export const hostileImports: Proof = { name, run };
