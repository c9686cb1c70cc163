import { Client } from '../../src/service/client.ts';
import { startSandbox } from '../host/processes.ts';
import { median, type Row } from './bench.ts';

/** Maximum ratios, by the number of concurrent requests. */
const BARS = { 1: 1.25, 8: 1.35 } as const;
/** Rounds alternate between control and client, so that both see the same noise. */
const ROUNDS = 15;
const GROUP = '518204736';
const json = { 'content-type': 'application/json' };

interface Contest {
  what: string;
  bare(): Promise<unknown>;
  client(): Promise<unknown>;
  /** Requests in each round. */
  calls: number;
}

/** Compares requests through the client with bare `fetch` and `JSON.parse`, on the same sandbox in its own process. */
export async function bench(): Promise<Row[]> {
  const { webUrl, openApiUrl, token, child } = await startSandbox('--messages', '2000');
  try {
    const client = new Client({ webUrl, openApiUrl });
    const page = (size: number, calls: number): Contest => ({
      what: `a page of ${size} messages`,
      bare: () => {
        const query = new URLSearchParams({ token, 'chat-id': GROUP, 'chat-type': 'group', before: `${size}` });
        return bare(`${openApiUrl}/open-apis/v1/bot/messages?${query}`, { headers: json });
      },
      client: () => client.messages(token, { kind: 'group', id: GROUP }, { latest: size }),
      calls,
    });
    const lookup: Contest = {
      what: 'a lookup',
      bare: () => {
        const body = JSON.stringify({ groupId: GROUP });
        return bare(`${webUrl}/v1/group/group-info`, { method: 'POST', headers: json, body });
      },
      client: () => client.group(GROUP),
      calls: 1000,
    };
    const rows: Row[] = [];
    for (const contest of [lookup, page(1, 1000), page(1000, 60)]) {
      for (const atOnce of [1, 8] as const) rows.push(await ratio(contest, atOnce));
    }
    return rows;
  } finally {
    child.kill();
  }
}

async function bare(url: string, init: RequestInit): Promise<unknown> {
  return JSON.parse(await (await fetch(url, init)).text());
}

async function ratio({ what, bare, client, calls }: Contest, atOnce: keyof typeof BARS): Promise<Row> {
  await time(bare, calls, atOnce);
  await time(client, calls, atOnce);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const control = await time(bare, calls, atOnce);
    ratios.push((await time(client, calls, atOnce)) / control);
  }
  return { what: `${what}, ${atOnce} at a time`, measured: median(ratios), unit: '×', bar: BARS[atOnce] };
}

/** Returns the milliseconds for a number of requests at this concurrency. */
async function time(call: () => Promise<unknown>, calls: number, atOnce: number): Promise<number> {
  let left = calls;
  const begin = performance.now();
  const worker = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return performance.now() - begin;
}
