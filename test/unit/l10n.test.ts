import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';

type Words = Record<string, string>;
const read = (path: string): Words => JSON.parse(readFileSync(path, 'utf8'));
const placeholders = (text: string) => [...new Set(text.match(/\{\d\}/g))].sort();

/** Each use of `l10n`: a call, whose text it captures, an import, or how pages get theirs. */
const USE =
  /\bl10n(?:\.t\(\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")(?=\s*[,)])|(?=[^;()]*\} from '(?:vscode|\.\.?\/(?:common\/)?host\.ts)';)|\.bundle\b| = \{)/g;

describe('Translations', () => {
  it('contain every string of the code in Simplified Chinese, and no others', () => {
    const literals = globSync('src/**/*.{ts,tsx}').flatMap((file) => {
      const code = readFileSync(file, 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
      const uses = [...code.matchAll(USE)];
      assert.equal(uses.length, [...code.matchAll(/\bl10n\b/g)].length, `${file} uses l10n in another way.`);
      return uses.flatMap(([, literal]) => literal ?? []);
    });
    assert.ok(literals.length > 100);
    const inCode: string[] = runInNewContext(`[${literals}]`);
    const translated = read('l10n/bundle.l10n.zh-cn.json');
    assert.deepEqual(Object.keys(translated).sort(), [...new Set(inCode)].sort());
  });

  it('keep all placeholders', () => {
    for (const [english, chinese] of Object.entries(read('l10n/bundle.l10n.zh-cn.json'))) {
      assert.deepEqual(placeholders(chinese), placeholders(english), english);
    }
  });

  it('contain every string of the manifest in both languages', () => {
    const english = Object.keys(read('package.nls.json')).sort();
    assert.deepEqual(Object.keys(read('package.nls.zh-cn.json')).sort(), english);
    const used = [...readFileSync('package.json', 'utf8').matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key);
    assert.deepEqual([...new Set(used)].sort(), english);
  });
});
