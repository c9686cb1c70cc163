// An archive of a million messages in Chinese and English: how fast it is written and searched, also in a real window,
// and how large its index is. The controls are a scan of the same texts, and an index of the same texts with SQLite's own trigrams.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { idsSince } from '../../src/chats/archive/messageTable.ts';
import type { SearchRequest } from '../../src/chats/archive/search.ts';
import { temporaryFolder } from '../host/temporary.ts';
import { CHAT, jsonsOf, openArchive } from '../unit/chats/archive/archives.ts';
import { ONLY_QUOTED, Samples, timeAbout } from './archive.samples.ts';
import { timesToResults } from './archive.window.ts';
import { median, type Row, time, timesOf } from './bench.ts';

const MESSAGES = 1_000_000;
const CHATS = 20;
const PAGE = 100;
const SEED = 20_261_123;
/** Searches of each kind. */
const SEARCHES = 200;
/** Fewer searches by the slow controls. */
const CONTROL_SEARCHES = 10;
/** As many results as the page asks for. */
const RESULTS = 50;

type Query = Omit<SearchRequest, 'order'>;

/** What is searched for. Common ones are in every tenth message or more, rare ones in every ten thousandth or less. */
function queriesOf(samples: Samples): Record<string, () => Query> {
  const common = () => samples.below(20);
  const rare = (count: number) => count / 2 + samples.below(count / 2);
  return {
    'one common character': () => ({ text: samples.han(common()) }),
    'one rare character': () => ({ text: samples.han(rare(3_500)) }),
    'two common characters': () => ({ text: samples.han(common()) + samples.han(common()) }),
    'two rare characters': () => ({ text: samples.han(rare(3_500)) + samples.han(rare(3_500)) }),
    'four common characters': () => ({ text: Array.from({ length: 4 }, () => samples.han(common())).join('') }),
    'a common word': () => ({ text: `${samples.word(common())} ` }),
    'a rare word': () => ({ text: `${samples.word(rare(20_000))} ` }),
    'an absent word': () => ({ text: `absent${samples.below(1000)} ` }),
    'one letter': () => ({ text: samples.word(common()).slice(0, 1) }),
    'two letters': () => ({ text: samples.word(common()).slice(0, 2) }),
    'three letters': () => ({ text: samples.word(rare(20_000)).slice(0, 3) }),
    'two common words': () => ({ text: `${samples.word(common())} ${samples.word(common())} ` }),
    'a phrase of common words': () => ({ text: `"${samples.word(common())} ${samples.word(common())}"` }),
    'a character but not a word': () => ({ text: `${samples.han(common())} -${samples.word(common())} ` }),
    'a common character in a chat': () => ({ text: samples.han(common()), chats: [1 + samples.below(CHATS)] }),
    'a rare word in a chat': () => ({ text: `${samples.word(rare(20_000))} `, chats: [1 + samples.below(CHATS)] }),
    'a common word by a rare sender': () => ({
      text: `${samples.word(common())} `,
      senders: [`user ${3_000_400 + common()}`],
    }),
    'a common word without quoted text': () => ({ text: `${samples.word(common())} `, withoutQuoted: true }),
    'a step through messages that only quote': () => ({ text: `${ONLY_QUOTED} `, withoutQuoted: true }),
    'a common word of the last day': () => ({
      text: `${samples.word(common())} `,
      since: timeAbout(MESSAGES) - 86_400_000,
    }),
    'a common word of the first month': () => ({
      text: `${samples.word(common())} `,
      until: timeAbout(0) + 30 * 86_400_000,
    }),
    'commands with buttons': () => ({ text: '', isCommand: true, hasButtons: true }),
  };
}

