// Packs the extension and runs all benches on it, or those named: `npm run bench -- sizes`. Exits with 1 if a bar is
// missed.
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pack } from '../host/packed.ts';
import { type Bench, holds, table } from './bench.ts';

const all = globSync('*.bench.ts', { cwd: import.meta.dirname }).map((file) => basename(file, '.bench.ts'));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) throw new Error(`Unknown bench "${unknown.join(', ')}". Choose from: ${all.join(', ')}.`);

await pack();
for (const name of wanted.length > 0 ? wanted : all.toSorted()) {
  const file = pathToFileURL(join(import.meta.dirname, `${name}.bench.ts`)).href;
  const { bench }: { bench: Bench } = await import(file);
  try {
    const rows = await bench();
    console.log(`\n${name}\n${table(rows)}`);
    if (!rows.every(holds)) process.exitCode = 1;
  } catch (error) {
    console.error(`\n${name}\n${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
