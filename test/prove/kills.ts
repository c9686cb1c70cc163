/** Deliveries whose process is killed at every step, and killed again while it goes on after the next start. */
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
import { durableFiles } from '../../src/platform/durableFiles.ts';
import type { Chat } from '../../src/service/model.ts';
import { serveSandbox } from '../host/serve.ts';
import { assertKept, deliveryFor, faultsOf, type Plan, plans, TOKEN } from './deliveries.ts';
import type { Job } from './killed.ts';
import { count, type Effort, type Proof, search } from './proof.ts';

/** How much later each start is than the last one (milliseconds): long enough to take that for dead. */
const LATER = 60_000;

/** The step before which the next process is killed as well, if it is. */
const again = fc.option(fc.integer({ min: 1, max: 12 }));

async function run(effort: Effort): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bot-chats-kills-'));
  const script = join(folder, 'killed.mjs');
  let kills = 0;
  let deliveries = 0;
  const steps = new Set<number>();

  /** Sends in a process that is killed before a step, 0 for none; resolves to how many there were, where it lived. */
  const sendUntil = async (job: Job): Promise<number | undefined> => {
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(job)]);
      return Number(stdout);
    } catch (error) {
      if (!wasKilled(error)) throw error;
      kills++;
      steps.add(job.killedBefore);
      return undefined;
    }
  };

  /** One delivery from its start to its end, killed on the way; resolves to the number of steps, where it was not. */
  const deliver = async (plan: Plan, killedBefore: number, again: number | null) => {
    deliveries++;
    const outbox = await mkdtemp(join(folder, 'outbox-'));
    const { sandbox, close } = await serveSandbox({ faults: faultsOf(plan) });
    try {
      const { webUrl, openApiUrl } = sandbox;
      const delivery = deliveryFor(plan);
      const job = { folder: outbox, webUrl, openApiUrl, token: TOKEN, delivery, killedBefore, later: 0 };
      const lived = await sendUntil(job);
      const storeAfter = (later: number) => new DeliveryStore(durableFiles(outbox), () => Date.now() + later);
      await assertTold(storeAfter(LATER), delivery.id);
      if (lived === undefined && again) await sendUntil({ ...job, killedBefore: again, later: LATER });
      sandbox.setFaults(undefined);
      await assertKept({ delivery, outbox: new Outbox(storeAfter(2 * LATER)), sandbox });
      return lived;
    } finally {
      await close();
      await rm(outbox, { recursive: true, force: true });
    }
  };

  const atEveryStep = fc.asyncProperty(plans, again, async (plan, again) => {
    const last = (await deliver(plan, 0, null)) ?? assert.fail('it was killed before no step');
    let step = 0;
    const work = async () => {
      while (++step <= last) await deliver(plan, step, again);
    };
    await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
  });

  try {
    // In one file it starts three times as fast.
    const entry = fileURLToPath(import.meta.resolve('./killed.ts'));
    await build({ entryPoints: [entry], outfile: script, bundle: true, platform: 'node', format: 'esm' });
    const properties = { 'a delivery that is killed at any step reaches nobody twice and loses nobody': atEveryStep };
    const { found } = await search({ name, properties, runsPerRound: 1 }, effort);
    effort.tally('kills', kills);
    const tried = `${count(kills, 'kills')} at ${count(steps.size, 'steps')} of ${count(deliveries, 'deliveries')}`;
    effort.report(`${name}: ${tried}, ${found.length === 0 ? '0 doubles, 0 lost' : `${found.length} found`}`);
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Asserts that the next start tells of a delivery that was cut off. */
async function assertTold(store: DeliveryStore, id: string): Promise<void> {
  const { status } = (await store.load(id)) ?? {};
  const isUnseen = (one: Chat) => {
    const outcome = status?.outcomeOf(one);
    return outcome?.state === 'unknown' && outcome.failure === undefined;
  };
  if (!status || status.stopped) return;
  const isCut = status.counts.notSent > 0 || status.recipients().some(isUnseen);
  if (isCut) assert.deepEqual(await store.interrupted(), [id], 'nobody is told that it was cut off');
}

/** Windows tells of no signal: there, whoever says nothing was killed. */
function wasKilled(error: unknown): boolean {
  if (!(error instanceof Error && 'signal' in error && 'stderr' in error)) return false;
  return error.signal === 'SIGKILL' || (process.platform === 'win32' && error.stderr === '');
}

const name = 'kills';
export const kills: Proof = { name, run };