export async function bench(): Promise<Row[]> {
  const path = join(await temporaryFolder('bench'), 'archive.db');
  const written = await write(path);
  const opening = await time(() => openArchive(path).close());
  const archive = openArchive(path);
  const samples = new Samples(SEED);
  const rows: Row[] = [];
  let worst = 0;
  for (const [what, query] of Object.entries(queriesOf(samples))) {
    const requests = Array.from({ length: SEARCHES }, () => ({ ...query(), order: 'newest' as const }));
    const times = await timesOf(requests, (request) => archive.search(request, RESULTS));
    const p99 = percentile(times, 99);
    worst = Math.max(worst, p99);
    rows.push({ what: `${what}: median`, measured: median(times), unit: 'ms' });
    rows.push({ what: `${what}: p99`, measured: p99, unit: 'ms', bar: 50 });
  }
  const words = () => Array.from({ length: SEARCHES }, () => `${samples.word(samples.below(20))} `);
  const ranked = await timesOf(words(), (text) => archive.search({ text, order: 'relevance' }, RESULTS));
  const last = { below: idsSince(timeAbout(MESSAGES / 10)) };
  const deep = await timesOf(words(), (text) => archive.search({ text, order: 'newest' }, RESULTS, last));
  rows.push({ what: 'the last pages of a common word: p99', measured: percentile(deep, 99), unit: 'ms', bar: 50 });
  rows.push({ what: 'a common word by relevance: p99', measured: percentile(ranked, 99), unit: 'ms', bar: 50 });
  archive.close();
  const shown = await timesToResults(
    path,
    Array.from({ length: 10 }, () => samples.word(samples.below(100))),
  );
  return [
    { what: '1,000 messages written', measured: (written.archive / MESSAGES) * 1_000, unit: 'ms', bar: 200 },
    { what: 'bytes of index for each message', measured: written.indexBytes / MESSAGES, unit: '', bar: 300 },
    { what: 'bytes on the disk for each message', measured: (await stat(path)).size / MESSAGES, unit: '' },
    { what: 'opening', measured: opening, unit: 'ms', bar: 10 },
    ...rows,
    { what: 'in a window: first results painted after a key, median', measured: median(shown), unit: 'ms', bar: 100 },
    { what: 'in a window: first results painted after a key, slowest', measured: Math.max(...shown), unit: 'ms' },
    ...(await controlRows(written, samples, worst)),
  ];
}

/** Writes the archive, page by page as they are read, and the controls in memory. Times are in milliseconds. */
async function write(path: string) {
  const archive = openArchive(path);
  const samples = new Samples(SEED);
  const chats = Array.from({ length: CHATS }, (_, at) => archive.addChat({ ...CHAT, id: `${100_000_001 + at}` }));
  /** The last message of each chat: pages overlap. */
  const last = new Map<number, string>();
  const texts: string[] = [];
  const control = new DatabaseSync(':memory:');
  control.exec("CREATE VIRTUAL TABLE texts USING fts5(text, content = '', tokenize = 'trigram')");
  const insert = control.prepare('INSERT INTO texts (rowid, text) VALUES (?, ?)');
  let trigrams = 0;
  let written = 0;
  for (let number = 0; number < MESSAGES; number += PAGE) {
    const messages = Array.from({ length: PAGE }, (_, at) => samples.message(number + at));
    const jsons = jsonsOf(messages);
    const chat = chats[(number / PAGE) % CHATS] ?? 0;
    const before = last.get(chat);
    written += await time(() => archive.addPage(chat, before === undefined ? jsons : [before, ...jsons]));
    last.set(chat, jsons.at(-1) ?? '');
    trigrams += await time(() => {
      control.exec('BEGIN');
      for (const [at, { content }] of messages.entries()) insert.run(number + at, content.text);
      control.exec('COMMIT');
    });
    for (const { content } of messages) texts.push(content.text);
  }
  archive.close();
  const database = new DatabaseSync(path);
  const { bytes } = database.prepare('SELECT sum(length(block)) AS bytes FROM words_data').get() as { bytes: number };
  database.close();
  return { archive: written, trigrams, texts, control, indexBytes: bytes };
}

async function controlRows(
  { texts, control, trigrams }: Awaited<ReturnType<typeof write>>,
  samples: Samples,
  worst: number,
): Promise<Row[]> {
  const rare = Array.from({ length: CONTROL_SEARCHES }, () => samples.word(10_000 + samples.below(10_000)));
  const scan = await timesOf(rare, (query) => texts.filter((text) => text.includes(query)).length);
  const find = control.prepare('SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rowid DESC LIMIT ?');
  const phrase = () => `"${[0, 1, 2].map(() => samples.han(samples.below(20))).join('')}"`;
  const phrases = Array.from({ length: CONTROL_SEARCHES * 2 }, phrase);
  const three = await timesOf(phrases, (query) => find.all(query, RESULTS));
  const two = find.all(`"${samples.han(0)}${samples.han(1)}"`, RESULTS).length;
  return [
    { what: 'control: a scan of all texts', measured: median(scan), unit: 'ms' },
    { what: 'the slowest p99, compared with a scan', measured: worst / median(scan), unit: '×' },
    { what: 'control: 1,000 messages written with trigrams', measured: (trigrams / MESSAGES) * 1_000, unit: 'ms' },
    { what: 'control: three characters with trigrams, p99', measured: percentile(three, 99), unit: 'ms' },
    { what: 'control: results for two characters with trigrams', measured: two, unit: '' },
  ];
}

function percentile(values: readonly number[], percent: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * (percent / 100))] ?? 0;
}
