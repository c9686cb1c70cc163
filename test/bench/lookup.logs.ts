// Runs in the extension host: measures IDs in logs open in editors. The control for a log of 10 MB is one of 10 kB, which
// it repeats; for a line of 10 MB, one of 10 kB. The order alternates between rounds; the result is the median of each
// round's ratio.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CancellationTokenSource,
  Position,
  Range,
  type TextDocument,
  type TextEditor,
  TextEditorRevealType,
  Uri,
  ViewColumn,
  window,
  workspace,
} from 'vscode';
import { idAt } from '../../src/ids/findIds.ts';
import { IdPattern } from '../../src/ids/idPattern.ts';
import type { IdsController } from '../../src/ids/idsController.ts';
import { Settings } from '../../src/platform/settings.ts';
import { answer, restore } from '../unit/answers.ts';
import { until } from '../unit/deferred.ts';
import { median, type Row, time } from './bench.ts';

/** Lines in the small log, how often the large one repeats them, their length, and the text before each ID. */
const LINES = 100;
const TIMES = 1_000;
const WIDTH = 100;
const BEFORE = '2026-03-08 09:14:52.123 INFO delivery to=';
/** How many lines above and below the screen may have links. */
const AROUND = 200;
/** Lines whose hints are requested. */
const ASKED = 50;

const ROUNDS = 101;
/** How often each ID is looked for in a round. */
const FINDS = 5;

const { token } = new CancellationTokenSource();

/** Measures finding an ID, and the links and hints of a screen. All IDs are known and cached. */
export async function logs(lookup: IdsController, ids: readonly string[], parent: string): Promise<Row[]> {
  const folder = await mkdtemp(join(parent, 'logs-'));
  const lines = Array.from({ length: LINES }, (_, line) =>
    `${BEFORE}${ids[line % ids.length]}, attempt=1 status=taken `.padEnd(WIDTH - 1, '.').concat('\n'),
  );
  const open = async (name: string, text: string, column: ViewColumn) => {
    const uri = Uri.file(join(folder, name));
    await writeFile(uri.fsPath, text);
    return window.showTextDocument(await workspace.openTextDocument(uri), column);
  };
  const small = await open('small.log', lines.join(''), ViewColumn.One);
  const large = await open('large.log', lines.join('').repeat(TIMES), ViewColumn.Two);
  const smallLine = await open('small-line.log', lines.join('').replaceAll('\n', ' '), ViewColumn.Three);
  const largeLine = await open('large-line.log', smallLine.document.getText().repeat(TIMES), ViewColumn.Four);
  await reveal(large, (LINES * TIMES) / 2);
  return [
    ...(await finding('a log', lookup, large.document, small.document)),
    ...(await finding('one line', lookup, largeLine.document, smallLine.document)),
    ...(await linking(lookup, large, small)),
    ...(await hinting(lookup, large.document, small.document)),
  ];
}

/** Measures finding the ID at a position, as a hover does, and what the hover reads. */
async function finding(what: string, lookup: IdsController, large: TextDocument, small: TextDocument): Promise<Row[]> {
  const known = await lookup.known.read();
  if (!known) throw new Error('Not connected to a service.');
  const shapes = await new IdPattern(new Settings()).matcher(known, large);
  const finds = (document: TextDocument) => {
    const places = placesIn(document);
    return () => {
      for (const place of places) {
        for (let find = 0; find < FINDS; find++) {
          if (!idAt(document.lineAt(place).text, place.character, shapes)) throw new Error("Can't find an ID.");
        }
      }
    };
  };
  const { calls, document } = counted(large);
  const place = placesIn(large).at(-1) ?? new Position(0, 0);
  if (!(await lookup.hover.provideHover(document, place, token))) throw new Error('There is no hover.');
  return [
    ...(await compare(`finding an ID in ${what} of 10 MB, compared with 10 kB`, finds(large), finds(small))),
    ...readings('by a hover there', calls, 1),
  ];
}

