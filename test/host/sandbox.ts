// Serves the sandbox over HTTP until interrupted:
//   npm run sandbox -- [--port 8787] [--messages 480] [--cors [on|off]] [--faults FILE]
// Prints one line of JSON with its URLs, a token and all IDs. Browsers get answers only with --cors. FILE is a FaultPlan
// in JSON.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readPlan } from '../faults/plan.ts';
import { type SandboxServerOptions, serveSandbox } from './serve.ts';

const usage = 'Usage: npm run sandbox -- [--port 0-65535] [--messages 0-100000000] [--cors [on|off]] [--faults FILE]';

type Options = Pick<SandboxServerOptions, 'cors' | 'messages' | 'faults'> & { readonly port: number };

function readOptions(): Options {
  const { values } = parseArgs({
    args: process.argv.slice(2).flatMap((arg, at, all) => (isBareCors(arg, all[at + 1]) ? [arg, 'on'] : [arg])),
    options: {
      port: { type: 'string', default: '8787' },
      messages: { type: 'string' },
      cors: { type: 'string', default: 'off' },
      faults: { type: 'string' },
    },
  });
  const { port, messages, cors, faults } = values;
  if (!['on', 'off'].includes(cors)) throw new RangeError(`--cors must be on or off, not '${cors}'`);
  return {
    cors: cors === 'on',
    port: wholeNumber('--port', port, 65_535),
    ...(messages !== undefined && { messages: wholeNumber('--messages', messages, 100_000_000) }),
    ...(faults !== undefined && { faults: readFaults(faults) }),
  };
}

/** `--cors` alone means that it's on. */
const isBareCors = (arg: string, next = '--') => arg === '--cors' && next.startsWith('--');

function readFaults(file: string) {
  try {
    return readPlan(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`--faults ${file}: ${error instanceof Error ? error.message : error}`);
  }
}

function wholeNumber(option: string, text: string, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= most) return number;
  throw new RangeError(`${option} must be a whole number from 0 to ${most}, not '${text}'`);
}

/** Prints an error and sets the exit code. The process exits once all pending work is done. */
function fail(exitCode: number, ...lines: string[]): void {
  console.error(lines.join('\n'));
  process.exitCode = exitCode;
}

async function run({ port, ...options }: Options): Promise<void> {
  const { sandbox, close } = await serveSandbox(options, port);
  // A second signal ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, close);
  const { webUrl, openApiUrl, groups, bots, users } = sandbox;
  const token = sandbox.token(bots[0] ?? '');
  console.log(JSON.stringify({ webUrl, openApiUrl, token, groups, bots, users }));
}

let options: Options | undefined;
try {
  options = readOptions();
} catch (error) {
  fail(2, error instanceof Error ? error.message : String(error), usage);
}

if (options) {
  try {
    await run(options);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    fail(1, `Port ${options.port} is in use. Choose another with --port, or 0 for any free one.`);
  }
}
