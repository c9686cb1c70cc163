import { globSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';
import config from '../../.mocharc.json' with { type: 'json' };
import Reporter from '../reporter.ts';

/** Runs all `*.test.js` files of this folder in the extension host. Rejects if a test fails. */
export async function run(): Promise<void> {
  const { BOT_CHATS_GREP: grep } = process.env;
  const mocha = new Mocha({
    ui: 'bdd',
    reporter: Reporter,
    reporterOptions: { sources: 'test/vscode' },
    color: false,
    timeout: config.timeout,
    ...(grep ? { grep } : {}),
  });
  for (const file of globSync('**/*.test.js', { cwd: import.meta.dirname }).sort()) {
    mocha.addFile(join(import.meta.dirname, file));
  }
  await mocha.loadFilesAsync();
  const failures = await new Promise<number>((resolve) => {
    mocha.run(resolve);
  });
  if (failures > 0) throw new Error(`${failures} tests failed.`);
}
