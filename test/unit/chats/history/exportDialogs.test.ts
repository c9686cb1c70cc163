import assert from 'node:assert/strict';
import { env, type QuickPickItem, type QuickPickOptions, Uri, type window } from 'vscode';
import {
  askFormat,
  askResume,
  type Outcome,
  showOutcome,
} from '../../../../src/chats/history/commands/exportDialogs.ts';
import { ExportError, newProgress } from '../../../../src/chats/history/commands/exportProgress.ts';
import { exportFormat } from '../../../../src/chats/history/commands/formats.ts';
import { WriteError } from '../../../../src/chats/history/commands/writeExport.ts';
import { BufferLimitError } from '../../../../src/platform/fileAppender.ts';
import type { SaveTarget } from '../../../../src/presentation/fileDialogs.ts';
import { formatDate } from '../../../../src/presentation/formats.ts';
import { shownText } from '../../../../src/presentation/shown.ts';
import { answer, onMessages, restore } from '../../answers.ts';
import { inBrowser } from '../../inBrowser.ts';
import { botChat } from './export-chat.ts';

describe('What is said at the end of an export', () => {
  afterEach(restore);

  /** What is said and offered, and what comes of pressing a button. */
  async function shown(outcome: Outcome, press?: string) {
    let offered: readonly string[] = [];
    let discarded = 0;
    const said = onMessages((_, buttons) => {
      offered = buttons;
      return press;
    });
    const target = { name: 'chat.md', uri: Uri.file('/chat.md'), format: 'md' } as SaveTarget & { format: 'md' };
    const goesOn = await showOutcome(outcome, shownText`Walkers`, target, async () => discarded++);
    return { text: said[0], offered, goesOn, discarded };
  }
  const failed = (error: unknown, messages = 0): Outcome => ({ ended: 'failed', error, messages });

  it('is how many messages were written', async () => {
    for (const [messages, text] of [
      [1, 'Exported 1 message from Walkers to chat.md.'],
      [1_200, 'Exported 1,200 messages from Walkers to chat.md.'],
    ] as const) {
      const { text: said, goesOn } = await shown({ ended: 'written', messages });
      assert.equal(said, text);
      assert.equal(goesOn, false);
    }
  });

  it('is whether there is progress to go on from, or to discard', async () => {
    const nothing = await shown({ ended: 'canceled', messages: 0 });
    assert.equal(nothing.text, 'Export canceled: Walkers.');
    assert.deepEqual(nothing.offered, []);
    const some: Outcome = { ended: 'canceled', messages: 1 };
    const progress = 'Export canceled: Walkers. Progress is saved (1 message read). Export again to continue.';
    for (const [press, goesOn, discarded] of [
      ['Continue', true, 0],
      ['Discard Progress', false, 1],
      [undefined, false, 0],
    ] as const) {
      const end = await shown(some, press);
      assert.equal(end.text, progress);
      assert.deepEqual(end.offered, ['Continue', 'Discard Progress']);
      assert.equal(end.goesOn, goesOn);
      assert.equal(end.discarded, discarded);
    }
  });

  it('is why it has failed, and whether progress is saved', async () => {
    const tooLarge = new WriteError('', { cause: new BufferLimitError() });
    for (const [error, reason] of [
      [new ExportError('takenOver'), /exported in another window\. Progress is saved/],
      [new ExportError('anchorLost'), /oldest messages that were read.* Progress is saved/],
      [new ExportError('damaged'), /starts over\.$/],
      [tooLarge, /Choose a local file\. Progress is saved/],
    ] as const) {
      const { text, goesOn } = await shown(failed(error, 200), 'Retry');
      assert.match(text ?? '', reason);
      assert.equal(goesOn, true);
    }
    assert.match((await inBrowser(() => shown(failed(tooLarge)))).text ?? '', /from a browser\./);
    assert.equal((await shown(failed(tooLarge))).goesOn, false);
  });
});

describe('What is asked before an export', () => {
  afterEach(restore);

  /** The title and the rows of the next list, in which this row is chosen. */
  function nextList(chosen: number) {
    const shown = { title: '', rows: [] as (string | undefined)[][] };
    answer('showQuickPick', (async (items: readonly QuickPickItem[], { title = '' }: QuickPickOptions) => {
      shown.title = title;
      shown.rows = items.map(({ label, description, detail }) => [label, description, detail]);
      return items[chosen];
    }) as unknown as typeof window.showQuickPick);
    return shown;
  }

  it('is the format, with what it is good for', async () => {
    for (const [at, format] of ['md', 'html', 'ndjson', undefined].entries()) {
      const shown = nextList(at);
      assert.equal(await askFormat(shownText`Walkers`), format);
      assert.equal(shown.title, 'Export Walkers');
      assert.deepEqual(shown.rows, [
        ['Markdown', undefined, 'Readable and searchable as text'],
        ['HTML', undefined, 'Opens in a browser, even offline'],
        ['NDJSON', undefined, 'For programs: one message per line, as received'],
      ]);
    }
    Object.assign(env, { remoteName: 'ssh-remote' });
    const remote = nextList(0);
    await askFormat(shownText`Walkers`);
    Object.assign(env, { remoteName: undefined });
    assert.equal(remote.rows[1]?.[2], "Opens in a browser, even offline, once it's on your computer");
  });

  it('is whether to go on with one that was interrupted, and what is missing then', async () => {
    const began = new Date(2026, 2, 9, 9, 30).getTime();
    const saved = { ...newProgress(botChat, began), messages: 1_200 };
    for (const [at, start] of ['continue', 'restart', undefined].entries()) {
      const shown = nextList(at);
      assert.equal(await askResume(saved, shownText`Walkers`), start);
      assert.equal(shown.title, 'Export Walkers');
      const [[, , detail] = [], other] = shown.rows;
      assert.deepEqual(shown.rows[0]?.slice(0, 2), ['Continue Export', '1,200 messages read']);
      assert.match(detail ?? '', /^Started .*9:30.*\. Newer messages aren't included\.$/);
      assert.deepEqual(other, ['Start Over', undefined, 'The saved progress is discarded.']);
    }
  });
});

describe('The range of an exported document', () => {
  it('is the whole history, or from a day on, or one or several days', () => {
    const startOf = (day: number) => new Date(2026, 2, day).getTime();
    const third = formatDate(startOf(3));
    const fifth = formatDate(startOf(5));
    for (const [range, text] of [
      [{}, 'Entire history'],
      [{ start: startOf(3) }, `Since ${third}`],
      [{ start: startOf(3), end: startOf(4) }, third],
      [{ start: startOf(3), end: startOf(6) }, `${third} to ${fifth}`],
    ] as const) {
      const { heading } = exportFormat('md', { chat: 'A chat', bot: '' }, newProgress(botChat, startOf(9), range));
      assert.ok(heading.includes(`\n- Range: ${text}\n`), heading);
    }
  });
});
