/** Serializes the directory's entries as text. It stores the raw JSON, which is validated again when it's loaded. */
import * as v from 'valibot';
import { identifier } from '../service/fields.ts';
import { Bot, type Found, Group, KINDS, type Kind, User } from '../service/model.ts';
import { TimeSlices } from '../service/timeSlices.ts';
import type { CacheEntry } from './ttlCache.ts';

/** Text in another version is discarded. */
const VERSION = 2;

/** The total size, newest entries first (UTF-16 units). */
const MAX_SIZE = 2 ** 22;

const Header = v.object({ version: v.literal(VERSION) });
const StoredEntry = v.object({
  id: identifier,
  at: v.pipe(v.number(), v.finite()),
  kind: v.picklist(KINDS),
  raw: v.unknown(),
});
/** Without an identifier, it's not a resource. */
const Identified = {
  group: v.object({ groupId: identifier }),
  bot: v.object({ botId: identifier }),
  user: v.object({ userId: identifier }),
} satisfies Record<Kind, v.GenericSchema>;

/** Newline-delimited JSON: the version, then the entries, oldest first. */
export async function serializeEntries(entries: readonly CacheEntry[]): Promise<string> {
  const lines: string[] = [];
  let left = MAX_SIZE;
  await new TimeSlices().each(entries.toReversed(), ({ id, at, found: { kind, raw } }) => {
    const line = JSON.stringify({ id, at, kind, raw });
    if (line.length > left) return;
    left -= line.length;
    lines.push(line);
  });
  return [JSON.stringify({ version: VERSION }), ...lines.reverse()].join('\n');
}

/**
 * The entries in a serialized text, except those that `isKnown` accepts. Invalid entries are skipped: they can be looked
 * up again.
 */
export async function deserializeEntries(
  stored: string,
  isKnown: (kind: Kind, id: string) => boolean = () => false,
): Promise<CacheEntry[]> {
  const [header = '', ...lines] = stored.split('\n');
  const entries: CacheEntry[] = [];
  if (!v.is(Header, parseJson(header))) return entries;
  await new TimeSlices().each(lines, (line) => entries.push(...readEntry(parseJson(line), isKnown)));
  return entries;
}

function parseJson(line: string): unknown {
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
    v.parse(Identified[kind], raw);
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
