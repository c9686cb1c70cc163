/**
 * The journals of deliveries: the results of their attempts. For each delivery, each window has its own, because only some disks
 * append for two windows without losing a line of one: not network drives, for example. If a line were lost, its answer would
 * count as unknown.
 */
import { addChecksum, verifyLines } from '../../platform/checkedLines.ts';
import type { DurableFiles } from '../../platform/durableFiles.ts';
import { createTextRedactor } from '../../service/redaction.ts';
import { NamedQueue } from '../../service/taskQueue.ts';
import type { Attempt } from './deliveryStatus.ts';
import { JournalLine } from './record.ts';

/** A name of a window, which is part of the names of the files that only this window writes. */
export const newWindowName = () => crypto.randomUUID().slice(0, 8);

/** The name that stands for another computer in the names of files that came from there. */
export const MOVED = '00000000';

export const journalOf = (window: string) => `journal-${window}.ndjson`;

const isJournal = (name: string) => /^journal-\w{8}\.ndjson$/.test(name);

export class Journals {
  readonly #files: Pick<DurableFiles, 'append' | 'read' | 'stat'>;
  readonly #own = journalOf(newWindowName());
  /** Lines that couldn't be written, by the folder of their delivery. The next line takes them along. */
  readonly #unwritten = new Map<string, string>();
  readonly #appends = new NamedQueue();
  /** Journals of other windows that were read since this one appended: a window may have died before it synced its own. */
  readonly #unsynced = new Map<string, Set<string>>();
  readonly #lengths = new Map<string, number>();

  constructor(files: Pick<DurableFiles, 'append' | 'read' | 'stat'>) {
    this.#files = files;
  }

