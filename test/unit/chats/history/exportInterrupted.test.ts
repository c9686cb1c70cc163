import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import { CancellationTokenSource } from 'vscode';
import { systemClock } from '../../../../src/service/clock.ts';
import { onMessages, type } from '../../answers.ts';
import { useExports } from './exports.ts';

/** Seconds. */
const DAY = 24 * 3600;

describe('Exporting a chat with interruptions', () => {
  const exports = useExports();
  const { files, lists, read, saved, savedFiles, start, whole } = exports;

  it("shows the service's error, and continues on Retry", async () => {
    exports.service.instead = () => {
      if (lists() % 3 !== 0) return undefined;
      exports.service.instead = () => undefined;
      return Promise.resolve(Response.json({ code: 1005, msg: '频道已封禁' }));
    };
    const said = onMessages((_, buttons) => buttons.find((button) => button === 'Retry'));
    await start();
    assert.match(said[0] ?? '', /River Walkers.* 1005.*200 messages read/);
    // Six pages and the failed one: no page was read twice.
    assert.equal(lists(), 7);
    assert.equal(exports.picks.length, 2);
    assert.equal(read(), await whole());
  });

  it('saves its progress without the token, and offers to continue when canceled', async () => {
    await exports.startUntil(3);
    assert.match(exports.said[0] ?? '', /^Export canceled: River Walkers\..*200 messages read/);
    assert.deepEqual(files(), []);
    assert.deepEqual(savedFiles(), ['000001.ndjson', '000002.ndjson', 'progress.json']);
    assert.ok(!readFileSync(saved('progress.json'), 'utf8').includes(exports.token()));
    exports.chosen.push('Continue Export');
    await start();
    assert.deepEqual(exports.picks.at(-2), ['Continue Export', 'Start Over']);
    assert.equal(lists(), 4);
    assert.equal(read(), await whole());
    assert.deepEqual(savedFiles(), []);
  });

  it('starts over or discards its progress if the user chooses to', async () => {
    await exports.startUntil(3);
    exports.chosen.push('Start Over');
    await start();
    assert.equal(lists(), 6);
    assert.equal(read(), await whole());
    onMessages((_, buttons) => buttons.find((button) => button === 'Discard Progress'));
    await exports.startUntil(3);
    assert.deepEqual(savedFiles(), []);
  });

  it('starts over if the saved progress is damaged', async () => {
    await exports.startUntil(4);
    writeFileSync(saved('000003.ndjson'), '{');
    exports.chosen.push('Continue Export');
    const said = onMessages((_, buttons) => buttons.find((button) => button === 'Retry'));
    await start();
    assert.match(said[0] ?? '', /progress can't be read\. The next export starts over\.$/);
    assert.equal(read(), await whole());
  });

  it('starts over only if the saved progress is lost, not if it can’t be read for a moment', async () => {
    for (const name of ['progress.json', '000002.ndjson']) {
      await exports.startUntil(3);
      const path = saved(name);
      renameSync(path, `${path}~`);
      mkdirSync(path);
      exports.chosen = ['Entire History', 'NDJSON', 'Continue Export'];
      exports.logged.lines.length = 0;
      const said = onMessages((_, buttons) => {
        if (existsSync(`${path}~`)) {
          rmSync(path, { recursive: true });
          renameSync(`${path}~`, path);
        }
        return buttons.find((button) => button === 'Retry');
      });
      await start();
      assert.match(said[0] ?? '', /^Couldn't export River Walkers\. Something went wrong: EISDIR/);
      assert.match(said[1] ?? '', /^Exported 480 messages/);
      assert.equal(lists(), 4);
      assert.equal(read(), await whole(), name);
      assert.equal(exports.logged.lines.length, 1);
    }
  });

  it('doesn’t go on if the saved progress can’t be read, and stays so', async () => {
    await exports.startUntil(3);
    const path = saved('progress.json');
    renameSync(path, `${path}~`);
    mkdirSync(path);
    exports.picks.length = 0;
    const said = onMessages();
    await start();
    assert.equal(said.length, 1);
    assert.equal(exports.picks.length, 1);
    assert.equal(lists(), 0);
    assert.deepEqual(savedFiles(), ['000001.ndjson', '000002.ndjson', 'progress.json', 'progress.json~']);
  });

  it('continues only for the same range', async () => {
    const exportSince = async (day: string, begin: () => Promise<void>) => {
      exports.chosen = ['Since a Date…', 'NDJSON', 'Continue Export'];
      type(day);
      exports.picks.length = 0;
      await begin();
    };
    await exportSince('2020-01-01', () => exports.startUntil(3));
    await exportSince('2020-01-02', start);
    assert.equal(exports.picks.length, 2);
    assert.deepEqual(savedFiles(), ['000001.ndjson', '000002.ndjson', 'progress.json']);
    exports.service.requests.length = 0;
    await exportSince('2020-01-01', start);
    assert.equal(exports.picks.length, 3);
    assert.equal(lists(), 4);
    assert.deepEqual(savedFiles(), []);
    assert.equal(read(), await whole());
  });

  it('replaces an existing file only when the new one is complete, and reads nothing twice', async () => {
    writeFileSync(join(exports.folder, 'chat.ndjson'), 'before');
    exports.onReport = (message) => message.startsWith('180 of') && exports.cancellation.cancel();
    await start();
    assert.deepEqual(files(), ['chat.ndjson']);
    assert.equal(read(), 'before');
    exports.service.requests.length = 0;
    exports.cancellation = new CancellationTokenSource();
    exports.onReport = () => {};
    exports.chosen.push('Continue Export');
    await start();
    assert.equal(lists(), 0);
    assert.equal(read(), await whole());
  });

  it('asks for another file if the chosen one cannot be written', async () => {
    writeFileSync(join(exports.folder, 'chat.ndjson'), 'a file');
    exports.target = exports.file('chat.ndjson/below/a file.ndjson');
    const said = onMessages((_, buttons) => {
      exports.target = exports.file('chat.ndjson');
      return buttons.find((button) => button === 'Retry');
    });
    await start();
    assert.match(said[0] ?? '', /^Couldn't export River Walkers\. The file couldn't be saved: .*480 messages read/);
    assert.equal(read(), await whole());
  });

  it("doesn't say that progress is saved which another window has removed, and starts over on Retry", async () => {
    exports.service.instead = () => {
      if (lists() === 2) rmSync(saved('progress.json'));
      return undefined;
    };
    const said = onMessages((_, buttons) => buttons.find((button) => button === 'Retry'));
    await start();
    assert.match(said[0] ?? '', /starts over\.$/);
    assert.equal(read(), await whole());
  });

  it('runs only once at a time for the same chat', async () => {
    await Promise.all([start(), start()]);
    assert.deepEqual(exports.said.toSorted(), [
      'Exported 480 messages from River Walkers to chat.ndjson.',
      'River Walkers is already being exported.',
    ]);
    assert.equal(read(), await whole());
  });

  it('keeps what was interrupted for a month', async () => {
    const now = Date.UTC(2026, 2, 9) / 1000;
    for (const [name, age] of [
      ['old', 30 * DAY + 1],
      ['recent', 30 * DAY],
    ] as const) {
      const other = join(exports.storage, 'exports', name);
      mkdirSync(other, { recursive: true });
      writeFileSync(join(other, 'progress.json'), '{}');
      utimesSync(join(other, 'progress.json'), now, now - age);
    }
    const wall = mock.method(systemClock, 'wall', () => now * 1000);
    try {
      await start();
    } finally {
      wall.mock.restore();
    }
    assert.deepEqual(readdirSync(join(exports.storage, 'exports')), ['recent']);
    assert.deepEqual(exports.logged.lines, []);
  });
});
