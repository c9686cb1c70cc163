/** Answers at or beyond the size limits, over HTTP: neither reading them nor anything done with them blocks the thread. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import '../../unit/vscode.ts';
import { Client } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import type { Operation } from '../../../src/service/operations.ts';
import { operationNames, operations } from '../../unit/service/answering.ts';
import { longestBlock, MAX_BLOCK } from '../blocks.ts';
import { count, type Effort, type Proof, search } from '../proof.ts';
import { type Large, larges, TOKEN } from './large.ts';

/** Serves large answers from a separate thread. Must be closed. */
async function serveLarge() {
  const worker = new Worker(new URL('./server.thread.ts', import.meta.url));
  const [port] = await once(worker, 'message');
  const ask = async (large: Large, wanted: Operation): Promise<unknown> => {
    const address = `http://127.0.0.1:${port}/${encodeURIComponent(JSON.stringify(large))}/${wanted}`;
    const client = new Client({ webUrl: address, openApiUrl: address });
    return operations[wanted](client, undefined, TOKEN, large.count);
  };
  return { ask, close: () => worker.terminate() };
}

async function run(effort: Effort): Promise<string[]> {
  const { ask, close } = await serveLarge();
  // It imports `vscode`, which is mocked by now.
  const { uses } = await import('./uses.ts');
  let [answers, tooLong, longest] = [0, 0, 0];

  const measure = async (what: string, run: () => Promise<unknown>) => {
    const took = await longestBlock(run);
    longest = Math.max(longest, took);
    if (took <= MAX_BLOCK) return;
    tooLong++;
    assert.fail(`${what} held the thread for ${Math.round(took)} ms`);
  };

  const property = (wanted: Operation) =>
    fc.asyncProperty(larges(), async (large) => {
      answers++;
      let value: unknown;
      await measure('reading', async () => {
        value = await ask(large, wanted).catch((error: unknown) => {
          assert.ok(error instanceof ServiceError, String(error));
        });
      });
      if (value === undefined) return;
      for (const [what, use] of Object.entries(uses[wanted]))
        await measure(`using the result (${what})`, async () => use(value as never));
    });
  const properties = operationNames.map((name) => [
    `an answer to ${name} of any size never blocks the thread`,
    property(name),
  ]);
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
