import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { getL10nJson } from '@vscode/l10n-dev';

type Words = Record<string, string>;
const read = (path: string): Words => JSON.parse(readFileSync(path, 'utf8'));
const placeholders = (text: string) => [...new Set(text.match(/\{\d\}/g))].sort();

describe('Translations', () => {
  it('have every run-time string of the code in Simplified Chinese, and no other', async () => {
    const files = globSync('src/**/*.ts');
    const sources = files.map((file) => ({ extension: '.ts', contents: readFileSync(file, 'utf8') }));
    const inCode = Object.keys(await getL10nJson(sources));
    const translated = read('l10n/bundle.l10n.zh-cn.json');
    assert.ok(inCode.length > 100);
    assert.deepEqual(Object.keys(translated).sort(), inCode.sort());
  });

  it('keep every placeholder', () => {
    for (const [english, chinese] of Object.entries(read('l10n/bundle.l10n.zh-cn.json'))) {
      assert.deepEqual(placeholders(chinese), placeholders(english), english);
    }
  });

  it('have every string of the manifest in both languages', () => {
    const english = Object.keys(read('package.nls.json')).sort();
    assert.deepEqual(Object.keys(read('package.nls.zh-cn.json')).sort(), english);
    const used = [...readFileSync('package.json', 'utf8').matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key);
    assert.deepEqual([...new Set(used)].sort(), english);
  });
});
