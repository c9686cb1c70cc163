import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../host/places.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('CONTRIBUTING', () => {
  const text = read('CONTRIBUTING.md');
  /** Made by the build, the tests and the installers. */
  const made = ['dist/', 'out/', '.vscode-test'];
  /** The path of a file or a folder that is named, which may begin in `src`. */
  const find = (path: string) => [path, `src/${path}`].find((one) => existsSync(join(root, one)));

  it('names only files and folders that exist', () => {
    const named = [...text.matchAll(/`((?:[\w.*-]+\/)+[\w.-]*)`/g)].map(([, path = '']) => path);
    assert.ok(named.length > 60);
    assert.deepEqual(
      named.filter((path) => !find(path) && !made.some((prefix) => path.startsWith(prefix))),
      [],
    );
  });

  it('names symbols in the files in which they are', () => {
    const named = [...text.matchAll(/`(\w+)`\s+(?:in|of|\()\s*`([\w./-]+\.\w+)`/g)];
    assert.ok(named.length > 20);
    const missing = named.filter(([, symbol, path = '']) => {
      const file = find(path);
      return !file || !new RegExp(`\\b${symbol}\\b`).test(read(file));
    });
    assert.deepEqual(
      missing.map(([, symbol, path]) => `${symbol} in ${path}`),
      [],
    );
  });
});

describe("The service's contract", () => {
  it('has the sections that comments cite', () => {
    const contract = read('src/service/contract.md');
    const sections = [...contract.matchAll(/^#+ (\d+(?:\.\d+)?)\.? /gm)].map(([, section]) => section);
    const cited = globSync('{src,test}/**/*.{ts,tsx}', { cwd: root }).flatMap((path) =>
      [...read(path).matchAll(/\bcontract (\d[\d., –]*(?:(?:and|or) \d[\d.]*)?)/gi)].flatMap(([, sections = '']) =>
        [...sections.matchAll(/\d+(?:\.\d+)?/g)].map(([section]) => ({ path, section })),
      ),
    );
    assert.ok(cited.length > 100);
    assert.deepEqual(
      cited.filter(({ section }) => !sections.includes(section)),
      [],
    );
  });
});
