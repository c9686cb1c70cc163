import assert from 'node:assert/strict';
import { join } from 'node:path';
import { build } from 'esbuild';
import manifest from '../../package.json' with { type: 'json' };
import { root } from '../host/places.ts';

describe('The extension for browsers', () => {
  it('is one file that imports nothing but VS Code', async () => {
    // For this platform, esbuild refuses every built-in module of Node.
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: ['src/extension.ts'],
      bundle: true,
      platform: 'browser',
      format: 'cjs',
      mainFields: ['module', 'main'],
      conditions: ['worker'],
      external: ['vscode'],
      outdir: join(root, 'out'),
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    const outputs = Object.values(metafile.outputs);
    assert.equal(outputs.length, 1);
    assert.deepEqual([...new Set(outputs[0]?.imports.map(({ path }) => path))], ['vscode']);
  });

  it('can be loaded by a browser', () => {
    assert.match(manifest.browser, /\.cjs$/);
    assert.equal(manifest.capabilities.virtualWorkspaces, true);
  });
});
