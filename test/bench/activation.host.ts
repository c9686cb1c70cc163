// Runs in the extension host: activates the extensions in BOT_CHATS_ACTIVATE in order, and writes their times to the file
// BOT_CHATS_RESULT.
import { writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { commands, extensions } from 'vscode';

const QUICK_MS = 20;
const QUICK_ANSWERS = 50;

/** Milliseconds by extension ID. */
export type Times = Record<string, number>;

/** Called by VS Code as its test runner. */
export async function run(): Promise<void> {
  const { BOT_CHATS_ACTIVATE = '[]', BOT_CHATS_RESULT = '' } = process.env;
  const times: Times = {};
  await settled();
  for (const id of JSON.parse(BOT_CHATS_ACTIVATE)) times[id] = await activate(id);
  await writeFile(BOT_CHATS_RESULT, JSON.stringify(times));
}

/** Waits until the window responds immediately several times in a row, which means that startup is over. */
async function settled(): Promise<void> {
  for (let quick = 0; quick < QUICK_ANSWERS; ) {
    const start = performance.now();
    await commands.executeCommand('setContext', 'bench', quick);
    quick = performance.now() - start < QUICK_MS ? quick + 1 : 0;
    await setTimeout(QUICK_MS);
  }
}

async function activate(id: string): Promise<number> {
  const extension = extensions.getExtension(id);
  if (!extension) throw new Error(`${id} isn't installed.`);
  if (extension.isActive) throw new Error(`${id} is already active.`);
  const start = performance.now();
  await extension.activate();
  return performance.now() - start;
}
