import assert from 'node:assert/strict';
import { Journals } from '../../../../src/deliveries/outbox/journals.ts';
import type { JournalLine } from '../../../../src/deliveries/outbox/record.ts';
import { addChecksum } from '../../../../src/platform/checkedLines.ts';
import { diskFiles } from '../../../../src/platform/diskFiles.ts';
import type { DurableFiles } from '../../../../src/platform/durableFiles.ts';
import { MemoryDisk, memoryFiles } from '../../../prove/memoryDisk.ts';
import { settled } from '../../deferred.ts';

const FOLDER = 'deliveries/one';

/** Of two appends at once, one is lost, as on a network drive. */
function networkFiles(): DurableFiles {
  const files = memoryFiles();
  return {
    ...files,
    async append(path, text) {
      const before = (await files.read(path)) ?? '';
      await settled();
      await files.write(path, before + text);
    },
  };
}

const answered = (batch: number, at = batch): JournalLine => ({
  what: 'answered',
  batch,
  attempt: 0,
  at,
  reached: [],
  unreadable: [],
  successCount: 0,
});
const stopped = (at: number): JournalLine => ({ what: 'stopped', at, why: 'canceled' });
/** A check that saw these batches without an answer. */
const read = (at: number, ...batches: number[]): JournalLine => ({
  what: 'read',
  at,
  found: [{ kind: 'group', id: 'a' }],
  ...(batches.length > 0 && { unanswered: batches.map((batch) => ({ batch, attempt: 0 })) }),
});

