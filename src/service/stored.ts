/** What the directory remembers, as JSON that outlives a restart: the raw answers, read again when they come back. */
import * as v from 'valibot';
import { identifier } from './fields.ts';
import { Bot, type Found, Group, type Kind, User } from './model.ts';
import type { Entry } from './shelf.ts';

/** The form may change: what was written in another one is forgotten. */
const VERSION = 1;

const Stored = v.object({ version: v.literal(VERSION), entries: v.array(v.unknown()) });
const StoredEntry = v.object({
  id: identifier,
  at: v.pipe(v.number(), v.finite()),
  kind: v.picklist(['group', 'bot', 'user']),
  raw: v.unknown(),
});

/** Something that `JSON.stringify` can write. */
export function toStored(entries: readonly Entry[]): unknown {
  return { version: VERSION, entries: entries.map(({ id, at, found: { kind, raw } }) => ({ id, at, kind, raw })) };
}

/**
 * The entries of what was stored, but for those that `isKnown` already. What cannot be read is left out: it can be
 * looked up again.
 */
export function fromStored(stored: unknown, isKnown: (kind: Kind, id: string) => boolean = () => false): Entry[] {
  const read = v.safeParse(Stored, stored);
  return read.success ? read.output.entries.flatMap((entry) => readEntry(entry, isKnown)) : [];
}

function readEntry(stored: unknown, isKnown: (kind: Kind, id: string) => boolean): Entry[] {
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
