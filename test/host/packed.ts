/** The packed extension, which the page, vscode and window suites run on. */
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { npm } from './install.ts';
import { root } from './places.ts';

/** The output of `npm run package`. */
export const vsix = join(root, 'bot-chats.vsix');

/** The unpacked package, as VS Code would install it. */
export const packed = join(root, 'out/extension');

/** What the package is made of. */
const SOURCES = ['{l10n,media,skills,src}/**', '*.{json,mjs}'];

/**
 * Packs the extension and unpacks it, unless that was done with the same sources. A suite of `test/run.ts` has its package
 * already, even if a source is edited meanwhile. @throws what was printed if it can't be built or packed
 */
export async function pack(): Promise<void> {
  if (process.env.BOT_CHATS_RESULTS !== undefined) return;
  const sources = await digestOfSources();
  /** Written last, so that half a package has none. */
  const stamp = join(packed, '.sources');
  if ((await readFile(stamp, 'utf8').catch(() => '')) === sources) return;
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
  await writeFile(stamp, sources);
}

/** Mocha awaits this once, before its workers start: a file of page or window tests that is run alone tests the sources as they are. */
export async function mochaGlobalSetup(): Promise<void> {
  if (process.argv.some((one) => /\btest[\\/](?:page|window|\*)/.test(one))) await pack();
}

async function digestOfSources(): Promise<string> {
  const hash = createHash('sha256');
  const entries = globSync(SOURCES, { cwd: root, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files.sort()) hash.update(file).update(await readFile(file));
  return hash.digest('hex');
}
