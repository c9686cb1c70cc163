// Compares the activation time of Bot Chats with that of an empty extension (a CommonJS main that registers one command).
// Both run in the same fresh, idle extension host, after a warm-up extension has absorbed the one-time costs; their order
// alternates between hosts. The time includes loading the code. The result is the median of each host's ratio.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { packed } from '../host/packed.ts';
import { temporaryFolder } from '../host/temporary.ts';
import type { Times } from './activation.host.ts';
import { compared, type Round, type Row } from './bench.ts';
import { addEmpty, CONTROL, copyWithoutEvents, OURS, orderOf } from './control.ts';
import { bundleForHost, inFreshHost } from './inHost.ts';

const HOSTS = 8;

/** Compares the activation of Bot Chats with that of an empty extension. */
export async function bench(): Promise<Row[]> {
  const extensions = await temporaryFolder('activation');
  await copyWithoutEvents(join(extensions, 'bot-chats'));
  await addEmpty({ extensions });
  const bundle = join(extensions, 'run.mjs');
  await bundleForHost('activation.host.ts', bundle);
  const hosts: Round[] = [];
  for (let host = 0; host < HOSTS; host++) {
    const env = { BOT_CHATS_ACTIVATE: JSON.stringify(orderOf(host)) };
    const times = await inFreshHost<Times>(extensions, bundle, env);
    hosts.push({ ours: times[OURS] ?? Number.NaN, control: times[CONTROL] ?? Number.NaN });
  }
  const { size } = await stat(join(packed, 'dist/extension.cjs'));
  const names: [string, string] = ['Bot Chats', 'empty extension'];
  return [
    ...compared('activation, compared with an empty extension', hosts, 2, names),
    { what: '  the file that is activated', measured: size / 1000, unit: 'kB', bar: 32 },
  ];
}