  /** A text that changes with the journals in a folder, which only grow. `names` are the names of its files. */
  async stamp(folder: string, names: readonly string[]): Promise<string> {
    const sizes = names.filter(isJournal).map(async (name) => (await this.#files.stat(`${folder}/${name}`))?.size);
    return [...(await Promise.all(sizes)), this.#unwritten.get(folder)?.length].join();
  }

  /** All lines of a delivery, in their order, and the number of those that are damaged. */
  async read(folder: string, names: readonly string[]): Promise<{ lines: JournalLine[]; damaged: number }> {
    const { lines, damaged } = await this.#read(folder, names);
    return { lines, damaged: damaged.length };
  }

  /** The same lines as they are written, without line breaks; the damaged ones come last. */
  async written(folder: string, names: readonly string[]): Promise<string[]> {
    const { lines, damaged, written } = await this.#read(folder, names);
    return [...lines.map((line) => written.get(line) ?? ''), ...damaged];
  }

  async #read(folder: string, names: readonly string[]) {
    const damaged: string[] = [];
    const written = new Map<JournalLine, string>();
    const linesOf = async (name: string) => {
      const path = `${folder}/${name}`;
      const text = (await this.#files.read(path)) ?? '';
      if (name !== this.#own && this.#lengths.get(path) !== text.length) {
        this.#lengths.set(path, text.length);
        this.#unsynced.set(folder, (this.#unsynced.get(folder) ?? new Set()).add(path));
      }
      const texts = (name === this.#own ? text + (this.#unwritten.get(folder) ?? '') : text)
        .split('\n')
        .filter(Boolean);
      const readable: JournalLine[] = [];
      for (const [at, line] of (await verifyLines(texts, JournalLine)).entries()) {
        const as = texts[at] ?? '';
        if (!line) damaged.push(as);
        else {
          written.set(line, as);
          readable.push(line);
        }
      }
      return readable;
    };
    const windows = new Set(names.filter(isJournal).toSorted());
    if (this.#unwritten.has(folder)) windows.add(this.#own);
    return { lines: merge(await Promise.all(Array.from(windows, linesOf))), damaged, written };
  }

  /** Appends a line. `token` is redacted wherever the service may have repeated it. Rejects as the file system does. */
  append(folder: string, line: JournalLine, token?: string): Promise<void> {
    return this.#append(folder, async () => [await addChecksum(line, redacting(token))]);
  }

  /** Appends lines that are written already. */
  appendWritten(folder: string, lines: readonly string[]): Promise<void> {
    return this.#append(folder, async () => lines);
  }

  /** Appends lines once those before are appended: they stay in the order in which this window has known them. */
  #append(folder: string, linesOf: () => Promise<readonly string[]>): Promise<void> {
    return this.#appends.run(folder, async () => {
      const lines = await linesOf();
      // What people are told from now on depends on these journals.
      for (const path of this.#unsynced.get(folder) ?? []) await this.#files.append(path, '');
      this.#unsynced.delete(folder);
      // Starts on a new line, so that a truncated line doesn't damage this one.
      const text = [this.#unwritten.get(folder) ?? '', ...lines, ''].join('\n');
      this.#unwritten.set(folder, text);
      await this.#files.append(`${folder}/${this.#own}`, text);
      this.#unwritten.delete(folder);
    });
  }

  forget(folder: string): void {
    this.#unwritten.delete(folder);
    this.#unsynced.delete(folder);
  }
}

/**
 * Puts the lines of several windows in order: what a check took for unanswered was answered after it, later attempts of the
 * same batch came after that, and everything else before. Of the rest, the times decide, which clocks that were set may have
 * wrong.
 */
function merge(windows: readonly JournalLine[][]): JournalLine[] {
  const merged: JournalLine[] = [];
  for (let queues = windows.map((lines) => new Queue(lines)); ; queues = queues.filter(({ line }) => line)) {
    const [only] = queues;
    if (!only || queues.length === 1) return merged.concat(only?.rest ?? []);
    const late = queues.filter((queue) =>
      queues.some((other) => other !== queue && other.hasCheckBefore(queue.attempt)),
    );
    const rankOf = (queue: Queue) => {
      if (queue.check) return late.every(({ attempt }) => isAfter(attempt, queue.check)) ? 1 : 2;
      return late.includes(queue) ? 3 : 0;
    };
    const ranked = queues.map((queue) => ({ queue, rank: rankOf(queue), at: queue.line?.at ?? 0 }));
    const first = ranked.reduce((best, one) =>
      one.rank < best.rank || (one.rank === best.rank && one.at < best.at) ? one : best,
    );
    merged.push(...first.queue.take());
  }
}

/** The lines of one window that aren't in order yet. */
class Queue {
  readonly #lines: readonly JournalLine[];
  /** The attempts that each check took for unanswered. */
  readonly #checks: ReadonlyMap<number, readonly Attempt[]>;
  #next = 0;

  constructor(lines: readonly JournalLine[]) {
    this.#lines = lines;
    const checks = lines.flatMap((line, at) => (line.what === 'read' ? [[at, line.unanswered ?? []] as const] : []));
    this.#checks = new Map(checks);
  }

  get line(): JournalLine | undefined {
    return this.#lines[this.#next];
  }

  get rest(): readonly JournalLine[] {
    return this.#lines.slice(this.#next);
  }

  /** What the next line is about, if it's an outcome, or what it took for unanswered, if it's a check. */
  get attempt(): Attempt | undefined {
    const { line } = this;
    return line && 'attempt' in line ? line : undefined;
  }

  get check(): readonly Attempt[] | undefined {
    return this.#checks.get(this.#next);
  }

  hasCheckBefore(attempt: Attempt | undefined): boolean {
    for (const [at, unanswered] of this.#checks) if (at >= this.#next && isAfter(attempt, unanswered)) return true;
    return false;
  }

  take(): JournalLine[] {
    return this.#lines.slice(this.#next, ++this.#next);
  }
}

/** Whether an outcome came after a check that took these attempts for unanswered. */
const isAfter = (attempt: Attempt | undefined, unanswered: readonly Attempt[] = []) =>
  attempt !== undefined && unanswered.some((one) => one.batch === attempt.batch && one.attempt <= attempt.attempt);

export const attemptKey = ({ batch, attempt }: Attempt) => `${batch}.${attempt}`;

/** Fields that never hold text from the service. */
const OWN_FIELDS = new Set(['what', 'state', 'why', 'kind', 'type']);

/** A replacer for `JSON.stringify` that redacts the token, in unreadable entries also from field names. */
function redacting(token: string | undefined): (name: string, value: unknown) => unknown {
  const redact = createTextRedactor(token);
  return (name, value) => {
    if (name === 'unreadable' && Array.isArray(value)) return value.map((entry) => JSON.stringify(entry));
    return typeof value === 'string' && !OWN_FIELDS.has(name) ? redact(value) : value;
  };
}
