/** Large answers over HTTP: how long each of them, and what is done with it, holds the thread that reads it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import '../../unit/vscode.ts';
import { Client } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import type { Listed } from '../../../src/service/message.ts';
import type { Found } from '../../../src/service/model.ts';
import { LONGEST, longestBlock } from '../blocks.ts';
import { type Large, larges, TOKEN, type Wanted } from './large.ts';
import { names } from './mutations.ts';

const chat = { type: 'group', id: 'big' } as const;

const calls: Record<Wanted, (client: Client, count: number) => Promise<unknown>> = {
  group: (client) => client.group('1'),
  bot: (client) => client.bot('1'),
  user: (client) => client.user('1'),
  messages: (client, count) => client.messages(TOKEN, chat, { latest: count }),
  batchSend: (client, count) =>
    client.batchSend(TOKEN, 'group', Array<string>(count).fill('g'), { contentType: 'text', content: { text: 'a' } }),
};

/** Large answers from a thread of their own. To be closed. */
async function largeAnswers() {
  const worker = new Worker(new URL('./largeServer.ts', import.meta.url));
  const [port] = await once(worker, 'message');
  const ask = async (large: Large, wanted: Wanted): Promise<unknown> => {
    const address = `http://127.0.0.1:${port}/${encodeURIComponent(JSON.stringify(large))}/${wanted}`;
    return calls[wanted](new Client({ webUrl: address, openApiUrl: address }), large.count);
  };
  return { ask, close: () => worker.terminate() };
}

export interface Blocking {
  readonly properties: Readonly<Record<string, fc.IAsyncProperty<unknown>>>;
  /** What was measured so far: how many answers, how many pieces of work were too long, and the longest (ms). */
  readonly measured: { answers: number; tooLong: number; longest: number };
  close(): Promise<unknown>;
}

/** What no answer of the service may do: hold the thread for longer than {@link LONGEST}. To be closed. */
export async function blocking(): Promise<Blocking> {
  const { ask, close } = await largeAnswers();
  // They import what only VS Code has, or what stands in for it from here on.
  const { usesOfFound, usesOfPage } = await import('./uses.ts');
  const measured = { answers: 0, tooLong: 0, longest: 0 };

  const within = async (what: string, run: () => Promise<unknown>) => {
    const took = await longestBlock(run);
    measured.longest = Math.max(measured.longest, took);
    if (took <= LONGEST) return;
    measured.tooLong++;
    assert.fail(`${what} held the thread for ${Math.round(took)} ms`);
  };

  const property = (wanted: Wanted) =>
    fc.asyncProperty(larges(), async (large) => {
      measured.answers++;
      let value: unknown;
      await within('reading it', async () => {
        value = await ask(large, wanted).catch((error: unknown) => {
          assert.ok(error instanceof ServiceError, String(error));
        });
      });
      if (value === undefined || wanted === 'batchSend') return;
      const uses = wanted === 'messages' ? Object.entries(usesOfPage) : Object.entries(usesOfFound);
      for (const [what, use] of uses)
        await within(`what was read, ${what},`, async () => use(value as Listed[] & Found));
    });
  const properties = names.map((name) => [
    `whatever the size of the answer to ${name}, all others have their turn`,
    property(name),
  ]);
  return { properties: Object.fromEntries(properties), measured, close };
}
