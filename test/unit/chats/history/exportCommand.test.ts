import assert from 'node:assert/strict';
import { commands, type Disposable, env, type Uri } from 'vscode';
import { onMessages, type } from '../../answers.ts';
import { useExports } from './exports.ts';

/** The local day of a time, as `YYYY-MM-DD`. */
const dayOf = (time: number) => new Date(time).toLocaleDateString('sv');

describe('Exporting a chat', () => {
  const exports = useExports();
  const { files, lists, read, savedFiles, start, whole } = exports;

  /** The lines of the whole chat as NDJSON, and the local day of each message, oldest first. */
  async function linesAndDays() {
    const lines = (await whole()).trimEnd().split('\n');
    return { lines, days: lines.map((line) => dayOf(JSON.parse(line).sendTime)) };
  }

  it('writes all raw messages, oldest first, says how many, and leaves no other files', async () => {
    await start();
    assert.equal(read(), await whole());
    assert.deepEqual(files(), ['chat.ndjson']);
    assert.deepEqual(savedFiles(), []);
    assert.deepEqual(exports.reported, [
      ...[0, 100, 200, 300, 400, 480, 480].map((count) => `${count} messages read…`),
      ...[80, 180, 280, 380, 480].map((count) => `${count} of 480 written…`),
    ]);
    assert.deepEqual(exports.said, ['Exported 480 messages from River Walkers to chat.ndjson.']);
  });

  it('opens the file on request', async () => {
    const shown: unknown[] = [];
    const opening = commands.registerCommand('vscode.open', (uri) => shown.push(uri));
    onMessages((_, buttons) => buttons.find((button) => button === 'Open'));
    await start();
    opening.dispose();
    assert.deepEqual(shown, [exports.target]);
  });

  describe('to HTML', () => {
    let opened: unknown[];
    let opening: Disposable;
    beforeEach(() => {
      opened = [];
      opening = commands.registerCommand('vscode.open', (uri) => void opened.push(['source', uri]));
      const openExternal = async (uri: Uri) => opened.push(['browser', uri]) > 0;
      Object.assign(env, { openExternal });
      exports.chosen = ['Entire History', 'HTML'];
      exports.target = exports.file('chat.html');
    });
    afterEach(() => {
      opening.dispose();
      Object.assign(env, { remoteName: undefined, openExternal: undefined });
    });

    /** Exports, and presses the only button. */
    async function buttons() {
      const shown: string[] = [];
      onMessages((_, offered) => {
        shown.push(...offered);
        return offered[0];
      });
      await start();
      return shown;
    }

    it('opens the file in the browser', async () => {
      assert.deepEqual(await buttons(), ['Open in Browser']);
      assert.deepEqual(opened, [['browser', exports.target]]);
    });

    it('opens its source if no browser could be opened', async () => {
      Object.assign(env, { openExternal: async () => false });
      await buttons();
      assert.deepEqual(opened, [['source', exports.target]]);
    });

    it('offers its source where the file is on another computer', async () => {
      Object.assign(env, { remoteName: 'ssh-remote' });
      assert.deepEqual(await buttons(), ['Open as Text']);
      assert.deepEqual(opened, [['source', exports.target]]);
    });
  });

  it('asks for the range, the format and the file, and proposes the name of the chat', async () => {
    await start('River / Walkers');
    assert.deepEqual(exports.picks, [
      ['Entire History', 'Since a Date…', 'Range of Dates…'],
      ['Markdown', 'HTML', 'NDJSON'],
    ]);
    assert.match(exports.proposed[0] ?? '', /^River Walkers \d{4}-\d\d-\d\d\.ndjson$/);
  });

  it('does nothing if the user cancels', async () => {
    exports.chosen = [];
    await start();
    assert.deepEqual(exports.proposed, []);
    exports.chosen = ['Entire History', 'HTML'];
    exports.target = undefined;
    await start();
    assert.equal(lists(), 0);
    assert.deepEqual(exports.said, []);
    assert.deepEqual(savedFiles(), []);
  });

  it('writes only the messages of the days that the user enters, and names them in the file', async () => {
    const { lines, days } = await linesAndDays();
    const different = [...new Set(days)];
    assert.ok(different.length > 6);
    const [first = '', last = ''] = [different[2], different.at(-3)];
    exports.chosen = ['Range of Dates…', 'NDJSON'];
    const boxes = type(first, ` ${last} `);
    await start();
    assert.deepEqual(
      boxes.map((box) => [box?.title, box?.prompt]),
      [
        ['Export River Walkers', 'The first day to export, in local time'],
        ['Export River Walkers', 'The last day to export, in local time'],
      ],
    );
    assert.equal(exports.proposed[0], `River Walkers ${first} to ${last}.ndjson`);
    const expected = lines.filter((_, at) => (days[at] ?? '') >= first && (days[at] ?? '') <= last);
    assert.deepEqual(read().trimEnd().split('\n'), expected);
    assert.deepEqual(exports.said, [`Exported ${expected.length} messages from River Walkers to chat.ndjson.`]);
    assert.equal(exports.reported.at(-1), `${expected.length} of ${expected.length} written…`);
  });

  it('reads no more than the days since a date', async () => {
    const { days } = await linesAndDays();
    const first = days[400] ?? '';
    exports.chosen = ['Since a Date…', 'Markdown'];
    type(first);
    exports.service.requests.length = 0;
    await start();
    assert.ok(lists() <= 2, `${lists()} pages`);
    const count = days.filter((day) => day >= first).length;
    assert.match(read(), new RegExp(`^- Range: Since .*\n- Messages: ${count}$`, 'm'));
  });

  it('asks for a last day that isn’t before the first one, and for none in the future', async () => {
    exports.chosen = ['Range of Dates…'];
    const boxes = type('2026-03-01', undefined);
    await start();
    const [first, last] = boxes;
    assert.equal(first?.validateInput?.('2999-01-01'), 'This date is in the future.');
    assert.equal(last?.validateInput?.('2026-02-28'), 'Enter 2026-03-01 or a later date.');
    assert.equal(last?.validateInput?.('2026-03-01'), undefined);
    assert.deepEqual(exports.proposed, []);
    assert.deepEqual(exports.said, []);
  });

  it('shows the name of the chat verbatim in its messages', async () => {
    await start('[x](command:y)');
    const [said, ...others] = exports.said;
    assert.ok(said?.includes('[x]') && !said.includes('](command:') && others.length === 0, said);
  });
});
