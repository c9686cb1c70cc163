import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { packed, vsix } from '../host/packed.ts';
import type { Row } from './bench.ts';

/** Measures the package and the files that VS Code reads, in kB (1,000 bytes). */
export async function bench(): Promise<Row[]> {
  return [
    { what: 'vsix', measured: await kilobytes(vsix), unit: 'kB', bar: 400 },
    { what: '  loaded on activation', measured: await kilobytes(join(packed, 'dist/extension.cjs')), unit: 'kB' },
    { what: '  loaded later', measured: await kilobytes(join(packed, 'dist/lazy.js')), unit: 'kB' },
    { what: '  script of all pages', measured: await kilobytes(join(packed, 'dist/page.js')), unit: 'kB' },
  ];
}

async function kilobytes(file: string): Promise<number> {
  return (await stat(file)).size / 1000;
}
