// Compares the activation time of Bot Chats with that of an empty extension (a CommonJS main that registers one command).
// Both run in the same fresh, idle extension host, after a warm-up extension has absorbed the one-time costs; their order
// alternates between hosts. The time includes loading the code. The result is the median of each host's ratio.
import { cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packed } from '../host/packed.ts';
import { temporaryFolder } from '../host/temporary.ts';
import type { Times } from './activation.host.ts';
import { median, type Row } from './bench.ts';
import { bundleForHost, inFreshHost } from './inHost.ts';

const HOSTS = 8;
const OURS = 'bot-chats.bot-chats';
const CONTROL = 'control.control';
const WARM_UP = 'control.warm-up';
const BUNDLE = 'run.mjs';

/** Compares the activation of Bot Chats with that of an empty extension. */
export async function bench(): Promise<Row[]> {
  const extensions = await makeExtensions();
  const hosts: { ours: number; control: number }[] = [];
  for (let host = 0; host < HOSTS; host++) {
    const order = host % 2 === 0 ? [WARM_UP, CONTROL, OURS] : [WARM_UP, OURS, CONTROL];
    const { [OURS]: ours = Number.NaN, [CONTROL]: control = Number.NaN } = await inFreshHost<Times>(
      extensions,
      join(extensions, BUNDLE),
      { BOT_CHATS_ACTIVATE: JSON.stringify(order) },
    );
    hosts.push({ ours, control });
  }
  const { size } = await stat(join(packed, 'dist/extension.cjs'));
  const ratio = median(hosts.map(({ ours, control }) => ours / control));
  return [
    { what: 'activation, compared with an empty extension', measured: ratio, unit: '×', bar: 2 },
    { what: '  Bot Chats', measured: median(hosts.map(({ ours }) => ours)), unit: 'ms' },
    { what: '  empty extension', measured: median(hosts.map(({ control }) => control)), unit: 'ms' },
    { what: '  the file that is activated', measured: size / 1000, unit: 'kB', bar: 32 },
  ];
}

/** Creates a folder with the three extensions (ours as packed) and the module that activates them. */
async function makeExtensions(): Promise<string> {
  const folder = await temporaryFolder('activation');
  await cp(packed, join(folder, 'bot-chats'), { recursive: true });
  // Without events, it's activated only on request, once the host is idle.
  const manifest = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8'));
  await writeFile(join(folder, 'bot-chats/package.json'), JSON.stringify({ ...manifest, activationEvents: [] }));
  for (const name of ['control', 'warm-up']) await makeEmpty(join(folder, name), name);
  await bundleForHost('activation.host.ts', join(folder, BUNDLE));
  return folder;
}

async function makeEmpty(folder: string, name: string): Promise<void> {
  const command = `${name}.nothing`;
  const manifest = {
    name,
    publisher: 'control',
    version: '0.1.0',
    engines: { vscode: '^1.105.0' },
    main: './main.cjs',
    contributes: { commands: [{ command, title: 'Nothing' }] },
  };
  const main = `const { commands } = require('vscode');
exports.activate = (context) => {
  context.subscriptions.push(commands.registerCommand('${command}', () => {}));
};
`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.cjs'), main);
}
