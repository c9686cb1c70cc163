// Runs npm scripts side by side, for tests in the extension host mostly wait, and prints what each says, one after the
// other. Fails when one of them does.
//   node test/host/together.ts test:unit test:vscode
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Resolves to the exit code of a script, and all that it has printed. */
async function run(script: string): Promise<{ code: number; output: string }> {
  const npm = spawn(`npm run ${script}`, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const add = (text: string) => {
    output += text;
  };
  for (const stream of [npm.stdout, npm.stderr]) stream.setEncoding('utf8').on('data', add);
  const [code] = await once(npm, 'close');
  return { code: code ?? 1, output };
}

const running = process.argv.slice(2).map(run);
for (const one of running) {
  const { code, output } = await one;
  process.stdout.write(output);
  if (code !== 0) process.exitCode = 1;
}
