/** What the directory remembers, as text that outlives a restart: the raw answers, read again when they come back. */
import * as v from 'valibot';
import { identifier } from '../service/fields.ts';
import { Bot, type Found, Group, type Kind, User } from '../service/model.ts';
import { TimeSlices } from '../service/timeSlices.ts';
import type { CacheEntry } from './ttlCache.ts';

/** The form may change: what was written in another one is forgotten. */
const VERSION = 2;

/** How much is stored in all, the latest finds first (UTF-16 units). */
const MOST = 2 ** 23;

const Heading = v.object({ version: v.literal(VERSION) });
const StoredEntry = v.object({
  id: identifier,
  at: v.pipe(v.number(), v.finite()),
  kind: v.picklist(['group', 'bot', 'user']),
  raw: v.unknown(),
});

/** JSON in lines: the version, and the entries, the one looked up longest ago first. */
export async function serializeEntries(entries: readonly CacheEntry[]): Promise<string> {
  const lines: string[] = [];
  let left = MOST;
  await new TimeSlices().each(entries.toReversed(), ({ id, at, found: { kind, raw } }) => {
    const line = JSON.stringify({ id, at, kind, raw });
    left -= line.length;
    if (left >= 0) lines.push(line);
  });
  return [JSON.stringify({ version: VERSION }), ...lines.reverse()].join('\n');
}

/**
 * The entries of what was stored, but for those that `isKnown` already. What cannot be read is left out: it can be
 * looked up again.
 */
export async function deserializeEntries(
  stored: string,
  isKnown: (kind: Kind, id: string) => boolean = () => false,
): Promise<CacheEntry[]> {
  const [heading = '', ...lines] = stored.split('\n');
  const entries: CacheEntry[] = [];
  if (!v.is(Heading, parsed(heading))) return entries;
  await new TimeSlices().each(lines, (line) => entries.push(...readEntry(parsed(line), isKnown)));
  return entries;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function readEntry(stored: unknown, isKnown: (kind: Kind, id: string) => boolean): CacheEntry[] {
  try {
    const { id, at, kind, raw } = v.parse(StoredEntry, stored);
    if (isKnown(kind, id)) return [];
    // An empty identifier is that of nothing.
    v.parse(v.object({ [`${kind}Id`]: identifier }), raw);
    return [{ id, at, found: readFound(kind, raw) }];
  } catch {
    return [];
  }
}

function readFound(kind: Kind, raw: unknown): Found {
  switch (kind) {
    case 'group':
      return { kind, resource: v.parse(Group, raw), raw };
    case 'bot':
      return { kind, resource: v.parse(Bot, raw), raw };
    case 'user':
      return { kind, resource: v.parse(User, raw), raw };
  }
}
