import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../host/places.ts';

describe('CONTRIBUTING', () => {
  it('names only files and folders that exist', () => {
    const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
    const named = [...text.matchAll(/`((?:[\w.*-]+\/)+[\w.-]*)`/g)].map(([, path = '']) => path);
    const missing = named.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, 'src', path)));
    assert.ok(named.length > 60);
    // Made by the build, the tests and the installers.
    const made = ['dist/', 'out/', '.vscode-test'];
    assert.deepEqual(
      missing.filter((path) => !made.some((prefix) => path.startsWith(prefix))),
      [],
    );
  });
});
