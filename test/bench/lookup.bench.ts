import { join } from 'node:path';
import { root } from '../host/places.ts';
import type { Row } from './bench.ts';
import { bundleForHost, inFreshHost } from './inHost.ts';

/** IDs in documents, measured inside the extension host of a real VS Code. */
export async function bench(): Promise<Row[]> {
  const bundle = join(root, 'out/bench/lookup.cjs');
  await bundleForHost('lookup.host.ts', bundle);
  return inFreshHost(root, bundle);
}
