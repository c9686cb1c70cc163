import { Directory } from '../../src/directory/directory.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { Client } from '../../src/service/client.ts';
import type { Found } from '../../src/service/model.ts';
import { median, type Row, time } from './bench.ts';

const HITS = 10_000;
const ROUNDS = 21;

/** Compares 10,000 cache hits of the directory with reads of a Map. */
export async function bench(): Promise<Row[]> {
  const sandbox = createSandbox({ origin: 'https://sandbox.invalid' });
  const client = new Client({ ...sandbox, fetch: async (input, init) => sandbox.fetch(new Request(input, init)) });
  const directory = new Directory(client);
  const map = new Map<string, Found>();
  for (const id of sandbox.groups) map.set(id, await directory.get('group', id));
  const ids = Array.from({ length: HITS }, (_, at) => sandbox.groups[at % sandbox.groups.length] ?? '');

  const reads = () => ids.filter((id) => map.get(id)).length;
  const peeks = () => ids.filter((id) => directory.peek('group', id)).length;
  const gets = async () => {
    for (const id of ids) await directory.get('group', id);
  };
  const times = { reads: [] as number[], peeks: [] as number[], gets: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    times.reads.push(await time(reads));
    times.peeks.push(await time(peeks));
    times.gets.push(await time(gets));
  }
  const control = median(times.reads);
  return [
    { what: `${HITS} reads of a Map`, measured: control, unit: 'ms' },
    { what: `${HITS} peeks at the directory`, measured: median(times.peeks), unit: 'ms' },
    { what: `${HITS} hits of the directory, each awaited`, measured: median(times.gets), unit: 'ms' },
    { what: 'a peek, compared with a read', measured: median(times.peeks) / control, unit: '×' },
    { what: 'a hit, compared with a read', measured: median(times.gets) / control, unit: '×' },
  ];
}
