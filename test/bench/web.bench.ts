// Measures the extension in a browser, in a VS Code without a server: the size of its entry, and its activation compared
// with that of an empty extension. As in the activation bench, both run in the same fresh, idle extension host, after a
// warm-up extension; their order alternates between windows, and the time includes loading the code, over loopback.
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { addExtension } from '../host/helper.ts';
import { packed } from '../host/packed.ts';
import type { Profile } from '../host/profile.ts';
import { startStaticEditor } from '../host/staticWindow.ts';
import { temporaryFolder } from '../host/temporary.ts';
import { median, type Row } from './bench.ts';

const WINDOWS = 8;
const OURS = 'bot-chats.bot-chats';
const CONTROL = 'test.control';
const WARM_UP = 'test.warm-up';

/** Activates extensions in this order, once the window is idle, and says in the status bar how long each took (ms). */
const measureIn = (order: readonly string[]) => `const { commands, extensions, window } = require('vscode');

async function measure() {
  for (let quick = 0; quick < 50; ) {
    const start = performance.now();
    await commands.executeCommand('setContext', 'bench', quick);
    quick = performance.now() - start < 20 ? quick + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const times = {};
  for (const id of ${JSON.stringify(order)}) {
    const start = performance.now();
    await extensions.getExtension(id).activate();
    times[id] = performance.now() - start;
  }
  const status = window.createStatusBarItem();
  status.text = 'Measured';
  status.accessibilityInformation = { label: JSON.stringify(times) };
  status.show();
}

exports.activate = () => void measure();
`;

/** Measures the entry for browsers and its activation. */
export async function bench(): Promise<Row[]> {
  const entry = await readFile(join(packed, 'dist/web/extension.cjs'));
  const extension = await withoutEvents();
  const windows: { ours: number; control: number }[] = [];
  for (let number = 0; number < WINDOWS; number++) {
    const order = number % 2 === 0 ? [WARM_UP, CONTROL, OURS] : [WARM_UP, OURS, CONTROL];
    const times = await timesOf(extension, order);
    windows.push({ ours: times[OURS] ?? Number.NaN, control: times[CONTROL] ?? Number.NaN });
  }
  const ratio = median(windows.map(({ ours, control }) => ours / control));
  return [
    {
      what: 'entry for browsers, compressed (Brotli)',
      measured: brotliCompressSync(entry).length / 1000,
      unit: 'kB',
      bar: 250,
    },
    { what: '  with gzip', measured: gzipSync(entry, { level: 9 }).length / 1000, unit: 'kB' },
    { what: 'activation in a browser, compared with an empty extension', measured: ratio, unit: '×', bar: 2 },
    { what: '  Bot Chats', measured: median(windows.map(({ ours }) => ours)), unit: 'ms' },
    { what: '  empty extension', measured: median(windows.map(({ control }) => control)), unit: 'ms' },
  ];
}

/** A copy of the packed extension that is activated only on request. */
async function withoutEvents(): Promise<string> {
  const folder = join(await temporaryFolder('extension'), 'bot-chats');
  await cp(packed, folder, { recursive: true });
  const manifest = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, activationEvents: [] }));
  return folder;
}

/** Milliseconds by extension ID, in a window of its own. */
async function timesOf(extension: string, order: readonly string[]): Promise<Record<string, number>> {
  const prepare = async (profile: Profile) => {
    for (const id of [CONTROL, WARM_UP]) {
      const name = id.slice('test.'.length);
      const commands = [{ command: `${name}.nothing`, title: 'Nothing' }];
      const script = `const { commands } = require('vscode');
exports.activate = (context) => {
  context.subscriptions.push(commands.registerCommand('${name}.nothing', () => {}));
};
`;
      await addExtension(profile, { name, contributes: { commands } }, script, ['browser']);
    }
    const measuring = { name: 'measure', activationEvents: ['onStartupFinished'] };
    await addExtension(profile, measuring, measureIn(order), ['browser']);
  };
  const editor = await startStaticEditor({ prepare, extension });
  try {
    const { page } = await editor.open();
    const measured = page.locator('.statusbar-item-label', { hasText: 'Measured' });
    return JSON.parse((await measured.getAttribute('aria-label')) ?? '{}');
  } finally {
    await editor.close();
  }
}
