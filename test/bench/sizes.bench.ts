import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root, temporaryFolder } from '../host/places.ts';
import type { Row } from './bench.ts';

/** What is read to activate, what a history page reads before it paints, what is downloaded to install: in 1,000 bytes. */
export async function bench(): Promise<Row[]> {
  return [
    await row('host bundle', 60, await withImports(join(root, 'dist/extension.cjs'))),
    await row('webview bundle', 60, await withImports(join(root, 'dist/webview/history.js'))),
    await row('vsix', 200, [await pack()]),
  ];
}

async function row(what: string, bar: number, files: Iterable<string>): Promise<Row> {
  let bytes = 0;
  for (const file of files) bytes += (await stat(file)).size;
  return { what, measured: bytes / 1000, unit: 'kB', bar };
}

/** A bundle with those that it reads at once; what it reads later (`import(…)`, `() => require(…)`) does not count. */
async function withImports(file: string, found = new Set<string>()): Promise<Set<string>> {
  found.add(file);
  const atOnce = /(?:\bfrom\s*|\bimport\s*|(?<![>(]\s*)\brequire\()["'](\.[^"']+)["']/g;
  for (const [, path = ''] of (await readFile(file, 'utf8')).matchAll(atOnce)) {
    const imported = join(dirname(file), path);
    if (!found.has(imported)) await withImports(imported, found);
  }
  return found;
}

async function pack(): Promise<string> {
  const vsix = join(await temporaryFolder('vsix'), 'bot-chats.vsix');
  const shell = process.platform === 'win32';
  await promisify(execFile)('npm', ['run', 'package', '--', '--out', vsix], { cwd: root, shell });
  return vsix;
}
