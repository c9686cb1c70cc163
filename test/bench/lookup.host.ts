// Runs in the extension host: measures the time and requests of a hover, with 1,000 IDs each in the sidebar, an open draft
// and audiences. Writes the rows to the file BOT_CHATS_RESULT.
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  CancellationTokenSource,
  type Hover,
  type MarkdownString,
  Position,
  type TextDocument,
  WorkspaceEdit,
  workspace,
} from 'vscode';
import { DraftReader } from '../../src/deliveries/draft/draftReader.ts';
import { registerEditing } from '../../src/deliveries/draft/editing/index.ts';
import { IdsController } from '../../src/ids/idsController.ts';
import { newHost } from '../unit/test-host.ts';
import { configure, startService, type TestService } from '../unit/test-service.ts';
import { median, type Row, time } from './bench.ts';
import { logs } from './lookup.logs.ts';

const MANY = 1_000;
const AT_ONCE = 100;
/** A sandbox user who isn't in the sidebar, and part of the name. */
const UNLISTED = { id: '7102649', name: '闻山禾' };
/** How often each ID is hovered. */
const HOVERS = 50;
const EDITS = 15;

/** Called by VS Code as its test runner. */
export async function run(): Promise<void> {
  const { BOT_CHATS_RESULT = '' } = process.env;
  const service = await startService({ 'service.callsPerSecond': 1000 });
  const { groups, bots, users } = service.sandbox;
  const ids = [...groups, ...bots, ...users].filter((id) => id !== UNLISTED.id);
  const listed = users.filter((id) => id !== UNLISTED.id);
  const hundred = Array.from({ length: MANY / 10 }, (_, at) => numbers(4 + at, 10));
  await configure({
    groups: [...groups, ...numbers(1, MANY - ids.length)],
    bots,
    people: listed,
    audiences: Object.fromEntries(hundred.map((people, at) => [`audience ${at}`, { people }])),
  });
  const host = newHost();
  const reader = new DraftReader(host);
  registerEditing(host, host.edits, async () => reader);
  const lookup = new IdsController(host, () => {});
  const rows = [...(await hovers(service, lookup, ids)), ...(await logs(lookup, ids, dirname(BOT_CHATS_RESULT)))];
  await writeFile(BOT_CHATS_RESULT, JSON.stringify(rows));
}

async function hovers({ requests }: TestService, lookup: IdsController, ids: readonly string[]): Promise<Row[]> {
  const block = `---\nchat:\n  groups: [${numbers(2, MANY / 2)}]\n  people: [${numbers(3, MANY / 2)}]\n---`;
  const lines = [...block.split('\n'), ...ids, UNLISTED.id];
  const draft = await workspace.openTextDocument({ language: 'markdown', content: lines.join('\n') });
  const hover = (id: string) => hoverAt(lookup, draft, new Position(lines.indexOf(id), 1));

  await lookup.known.read();
  requests.length = 0;
  const atOnce = await Promise.all(Array.from({ length: AT_ONCE }, () => hover(UNLISTED.id)));
  if (!atOnce.every((one) => text(one).includes(UNLISTED.name))) throw new Error("A hover doesn't show the user.");
  const strangers = requests.filter(({ pathname }) => !pathname.endsWith('/v1/user/homepage'));
  const rows: Row[] = [
    { what: `requests for ${AT_ONCE} concurrent hovers of an unknown ID`, measured: requests.length, unit: '', bar: 1 },
    { what: '  other than for a user', measured: strangers.length, unit: '', bar: 0 },
  ];

  for (const id of ids) if (!text(await hover(id)).includes(id)) throw new Error(`No card shows ${id}.`);
  requests.length = 0;
  const remembered: number[] = [];
  for (let round = 0; round < HOVERS; round++) {
    for (const id of ids) remembered.push(await time(() => hover(id)));
  }
  rows.push(
    { what: 'a remembered hover', measured: median(remembered), unit: 'ms', bar: 1 },
    { what: '  requests', measured: requests.length, unit: '', bar: 0 },
  );
  const changed: number[] = [];
  for (let edit = 0; edit < EDITS; edit++) {
    const change = new WorkspaceEdit();
    change.insert(draft.uri, new Position(draft.lineCount, 0), '.');
    await workspace.applyEdit(change);
    changed.push(await time(() => hover(UNLISTED.id)));
  }
  return [...rows, { what: 'the first hover after a change of the draft', measured: median(changed), unit: 'ms' }];
}

/** Hovers as VS Code does. */
async function hoverAt(lookup: IdsController, document: TextDocument, position: Position): Promise<Hover | undefined> {
  const source = new CancellationTokenSource();
  const hover = await lookup.hover.provideHover(document, position, source.token);
  source.dispose();
  return hover;
}

const text = (hover: Hover | undefined) =>
  hover?.contents.map((content) => (content as MarkdownString).value).join('\n') ?? '';

/** Returns unused IDs, different ones for each series. */
const numbers = (series: number, count: number) =>
  Array.from({ length: count }, (_, at) => String(series * 1_000_000_000 + at));
