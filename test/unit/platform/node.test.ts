import assert from 'node:assert/strict';
import process from 'node:process';
import { builtin, isBrowser, isWindows } from '../../../src/platform/node.ts';
import { inBrowser } from '../inBrowser.ts';

describe('The extension host', () => {
  const { platform } = process;
  const setPlatform = (value: string) => Object.defineProperty(process, 'platform', { value });
  afterEach(() => setPlatform(platform));

  it('has the modules of Node, except in a browser', async () => {
    assert.equal(builtin('node:process'), process);
    assert.equal(isBrowser(), false);
    await inBrowser(async () => {
      assert.equal(builtin('node:process'), undefined);
      assert.equal(isBrowser(), true);
    });
  });

  it('is a program for Windows there only', async () => {
    setPlatform('win32');
    assert.equal(isWindows(), true);
    assert.equal(await inBrowser(async () => isWindows()), false);
    for (const other of ['linux', 'darwin']) {
      setPlatform(other);
      assert.equal(isWindows(), false, other);
    }
  });
});
