/** A process that sends and kills itself before a step: `node killed.ts JOB`. Prints the number of steps. */
import fs from 'node:fs/promises';
import { DeliveryStore } from '../../src/outbox/deliveryStore.ts';
import { Outbox } from '../../src/outbox/outbox.ts';
import type { Delivery } from '../../src/outbox/record.ts';
import { diskFiles, type NodeFiles } from '../../src/platform/diskFiles.ts';
import { Client } from '../../src/service/client.ts';
import { instantClock, listBy, senderBy } from './sender.ts';

export interface Job {
  folder: string;
  webUrl: string;
  openApiUrl: string;
  token: string;
  delivery: Delivery;
  /** 0 for none. */
  killedBefore: number;
  /** How far the clock is ahead (milliseconds). */
  later: number;
}

const job: Job = JSON.parse(process.argv[2] ?? '');
const { folder, token, delivery, killedBefore, later } = job;
let steps = 0;

/** Called before every side effect: in between, it makes no difference when the process is killed. */
function step(): void {
  if (++steps === killedBefore) process.kill(process.pid, 'SIGKILL');
}

const files: NodeFiles = {
  ...fs,
  async open(path, flags) {
    if (flags !== 'r') step();
    const handle = await fs.open(path, flags);
    return {
      async writeFile(text) {
        const middle = Math.floor(text.length / 2);
        for (const half of [text.slice(0, middle), text.slice(middle)]) {
          step();
          await handle.writeFile(half);
        }
      },
      sync: () => handle.sync(),
      close: () => handle.close(),
    };
  },
  async mkdir(...folder) {
    step();
    return fs.mkdir(...folder);
  },
  async link(...names) {
    step();
    return fs.link(...names);
  },
  async rename(...names) {
    step();
    return fs.rename(...names);
  },
  async rm(...path) {
    step();
    return fs.rm(...path);
  },
};

const clock = instantClock();
const client = new Client({
  ...job,
  clock,
  async fetch(...request) {
    step();
    return fetch(...request);
  },
});
const outbox = new Outbox(new DeliveryStore(diskFiles(folder, files), () => Date.now() + later), undefined, clock);
const sender = senderBy(client, token, delivery.message);
await outbox.interrupted();
if (await outbox.get(delivery.id)) {
  await outbox.check(delivery.id, listBy(client, token), new AbortController().signal);
  await outbox.resume(delivery.id, sender);
} else await outbox.start(delivery, sender);
console.log(steps);
