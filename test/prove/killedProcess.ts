/** Deliveries whose window is killed at every step, and again after a restart. Here, it is a process that is killed. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { DeliveryStore } from '../../src/deliveries/outbox/deliveryStore.ts';
import { Outbox } from '../../src/deliveries/outbox/outbox.ts';
import { diskFiles } from '../../src/platform/diskFiles.ts';
import type { DurableFiles } from '../../src/platform/durableFiles.ts';
import type { Chat } from '../../src/service/model.ts';
import { killableScript } from '../host/processes.ts';
import { type SandboxServerOptions, serveSandbox } from '../host/serve.ts';
import { temporaryFolder } from '../host/temporary.ts';
import { clockAt } from '../unit/clocks.ts';
import { TOKEN } from '../unit/deliveries/outbox/testDeliveries.ts';
import { assertConsistent, deliveryFor, faultsOf, type Plan, plans } from './deliveries.ts';
import type { ProcessJob } from './killedProcess.process.ts';
import { count, type Effort, type Proof, search, strideOf } from './proof.ts';
import type { WindowJob } from './sending.ts';

/** Time between two starts (milliseconds): longer than the heartbeat timeout. */
const RESTART_DELAY = 60_000;

/** Where one delivery is stored, and the windows that send it. */
export interface KilledOutbox {
  /** The files of the outbox, for a window that isn't killed. */
  readonly files: DurableFiles;
  /** Runs a window that is killed at the step of its job. Resolves to the number of steps if it survived. */
  send(job: WindowJob): Promise<number | undefined>;
  remove(): Promise<void>;
}

interface KilledWindow {
  name: string;
  /** The number of steps among which a restarted window is killed again. */
  restartSteps: number;
  sandbox?: SandboxServerOptions;
  openOutbox(): Promise<KilledOutbox>;
}

/** Tries random deliveries in such a window. Resolves to the findings. */
export async function killAtEveryStep(
  { name, restartSteps, sandbox: options, openOutbox }: KilledWindow,
  effort: Effort,
): Promise<string[]> {
  let kills = 0;
  let deliveries = 0;
  const killedSteps = new Set<number>();

  /** Runs a delivery to its end, killed on the way. Resolves to the number of steps if it wasn't. */
  const deliver = async (plan: Plan, killedAt: number, again: number | null) => {
    deliveries++;
    const outbox = await openOutbox();
    const { sandbox, close } = await serveSandbox({ ...options, faults: faultsOf(plan) });
    const send = async (job: WindowJob) => {
      const steps = await outbox.send(job);
      if (steps === undefined) {
        kills++;
        killedSteps.add(job.killedAt);
      }
      return steps;
    };
    try {
      const { webUrl, openApiUrl } = sandbox;
      const delivery = await deliveryFor(plan);
      const job = { webUrl, openApiUrl, token: TOKEN, delivery, killedAt, later: 0 };
      const steps = await send(job);
      const clockAfter = (later: number) => clockAt(() => Date.now() + later);
      await assertReported(new DeliveryStore(outbox.files, clockAfter(RESTART_DELAY)), delivery.id);
      if (steps === undefined && again) await send({ ...job, killedAt: again, later: RESTART_DELAY });
      sandbox.setFaults(undefined);
      const clock = clockAfter(2 * RESTART_DELAY);
      const last = new Outbox(new DeliveryStore(outbox.files, clock), undefined, clock);
      await assertConsistent({ plan, delivery, outbox: last, sandbox });
      return steps;
    } finally {
      await close();
      await outbox.remove();
    }
  };

  /** The step at which the second window is killed, if any. */
  const again = fc.option(fc.integer({ min: 1, max: restartSteps }));
  const atEveryStep = fc.asyncProperty(plans, again, async (plan, again) => {
    const last = (await deliver(plan, 0, null)) ?? assert.fail('killed without a step');
    const stride = strideOf(effort);
    // All workers take the next one from it.
    const steps = Array.from({ length: Math.floor(last / stride) }, (_, at) => (at + 1) * stride).values();
    const work = async () => {
      for (const step of steps) await deliver(plan, step, again);
    };
    await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
  });

  const title = 'a delivery killed at any step reaches no recipient twice or with the text of another, and loses none';
  const properties = { [title]: atEveryStep };
  const { found } = await search({ name, properties, runsPerRound: 1 }, effort);
  effort.tally('kills', kills);
  const tried = `${count(kills, 'kills')} at ${count(killedSteps.size, 'steps')} of ${count(deliveries, 'deliveries')}`;
  effort.report(
    `${name}: ${tried}, ${found.length === 0 ? '0 doubles, 0 lost, 0 wrong texts' : `${found.length} found`}`,
  );
  return found;
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
  if (isInterrupted) assert.deepEqual(await store.heartbeats.silent(), [id], 'the interruption is not reported');
}

async function run(effort: Effort): Promise<string[]> {
  const folder = await temporaryFolder('kills');
  const sendIn = await killableScript<ProcessJob>(fileURLToPath(import.meta.resolve('./killedProcess.process.ts')));
  const openOutbox = async (): Promise<KilledOutbox> => {
    const outbox = await mkdtemp(join(folder, 'outbox-'));
    return {
      files: diskFiles(outbox),
      async send(job) {
        const steps = await sendIn({ ...job, folder: outbox });
        return steps === undefined ? undefined : Number(steps);
      },
      remove: () => rm(outbox, { recursive: true, force: true }),
    };
  };
  return killAtEveryStep({ name, restartSteps: 12, openOutbox }, effort);
}

const name = 'killedProcess';
export const killedProcess: Proof = { name, run };
