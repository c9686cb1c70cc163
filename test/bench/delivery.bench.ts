import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DeliveryStore } from '../../src/deliveries/outbox/deliveryStore.ts';
import { Outbox } from '../../src/deliveries/outbox/outbox.ts';
import { type Delivery, newDeliveryId } from '../../src/deliveries/outbox/record.ts';
import type { Recipient } from '../../src/deliveries/plan/deliveryPlan.ts';
import { diskFiles } from '../../src/platform/diskFiles.ts';
import { Client } from '../../src/service/client.ts';
import { type SandboxAddresses, startSandbox } from '../host/processes.ts';
import { temporaryFolder } from '../host/temporary.ts';
import { planBatches } from '../unit/deliveries/outbox/testDeliveries.ts';
import { median, type Row } from './bench.ts';

const RECIPIENTS = 100_000;
const BATCH = 200;
/** The default rate limit, in requests per second. */
const PACE = 10;
const ROUNDS = 3;

const recipients: Recipient[] = Array.from({ length: RECIPIENTS }, (_, index) => {
  const id = `${600_000_000 + index}`;
  return { kind: 'group', id, name: id };
});
const batches = planBatches(recipients, BATCH);

/** Measures a delivery to 100,000 recipients, with a sandbox in its own process. Each step is written to disk. */
export async function bench(): Promise<Row[]> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const service = await startSandbox();
  const folder = await temporaryFolder('bench');
  try {
    const outbox = new Outbox(new DeliveryStore(diskFiles(folder)));
    const bare: number[] = [];
    const unpaced: Course[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(await sendBare(service));
      unpaced.push(await deliver(outbox, service, undefined, collect));
    }
    const paced = await deliver(outbox, service, PACE, collect);
    // The limiter allows the first second's requests at once, so only later ones are measured.
    const permitted = ((batches.length - PACE) / PACE) * 1000;
    const times = unpaced.map(({ ends }) => (ends.at(-1) ?? 0) / batches.length);
    const growth = unpaced.map(({ ends }) => perBatch(ends, 0.8, 1) / perBatch(ends, 0.1, 0.3));
    const memory = unpaced.map(({ heaps }) => ((heaps.at(-1) ?? 0) - (heaps[1] ?? 0)) / (batches.length * 0.9) / 1000);
    return [
      {
        what: `time at ${PACE} requests per second, compared with the rate limit`,
        measured: (paced.ends.at(-1) ?? 0) / permitted,
        unit: '×',
        bar: 1 / 0.95,
      },
      { what: 'time of a stored batch, without rate limit', measured: median(times), unit: 'ms' },
      { what: 'time of a bare fetch of the same batch', measured: median(bare) / batches.length, unit: 'ms' },
      { what: 'time of a batch, last fifth compared with second', measured: median(growth), unit: '×', bar: 1.25 },
      { what: 'memory retained per batch', measured: median(memory), unit: 'kB' },
    ];
  } finally {
    service.child.kill();
  }
}

interface Course {
  /** When each batch ended, in milliseconds from the start. */
  ends: number[];
  /** Bytes in use after each tenth. */
  heaps: number[];
}

async function deliver(
  outbox: Outbox,
  service: SandboxAddresses,
  callsPerSecond: number | undefined,
  collect: () => void,
): Promise<Course> {
  const client = new Client({ ...service, ...(callsPerSecond && { callsPerSecond }) });
  const { token } = service;
  const message = { contentType: 'text', content: { text: 'Hello' } } as const;
  const delivery: Delivery = {
    id: newDeliveryId(Date.now()),
    at: Date.now(),
    service: service.openApiUrl,
    bot: { id: '30481126', name: 'Order Desk' },
    name: 'announcement.md',
    message,
    digest: '',
    batches,
  };
  const course: Course = { ends: [], heaps: [] };
  let paused = 0;
  const begin = performance.now();
  await outbox.start(
    delivery,
    {
      token,
      never: () => new Map(),
      send: ({ recvType, recipients }, options) =>
        client.batchSend(
          token,
          recvType,
          recipients.map(({ id }) => id),
          message,
          options,
        ),
    },
    () => {
      course.ends.push(performance.now() - begin - paused);
      if (course.ends.length % (batches.length / 10) > 0) return;
      const start = performance.now();
      collect();
      course.heaps.push(process.memoryUsage().heapUsed);
      // With a rate limit this costs nothing: the next request has to wait anyway.
      if (callsPerSecond === undefined) paused += performance.now() - start;
    },
  );
  return course;
}

/** Returns the milliseconds for all batches in sequence. */
async function sendBare({ openApiUrl, token }: SandboxAddresses): Promise<number> {
  const begin = performance.now();
  for (const { recvType, recipients } of batches) {
    const recvIds = recipients.map(({ id }) => id);
    const body = JSON.stringify({ recvIds, recvType, contentType: 'text', content: { text: 'Hello' } });
    const headers = { 'content-type': 'application/json' };
    const url = `${openApiUrl}/open-apis/v1/bot/batch_send?token=${token}`;
    JSON.parse(await (await fetch(url, { method: 'POST', headers, body })).text());
  }
  return performance.now() - begin;
}

/** Returns the milliseconds per batch between two fractions of the delivery. */
function perBatch(ends: readonly number[], from: number, to: number): number {
  const [first, last] = [from, to].map((part) => Math.round(part * (ends.length - 1)));
  return ((ends[last ?? 0] ?? 0) - (ends[first ?? 0] ?? 0)) / ((last ?? 0) - (first ?? 0));
}