describe('The journals of a delivery', () => {
  let files: DurableFiles;
  const linesOf = async (window = new Journals(files)) => {
    const { lines, damaged } = await window.read(FOLDER, await files.names(FOLDER));
    assert.equal(damaged, 0);
    return lines;
  };
  /** Stores what each window appends. */
  const store = async (...windows: JournalLine[][]) => {
    for (const lines of windows) {
      const window = new Journals(files);
      for (const line of lines) await window.append(FOLDER, line);
    }
  };

  beforeEach(async () => {
    files = networkFiles();
    await files.write(`${FOLDER}/delivery.ndjson`, '');
  });

  it('lose no line of two windows, nor of one, that append at once', async () => {
    const windows = [new Journals(files), new Journals(files)];
    const batches = Array.from({ length: 40 }, (_, batch) => batch);
    await Promise.all(batches.map((batch) => windows[batch % 2]?.append(FOLDER, answered(batch))));
    assert.deepEqual(
      await linesOf(),
      batches.map((batch) => answered(batch)),
    );
    assert.equal((await files.names(FOLDER)).length, 3);
  });

  it('change their stamp with each line of any window', async () => {
    const windows = [new Journals(files), new Journals(files)];
    const stamp = async () => windows[0]?.stamp(FOLDER, await files.names(FOLDER));
    const stamps = [await stamp()];
    for (const window of [0, 1, 0, 1]) {
      await windows[window]?.append(FOLDER, stopped(1));
      stamps.push(await stamp());
    }
    assert.equal(new Set(stamps).size, 5);
  });

  it('keep the order in which a window has appended, whatever its clock said', async () => {
    await store([answered(0, 9), read(5), answered(1, 2), stopped(1)]);
    assert.deepEqual(await linesOf(), [answered(0, 9), read(5), answered(1, 2), stopped(1)]);
  });

  it('put what was answered before a check of another window before it, and the rest after it, whatever the clocks said', async () => {
    for (const [checked, late] of [
      [5, 9],
      [50, 2],
      [1, 1],
    ] as const) {
      files = networkFiles();
      await files.write(`${FOLDER}/delivery.ndjson`, '');
      await store([answered(0, 7), answered(1, late)], [read(checked, 1)]);
      assert.deepEqual(await linesOf(), [answered(0, 7), read(checked, 1), answered(1, late)]);
    }
  });

  it('put a later attempt after a check that took the one before for unanswered, whatever the clocks said', async () => {
    const later = { ...answered(0, 2), attempt: 1 };
    await store([later], [read(9, 0)]);
    assert.deepEqual(await linesOf(), [read(9, 0), later]);
  });

  it('put an answer between a check that came before it and one that came after', async () => {
    await store([answered(0, 9)], [read(20, 0)], [read(1)]);
    assert.deepEqual(await linesOf(), [read(20, 0), answered(0, 9), read(1)]);
  });

  it('have all lines of checks that contradict each other', async () => {
    await store([answered(0, 1), read(1, 1)], [answered(1, 1), read(1, 0)]);
    assert.equal((await linesOf()).length, 4);
  });

  it('keep what was read of a window that died before it was durable, as soon as anything rests on it', async () => {
    const disk = new MemoryDisk();
    files = diskFiles('/files', disk.files);
    await files.write(`${FOLDER}/delivery.ndjson`, '');
    const handle = await disk.files.open(`/files/${FOLDER}/journal-00000000.ndjson`, 'a');
    await handle.writeFile(`\n${await addChecksum(answered(0))}\n`);
    const window = new Journals(files);
    await linesOf(window);
    await window.append(FOLDER, answered(1));
    disk.recover('posix', () => 0);
    assert.deepEqual(await linesOf(), [answered(0), answered(1)]);
  });

  it('make durable only what was read of other windows since the last line', async () => {
    await store([answered(0)]);
    const { append } = files;
    let synced = 0;
    files.append = (path, text) => {
      if (text === '') synced++;
      return append.call(files, path, text);
    };
    const window = new Journals(files);
    for (const batch of [1, 2]) {
      await linesOf(window);
      await window.append(FOLDER, answered(batch));
    }
    assert.equal(synced, 1);
    await store([answered(3)]);
    await linesOf(window);
    window.forget(FOLDER);
    await window.append(FOLDER, answered(4));
    assert.equal(synced, 1);
  });

  it('keep lines that could not be written, for the next one, unless the delivery is deleted', async () => {
    const window = new Journals(files);
    const stamp = async () => window.stamp(FOLDER, await files.names(FOLDER));
    const before = await stamp();
    const { append } = files;
    const fail = async (batch: number) => {
      files.append = () => Promise.reject(new Error('disk full'));
      await assert.rejects(window.append(FOLDER, answered(batch)), /disk full/);
      files.append = append;
    };
    await fail(0);
    assert.notEqual(await stamp(), before);
    assert.deepEqual([await linesOf(window), await linesOf()], [[answered(0)], []]);
    await window.append(FOLDER, answered(1));
    const all = [answered(0), answered(1)];
    assert.deepEqual([await linesOf(window), await linesOf()], [all, all]);
    await fail(2);
    assert.deepEqual(await linesOf(window), [...all, answered(2)]);
    window.forget(FOLDER);
    await window.append(FOLDER, answered(3));
    assert.deepEqual(await linesOf(window), [...all, answered(3)]);
  });

  it('keep their own words, also if the token is one of them', async () => {
    const failed: JournalLine = { what: 'failed', batch: 0, attempt: 0, at: 1, state: 'rejected' };
    const all: [token: string, JournalLine][] = [
      ['answered', answered(0)],
      ['rejected', failed],
      ['canceled', stopped(2)],
      ['group', read(3)],
    ];
    const window = new Journals(files);
    for (const [token, line] of all) await window.append(FOLDER, line, token);
    assert.deepEqual(
      await linesOf(),
      all.map(([, line]) => line),
    );
  });

  it('count damaged lines, have them last as they are written, and take no other file for a journal', async () => {
    const [one, two] = [await addChecksum(answered(0)), await addChecksum(answered(1))];
    const window = new Journals(files);
    await window.appendWritten(FOLDER, [one, 'damaged', two]);
    for (const name of ['journal-0000000.ndjson', 'x-journal-00000000.ndjson', 'journal-00000000.ndjson.tmp'])
      await files.write(`${FOLDER}/${name}`, one);
    const names = await files.names(FOLDER);
    assert.deepEqual(await window.read(FOLDER, names), { lines: [answered(0), answered(1)], damaged: 1 });
    assert.deepEqual(await window.written(FOLDER, names), [one, two, 'damaged']);
  });
});
