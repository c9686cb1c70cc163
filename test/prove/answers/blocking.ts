/** Measures how long large answers over HTTP, and everything done with them, block the thread. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import '../../unit/vscode.ts';
import { Client } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import type { Listed } from '../../../src/service/message.ts';
import type { Found } from '../../../src/service/model.ts';
import { longestBlock, MAX_BLOCK } from '../blocks.ts';
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

/** Serves large answers from a separate thread. Must be closed. */
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
  /** Numbers of answers and of blocks that were too long, and the longest block (milliseconds). */
  readonly measured: { answers: number; tooLong: number; longest: number };
  close(): Promise<unknown>;
}

/** No answer may block the thread for longer than {@link MAX_BLOCK}. Must be closed. */
export async function blocking(): Promise<Blocking> {
  const { ask, close } = await largeAnswers();
  // These import `vscode`, which is mocked by now.
  const { usesOfFound, usesOfPage } = await import('./uses.ts');
  const measured = { answers: 0, tooLong: 0, longest: 0 };

  const measure = async (what: string, run: () => Promise<unknown>) => {
    const took = await longestBlock(run);
    measured.longest = Math.max(measured.longest, took);
    if (took <= MAX_BLOCK) return;
    measured.tooLong++;
    assert.fail(`${what} held the thread for ${Math.round(took)} ms`);
  };

  const property = (wanted: Wanted) =>
    fc.asyncProperty(larges(), async (large) => {
      measured.answers++;
      let value: unknown;
      await measure('reading', async () => {
        value = await ask(large, wanted).catch((error: unknown) => {
          assert.ok(error instanceof ServiceError, String(error));
        });
      });
      if (value === undefined || wanted === 'batchSend') return;
      const uses = wanted === 'messages' ? Object.entries(usesOfPage) : Object.entries(usesOfFound);
      for (const [what, use] of uses)
        await measure(`using the result (${what})`, async () => use(value as Listed[] & Found));
    });
  const properties = names.map((name) => [`an answer to ${name} of any size never blocks the thread`, property(name)]);
  return { properties: Object.fromEntries(properties), measured, close };
}
