import { globSync } from 'node:fs';
import { join } from 'node:path';

/** Runs every bundled `*.test.cjs` beside this module inside the extension host; rejects when one fails. */
export async function run(): Promise<void> {
  const { default: Mocha } = await import('mocha');
  const mocha = new Mocha({ ui: 'bdd', reporter: 'spec', color: false, timeout: 20_000 });
  for (const file of globSync('**/*.test.cjs', { cwd: __dirname })) mocha.addFile(join(__dirname, file));
  const failures = await new Promise<number>((resolve) => {
    mocha.run(resolve);
  });
  if (failures > 0) throw new Error(`${failures} of the tests failed.`);
}
