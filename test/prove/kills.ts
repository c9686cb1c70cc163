/** Deliveries whose process is killed at every step, and again after a restart. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import fc from 'fast-check';
import { DeliveryStore } from '../../src/outbox/deliveryStore.ts';
import { Outbox } from '../../src/outbox/outbox.ts';
import { diskFiles } from '../../src/platform/diskFiles.ts';
import type { Chat } from '../../src/service/model.ts';
import { serveSandbox } from '../host/serve.ts';
import { TOKEN } from '../unit/outbox/testDeliveries.ts';
import { assertConsistent, deliveryFor, faultsOf, type Plan, plans } from './deliveries.ts';
import type { Job } from './killed.ts';
import { count, type Effort, type Proof, search } from './proof.ts';

/** Time between two starts (milliseconds): longer than the heartbeat timeout. */
const RESTART_DELAY = 60_000;

/** The step before which the second process is killed, if any. */
const again = fc.option(fc.integer({ min: 1, max: 12 }));

async function run(effort: Effort): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bot-chats-kills-'));
  const script = join(folder, 'killed.mjs');
  let kills = 0;
  let deliveries = 0;
  const killedSteps = new Set<number>();

  /** Sends in a process that is killed before a step, 0 for none. Resolves to the number of steps if it survived. */
  const sendUntil = async (job: Job): Promise<number | undefined> => {
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(job)]);
      return Number(stdout);
    } catch (error) {
      if (!wasKilled(error)) throw error;
      kills++;
      killedSteps.add(job.killedBefore);
      return undefined;
    }
  };

  /** Runs a delivery to its end, killed on the way. Resolves to the number of steps if it wasn't. */
  const deliver = async (plan: Plan, killedBefore: number, again: number | null) => {
    deliveries++;
    const outbox = await mkdtemp(join(folder, 'outbox-'));
    const { sandbox, close } = await serveSandbox({ faults: faultsOf(plan) });
    try {
      const { webUrl, openApiUrl } = sandbox;
      const delivery = deliveryFor(plan);
      const job = { folder: outbox, webUrl, openApiUrl, token: TOKEN, delivery, killedBefore, later: 0 };
      const steps = await sendUntil(job);
      const storeAfter = (later: number) => new DeliveryStore(diskFiles(outbox), () => Date.now() + later);
      await assertReported(storeAfter(RESTART_DELAY), delivery.id);
      if (steps === undefined && again) await sendUntil({ ...job, killedBefore: again, later: RESTART_DELAY });
      sandbox.setFaults(undefined);
      await assertConsistent({ delivery, outbox: new Outbox(storeAfter(2 * RESTART_DELAY)), sandbox });
      return steps;
    } finally {
      await close();
      await rm(outbox, { recursive: true, force: true });
    }
  };

  const atEveryStep = fc.asyncProperty(plans, again, async (plan, again) => {
    const last = (await deliver(plan, 0, null)) ?? assert.fail('killed without a step');
    let step = 0;
    const work = async () => {
      while (++step <= last) await deliver(plan, step, again);
    };
    await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
  });

  try {
    // A bundle starts three times as fast.
    const entry = fileURLToPath(import.meta.resolve('./killed.ts'));
    await build({ entryPoints: [entry], outfile: script, bundle: true, platform: 'node', format: 'esm' });
    const properties = { 'a delivery killed at any step reaches no recipient twice and loses none': atEveryStep };
    const { found } = await search({ name, properties, runsPerRound: 1 }, effort);
    effort.tally('kills', kills);
    const tried = `${count(kills, 'kills')} at ${count(killedSteps.size, 'steps')} of ${count(deliveries, 'deliveries')}`;
    effort.report(`${name}: ${tried}, ${found.length === 0 ? '0 doubles, 0 lost' : `${found.length} found`}`);
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Asserts that the next start reports an interrupted delivery. */
async function assertReported(store: DeliveryStore, id: string): Promise<void> {
  const { status } = (await store.load(id)) ?? {};
  const isUnanswered = (chat: Chat) => {
    const outcome = status?.outcomeOf(chat);
    return outcome?.state === 'unknown' && outcome.failure === undefined;
  };
  if (!status || status.stopped) return;
  const isInterrupted = status.counts.notSent > 0 || status.recipients().some(isUnanswered);
  if (isInterrupted) assert.deepEqual(await store.interrupted(), [id], 'the interruption is not reported');
}

/** Windows has no signals: a process without output on stderr was killed. */
function wasKilled(error: unknown): boolean {
  if (!(error instanceof Error && 'signal' in error && 'stderr' in error)) return false;
  return error.signal === 'SIGKILL' || (process.platform === 'win32' && error.stderr === '');
}

const name = 'kills';
export const kills: Proof = { name, run };
