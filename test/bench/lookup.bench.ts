import { join } from 'node:path';
import { packed } from '../host/packed.ts';
import type { Row } from './bench.ts';
import { bundleForHost, inFreshHost } from './inHost.ts';

/** Measures IDs in documents, in the extension host of a real VS Code. */
export async function bench(): Promise<Row[]> {
  const bundle = join(packed, 'bench/lookup.js');
  await bundleForHost('lookup.host.ts', bundle);
  return inFreshHost(packed, bundle);
}
