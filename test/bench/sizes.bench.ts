import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { packed, vsix } from '../host/packed.ts';
import { root } from '../host/places.ts';
import { loadedWith } from '../release/rules.ts';
import type { Row } from './bench.ts';

/** Measures the package and the files that VS Code reads, in kB (1,000 bytes). */
export async function bench(): Promise<Row[]> {
  return [
    { what: 'vsix', measured: await kilobytes(vsix), unit: 'kB', bar: 1_050 },
    { what: '  loaded with the sidebar', measured: await withImports('dist/sidebar.js'), unit: 'kB' },
    { what: '  loaded with a history', measured: await withImports('dist/chats/history.js'), unit: 'kB' },
    { what: '  script of all pages', measured: await kilobytes(join(packed, 'dist/page.js')), unit: 'kB' },
  ];
}

async function kilobytes(file: string): Promise<number> {
  return (await stat(file)).size / 1000;
}

/** The size of a file with all that is loaded at the same time. */
async function withImports(file: string): Promise<number> {
  const bundles: Metafile[] = JSON.parse(await readFile(join(root, 'out/bundles.json'), 'utf8'));
  const outputs = Object.assign({}, ...bundles.map((bundle) => bundle.outputs)) as Metafile['outputs'];
  return loadedWith(file, outputs).reduce((sum, one) => sum + (outputs[one]?.bytes ?? 0), 0) / 1000;
}
