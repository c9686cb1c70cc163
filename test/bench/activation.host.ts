// Runs inside the extension host: activates the extensions named in BOT_CHATS_ACTIVATE one after the other, and writes
// how long each took to the file BOT_CHATS_RESULT.
import { writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { commands, extensions } from 'vscode';

const QUICK_MS = 20;
const QUICK_ANSWERS = 50;

/** Milliseconds by extension ID. */
export type Times = Record<string, number>;

/** VS Code calls this where tests would run. */
export async function run(): Promise<void> {
  const { BOT_CHATS_ACTIVATE = '[]', BOT_CHATS_RESULT = '' } = process.env;
  const times: Times = {};
  await settled();
  for (const id of JSON.parse(BOT_CHATS_ACTIVATE)) times[id] = await activate(id);
  await writeFile(BOT_CHATS_RESULT, JSON.stringify(times));
}

/** Waits until the window answers at once, time after time: it has then done what it does at its start. */
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
  if (!extension) throw new Error(`${id} is not here.`);
  if (extension.isActive) throw new Error(`${id} was activated before it was asked for.`);
  const start = performance.now();
  await extension.activate();
  return performance.now() - start;
}
