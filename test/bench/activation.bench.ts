// How long VS Code takes to activate Bot Chats against an empty extension of the same shape (a CommonJS main that registers
// one command). Both are in one fresh extension host that has come to rest, where the one that goes first changes from
// host to host, after a third, empty one has paid for what only the first activation of a host costs. What counts is
// the time from asking until `activate()` has settled, loading the code included; its ratio is taken in each host, and
// of those the median.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
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
const BUNDLE = 'run.cjs';

/** Activation of Bot Chats against that of an empty extension. */
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
  const ratio = median(hosts.map(({ ours, control }) => ours / control));
  return [
    { what: 'activation against an empty extension', measured: ratio, unit: '×', bar: 2 },
    { what: '  Bot Chats', measured: median(hosts.map(({ ours }) => ours)), unit: 'ms' },
    { what: '  the empty extension', measured: median(hosts.map(({ control }) => control)), unit: 'ms' },
  ];
}

/** A folder of the three extensions, ours as it is packed, and of the module that activates them. */
async function makeExtensions(): Promise<string> {
  const folder = await temporaryFolder('activation');
  await cp(packed, join(folder, 'bot-chats'), { recursive: true });
  // It is activated when the host has come to rest, and not at its start.
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
    engines: { vscode: '^1.100.0' },
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
