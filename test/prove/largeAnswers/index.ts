/** Answers at or beyond the size limits, over HTTP: neither reading them nor anything done with them blocks the thread. */
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
import { names } from '../oddAnswers/answers.ts';
import { count, type Effort, type Proof, search } from '../proof.ts';
import { type Large, larges, TOKEN, type Wanted } from './large.ts';

const chat = { kind: 'group', id: 'big' } as const;

const calls: Record<Wanted, (client: Client, count: number) => Promise<unknown>> = {
  group: (client) => client.group('1'),
  bot: (client) => client.bot('1'),
  user: (client) => client.user('1'),
  messages: (client, count) => client.messages(TOKEN, chat, { latest: count }),
  batchSend: (client, count) =>
    client.batchSend(TOKEN, 'group', Array<string>(count).fill('g'), { contentType: 'text', content: { text: 'a' } }),
};

/** Serves large answers from a separate thread. Must be closed. */
async function serveLarge() {
  const worker = new Worker(new URL('./server.thread.ts', import.meta.url));
  const [port] = await once(worker, 'message');
  const ask = async (large: Large, wanted: Wanted): Promise<unknown> => {
    const address = `http://127.0.0.1:${port}/${encodeURIComponent(JSON.stringify(large))}/${wanted}`;
    return calls[wanted](new Client({ webUrl: address, openApiUrl: address }), large.count);
  };
  return { ask, close: () => worker.terminate() };
}

async function run(effort: Effort): Promise<string[]> {
  const { ask, close } = await serveLarge();
  // These import `vscode`, which is mocked by now.
  const { usesOfFound, usesOfPage } = await import('./uses.ts');
  let [answers, tooLong, longest] = [0, 0, 0];

  const measure = async (what: string, run: () => Promise<unknown>) => {
    const took = await longestBlock(run);
    longest = Math.max(longest, took);
    if (took <= MAX_BLOCK) return;
    tooLong++;
    assert.fail(`${what} held the thread for ${Math.round(took)} ms`);
  };

  const property = (wanted: Wanted) =>
    fc.asyncProperty(larges(), async (large) => {
      answers++;
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
  try {
    const { found } = await search({ name, properties: Object.fromEntries(properties), runsPerRound: 20 }, effort);
    effort.tally('answers', answers);
    effort.report(
      `${name}: ${count(answers, 'large answers')}, ${count(tooLong, `blocks over ${MAX_BLOCK} ms`)}, longest ${Math.round(longest)} ms`,
    );
    return found;
  } finally {
    await close();
  }
}

const name = 'largeAnswers';
export const largeAnswers: Proof = { name, run };
