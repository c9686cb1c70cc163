// Measures the extension in a browser, in a VS Code without a server: the size of its entry, and its activation compared
// with that of an empty extension. As in the activation bench, both run in the same fresh, idle extension host, after a
// warm-up extension; their order alternates between windows, and the time includes loading the code, over loopback.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { addExtension } from '../host/helper.ts';
import { packed } from '../host/packed.ts';
import type { Profile } from '../host/profile.ts';
import { startStaticEditor } from '../host/staticWindow.ts';
import { temporaryFolder } from '../host/temporary.ts';
import { compared, type Round, type Row } from './bench.ts';
import { addEmpty, CONTROL, copyWithoutEvents, OURS, orderOf } from './control.ts';

const WINDOWS = 8;

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
  const extension = join(await temporaryFolder('extension'), 'bot-chats');
  await copyWithoutEvents(extension);
  const windows: Round[] = [];
  for (let number = 0; number < WINDOWS; number++) {
    const times = await timesOf(extension, orderOf(number));
    windows.push({ ours: times[OURS] ?? Number.NaN, control: times[CONTROL] ?? Number.NaN });
  }
  const what = 'activation in a browser, compared with an empty extension';
  return [
    {
      what: 'entry for browsers, compressed (Brotli)',
      measured: brotliCompressSync(entry).length / 1000,
      unit: 'kB',
      bar: 250,
    },
    { what: '  with gzip', measured: gzipSync(entry, { level: 9 }).length / 1000, unit: 'kB' },
    ...compared(what, windows, 2, ['Bot Chats', 'empty extension']),
  ];
}

/** Milliseconds by extension ID, in a window of its own. */
async function timesOf(extension: string, order: readonly string[]): Promise<Record<string, number>> {
  const prepare = async (profile: Profile) => {
    await addEmpty(profile);
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
