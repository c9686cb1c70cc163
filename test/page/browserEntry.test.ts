import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { packed } from '../host/packed.ts';
import { openTab } from '../host/tabs.ts';

describe('The extension for browsers', () => {
  it('is one file that needs nothing but VS Code', async () => {
    const script = await readFile(join(packed, manifest.browser), 'utf8');
    const imported = script.matchAll(/\b(?:require|import)\(\s*["'`]([^"'`]*)/g);
    assert.deepEqual([...new Set([...imported].map(([, name]) => name))], ['vscode']);
  });

  it('loads in a browser, as VS Code loads it', async () => {
    const script = await readFile(join(packed, manifest.browser), 'utf8');
    const page = await openTab();
    try {
      const exported = await page.evaluate((script) => {
        const module = { exports: {} };
        // An API in which everything is a class.
        const vscode = new Proxy({}, { get: () => class {} });
        new Function('module', 'exports', 'require', script)(module, module.exports, () => vscode);
        return Object.keys(module.exports).toSorted();
      }, script);
      assert.deepEqual(exported, ['activate', 'deactivate']);
    } finally {
      await page.close();
    }
  });

  it('is offered to virtual workspaces', () => {
    assert.equal(manifest.capabilities.virtualWorkspaces, true);
  });
});
