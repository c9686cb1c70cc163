/** A delivery in a process of its own that dies at a step: `node mortal.ts FOLDER ORIGIN STEP BATCHES`. */

import { Outbox } from '../../../../src/sending/outbox/outbox.ts';
import { Store } from '../../../../src/sending/outbox/store.ts';
import { Client } from '../../../../src/service/client.ts';
import { type DurableFiles, durableFiles } from '../../../../src/workbench/durable.ts';
import { deliveryOf } from '../delivering.ts';

const [, , folder = '', origin = '', last = '', json = ''] = process.argv;
const { id, token, batches } = JSON.parse(json);
let steps = 0;

/** One step on the way: at the last one nothing more is done, not even tidying up. */
function step(): void {
  if (++steps === Number(last)) process.kill(process.pid, 'SIGKILL');
}

async function between<T>(act: () => Promise<T>): Promise<T> {
  step();
  const result = await act();
  step();
  return result;
}

const real = durableFiles(folder);
const files: DurableFiles = {
  read: (path) => real.read(path),
  names: (path) => real.names(path),
  size: (path) => real.size(path),
  write: (path, text) => between(() => real.write(path, text)),
  claim: (path) => between(() => real.claim(path)),
  append: (path, text) => between(() => real.append(path, text)),
  remove: (path) => between(() => real.remove(path)),
};

const client = new Client({
  webUrl: `${origin}/web`,
  openApiUrl: `${origin}/open`,
  fetch: (...request) => between(() => fetch(...request)),
  timeout: 5_000,
});
const delivery = deliveryOf(batches, { id, at: Date.now() });
await new Outbox(new Store(files)).start(delivery, {
  token,
  send: ({ recvType, recipients }, options) => {
    const ids = recipients.map((one: { id: string }) => one.id);
    return client.batchSend(token, recvType, ids, delivery.message, options);
  },
});
console.log(steps);
