// Builds test/vscode, and runs it in a VS Code with the packed extension.
//   --desktop           use a desktop VS Code, downloaded if necessary, instead of the server from npm
//   --version VERSION   the version of that desktop VS Code, such as 1.105.1; default: the newest
//   --executable PATH   use an installed desktop VS Code (or set BOT_CHATS_VSCODE)
//   --grep PATTERN      run only tests whose titles match
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runTests, TestRunFailedError } from '@vscode/test-electron';
import { pack, packed } from './packed.ts';
import { copyWorkspace, root } from './places.ts';
import { temporaryProfile } from './profile.ts';

const { values } = parseArgs({
  options: {
    desktop: { type: 'boolean' },
    version: { type: 'string' },
    executable: { type: 'string' },
    grep: { type: 'string', short: 'g' },
  },
});
const { BOT_CHATS_VSCODE, BOT_CHATS_RESULTS } = process.env;
const given = values.executable ?? BOT_CHATS_VSCODE;
const server = fileURLToPath(import.meta.resolve('./launch.ts'));
const executable = values.desktop || given ? given : server;

await pack();
execFileSync(process.execPath, ['esbuild.mjs', '--tests'], { cwd: root, stdio: 'inherit' });
const profile = await temporaryProfile();
try {
  await runTests({
    ...(executable && { vscodeExecutablePath: executable }),
    ...(values.version && { version: values.version }),
    extensionDevelopmentPath: packed,
    extensionTestsPath: join(packed, 'test/index.js'),
    extensionTestsEnv: { BOT_CHATS_GREP: values.grep, BOT_CHATS_RESULTS },
    launchArgs: [await copyWorkspace(), '--user-data-dir', profile.userData, '--extensions-dir', profile.extensions],
  });
} catch (error) {
  if (!(error instanceof TestRunFailedError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