async function linking(lookup: IdsController, large: TextEditor, small: TextEditor): Promise<Row[]> {
  const links = ({ document }: TextEditor) => lookup.links.provideDocumentLinks(document, token);
  const { calls, document } = counted(large.document);
  answer('visibleTextEditors', [{ ...large, document }]);
  const linked = await lookup.links.provideDocumentLinks(document, token);
  restore();
  const visible = large.visibleRanges.reduce((sum, { start, end }) => sum + end.line - start.line + 1, 0);
  if (linked.length < visible) throw new Error(`There are ${linked.length} links.`);
  // The control takes as long, so that other programs interrupt both equally.
  const times = Math.round(linked.length / LINES);
  const control = async () => {
    for (let left = times; left > 0; left--) await links(small);
  };
  const more = linked.length / (LINES * times);
  return [
    ...(await compare('links around the screen in 10 MB, compared with 10 kB', () => links(large), control, more)),
    ...readings('for them', calls, visible + 2 * AROUND),
  ];
}

async function hinting(lookup: IdsController, large: TextDocument, small: TextDocument): Promise<Row[]> {
  const hints = async (document: TextDocument, first: number) => {
    const range = new Range(first, 0, first + ASKED - 1, WIDTH - 1);
    const { length } = await lookup.hints.provideInlayHints(document, range, token);
    if (length !== ASKED) throw new Error(`There are ${length} hints.`);
  };
  const { calls, document } = counted(large);
  const middle = (LINES * TIMES) / 2;
  await hints(document, middle);
  return [
    ...(await compare(
      `hints of ${ASKED} lines in 10 MB, compared with 10 kB`,
      () => hints(large, middle),
      () => hints(small, 0),
    )),
    ...readings('for them', calls, ASKED),
  ];
}

/** Returns positions of IDs throughout a log, as many as the small log has lines. */
function placesIn(document: TextDocument): Position[] {
  const isLine = document.lineCount === 1;
  const size = isLine ? document.lineAt(0).text.length / WIDTH : document.lineCount;
  const times = Math.floor(size / LINES);
  return Array.from({ length: LINES }, (_, at) => {
    const line = at + LINES * Math.floor((at * times) / LINES);
    const column = BEFORE.length + 1;
    return isLine ? new Position(0, line * WIDTH + column) : new Position(line, column);
  });
}

/** Wraps a document to record the calls of its members. */
function counted(document: TextDocument): { document: TextDocument; calls: string[] } {
  const calls: string[] = [];
  const members = Object.entries(document).map(([name, member]) => {
    const call = (...given: unknown[]) => {
      calls.push(name);
      return member(...given);
    };
    return [name, typeof member === 'function' ? call : member];
  });
  return { document: Object.fromEntries(members), calls };
}

function readings(what: string, calls: readonly string[], bar: number): Row[] {
  const lines = calls.filter((name) => name === 'lineAt').length;
  return [
    { what: `  lines read ${what}`, measured: lines, unit: '', bar },
    { what: '  other calls', measured: calls.length - lines, unit: '', bar: 0 },
  ];
}

/** Alternates between both. Ours does `more` times as much as the control. */
async function compare(what: string, act: () => unknown, control: () => unknown, more = 1): Promise<Row[]> {
  const rounds: { ours: number; other: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = round % 2 === 0 ? await time(control) : undefined;
    const ours = (await time(act)) / more;
    rounds.push({ ours, other: before ?? (await time(control)) });
  }
  return [
    {
      what,
      measured: median(rounds.map(({ ours, other }) => ours / other)),
      unit: '×',
      bar: 1.25,
    },
    { what: '  control', measured: median(rounds.map(({ other }) => other)), unit: 'ms' },
  ];
}

/** Scrolls to a line and waits until it's visible. */
async function reveal(editor: TextEditor, line: number): Promise<void> {
  const range = new Range(line, 0, line, 0);
  editor.revealRange(range, TextEditorRevealType.AtTop);
  await until(window.onDidChangeTextEditorVisibleRanges, () => editor.visibleRanges.some((one) => one.contains(range)));
}
