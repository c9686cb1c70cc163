/**
 * Saves the directory's entries to a file, so that names are there after a restart before any request. It has their raw JSON,
 * which is validated again when it's loaded.
 */
import * as v from 'valibot';
import type { LogOutputChannel } from 'vscode';
import type { Directory } from '../directory/directory.ts';
import type { CacheEntry } from '../directory/ttlCache.ts';
import { systemClock, Timer } from '../service/clock.ts';
import { toError } from '../service/errors.ts';
import { identifier } from '../service/fields.ts';
import { Bot, type Found, Group, KINDS, type Kind, User } from '../service/model.ts';
import { TimeSlices } from '../service/timeSlices.ts';
import { type DurableFiles, hexDigest } from './durableFiles.ts';

/** How long to wait after the last change, and at most after the first one, before writing (milliseconds). */
const WRITE_DELAY = 500;
const MAX_WRITE_DELAY = 5_000;

/** Text in another version is discarded. */
const VERSION = 2;

/** The total size of the saved entries (UTF-16 units). The newest ones are kept. */
const MAX_SIZE = 2 ** 22;

const Header = v.object({ version: v.literal(VERSION) });
const StoredEntry = v.object({
  id: identifier,
  at: v.pipe(v.number(), v.finite()),
  kind: v.picklist(KINDS),
  raw: v.unknown(),
});
/** An entry without an identifier isn't a resource. */
const Identified = {
  group: v.object({ groupId: identifier }),
  bot: v.object({ botId: identifier }),
  user: v.object({ userId: identifier }),
} satisfies Record<Kind, v.GenericSchema>;

/** The file for lookups at an address. */
export async function directoryFile(address: string, files: DurableFiles, log: LogOutputChannel) {
  const path = `directory-${(await hexDigest(address)).slice(0, 16)}.json`;

  /** The saved entries, except those that `isKnown`. Empty if there is no readable file. */
  async function read(isKnown?: (kind: Kind, id: string) => boolean): Promise<CacheEntry[]> {
    try {
      return await deserializeEntries((await files.read(path)) ?? '', isKnown);
    } catch {
      return [];
    }
  }

  async function write(directory: Directory): Promise<void> {
    try {
      // Keeps what other windows have saved.
      directory.merge(await read((kind, id) => directory.has(kind, id)));
      await files.write(path, await serializeEntries(directory.entries()));
    } catch (error) {
      log.warn(`names can't be saved: ${toError(error).message}`);
    }
  }

  /** Saves a directory's entries whenever they change. Call the result to stop; it resolves when all is written. */
  function save(directory: Directory): () => Promise<void> {
    let changedAt: number | undefined;
    let written = Promise.resolve();
    const writeNext = () => {
      changedAt = undefined;
      written = written.then(() => write(directory));
    };
    const timer = new Timer(writeNext);
    const stopListening = directory.onDidChange(() => {
      const now = systemClock.now();
      changedAt ??= now;
      timer.restart(Math.min(WRITE_DELAY, changedAt + MAX_WRITE_DELAY - now));
    });
    return () => {
      stopListening();
      timer.stop();
      if (changedAt !== undefined) writeNext();
      return written;
    };
  }

  return { read, save };
}

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
