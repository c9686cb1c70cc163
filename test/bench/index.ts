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
/** What missed its bar or didn't run, once more at the end. */
const missed: string[] = [];
for (const name of wanted.length > 0 ? wanted : all.toSorted()) {
  const file = pathToFileURL(join(import.meta.dirname, `${name}.bench.ts`)).href;
  const { bench }: { bench: Bench } = await import(file);
  try {
    const rows = await bench();
    console.log(`\n${name}\n${table(rows)}`);
    if (rows.length === 0) throw new Error('It measured nothing.');
    const failed = rows.filter((row) => !holds(row));
    if (failed.length > 0) missed.push(`${name}\n${table(failed)}`);
  } catch (error) {
    console.error(`\n${name}\n${error instanceof Error ? error.stack : error}`);
    missed.push(`${name}\n${error instanceof Error ? error.message : error}`);
  }
}
if (missed.length > 0) {
  console.log(`\nMissed\n\n${missed.join('\n\n')}`);
  process.exitCode = 1;
}
