/** The packed extension, which the page, vscode and window suites run on. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { npm } from './install.ts';
import { root } from './places.ts';

/** The output of `npm run package`. */
export const vsix = join(root, 'bot-chats.vsix');

/** The unpacked package, as VS Code would install it. */
export const packed = join(root, 'out/extension');

/** Packs the extension and unpacks it. @throws what was printed if it can't be built or packed */
export async function pack(): Promise<void> {
  console.log('Packing the extension …');
  await npm(root, 'run', '--silent', 'package');
  await rm(packed, { recursive: true, force: true });
  const prefix = 'extension/';
  for (const [path, contents] of Object.entries(unzipSync(await readFile(vsix)))) {
    if (!path.startsWith(prefix) || path.endsWith('/')) continue;
    const file = join(packed, path.slice(prefix.length));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, contents);
  }
}
