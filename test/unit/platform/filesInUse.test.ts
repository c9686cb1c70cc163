import assert from 'node:assert/strict';
import { FileInUseError, filesInUseSync } from '../../../src/platform/filesInUse.ts';

describe('A file that another program has open, for a thread that stands still', () => {
  const failure = (code: string) => Object.assign(new Error('not now'), { code });

  /** Tries something that fails so many times, and how long each pause was (milliseconds). */
  function trying(code: string, failures: number, onWindows: boolean) {
    let now = 0;
    let left = failures;
    const pauses: number[] = [];
    const clock = {
      now: () => now,
      sleep: (ms: number) => {
        pauses.push(ms);
        now += ms;
      },
    };
    const act = () => {
      if (left-- > 0) throw failure(code);
      return 'done';
    };
    return { pauses, run: () => filesInUseSync({ clock, onWindows })('C:/a/b', act) };
  }

  it('is tried again, with growing pauses of up to half a second', () => {
    const { run, pauses } = trying('EBUSY', 8, true);
    assert.equal(run(), 'done');
    assert.deepEqual(pauses, [10, 20, 40, 80, 160, 320, 500, 500]);
  });

  it('is given up after 15 seconds, and named', () => {
    const { run, pauses } = trying('EPERM', Infinity, true);
    assert.throws(
      run,
      (error) => error instanceof FileInUseError && error.path === 'C:\\a\\b' && error.code === 'EPERM',
    );
    const waited = pauses.reduce((sum, pause) => sum + pause);
    assert.ok(waited >= 15_000 && waited < 15_500, `${waited} ms`);
  });

  it("isn't waited for after another error", () => {
    for (const other of ['no', new Error('no'), undefined]) {
      const clock = { now: () => 0, sleep: () => assert.fail() };
      let thrown: unknown;
      try {
        filesInUseSync({ clock, onWindows: true })('/a', () => {
          throw other;
        });
      } catch (error) {
        thrown = error;
      }
      assert.equal(thrown, other);
    }
  });

  it("is one only if the system's error says so", () => {
    for (const [code, onWindows, isTriedAgain] of [
      ['EACCES', true, true],
      ['EPERM', true, true],
      ['EBUSY', true, true],
      ['ENOTEMPTY', true, true],
      ['ENOENT', true, false],
      ['EACCES', false, false],
      ['EPERM', false, false],
      ['EBUSY', false, true],
      ['ENOTEMPTY', false, true],
    ] as const) {
      const { run, pauses } = trying(code, 1, onWindows);
      if (isTriedAgain) assert.equal(run(), 'done', code);
      else assert.throws(run, { message: 'not now' }, code);
      assert.equal(pauses.length, isTriedAgain ? 1 : 0, code);
    }
  });
});
