/** Where deliveries are written down: before the first call, before each call, and after each outcome. */
import * as v from 'valibot';
import { hideToken } from '../../service/secrets.ts';
import type { DurableFiles } from '../../workbench/durable.ts';
import { Account, type Try } from './account.ts';
import { Delivery, Line } from './record.ts';

/** A delivery as it is written down. */
export interface Kept {
  account: Account;
  /** It is being sent now, by this window or another. */
  isRunning: boolean;
  /** Lines of its journal that cannot be read: what they said is unknown. */
  unreadable: number;
}

/** Whoever sends says so at this interval, and is taken for dead after so long a silence (milliseconds). */
const BEAT = 3_000;
export const SILENCE = 12_000;

const Running = v.pipe(v.string(), v.parseJson(), v.object({ owner: v.string(), at: v.number() }));

export class Store {
  readonly #files: DurableFiles;
  readonly #now: () => number;
  /** Tells this window from others. */
  readonly #owner = crypto.randomUUID();

  /** `now` is Unix milliseconds. */
  constructor(files: DurableFiles, now: () => number = Date.now) {
    this.#files = files;
    this.#now = now;
  }

  /** A new ID; later ones sort after earlier ones. */
  newId(): string {
    return `${String(this.#now()).padStart(15, '0')}-${crypto.randomUUID().slice(0, 8)}`;
  }

  /** The IDs of all deliveries, the newest first. */
  async ids(): Promise<string[]> {
    return (await this.#files.names('deliveries')).toSorted().toReversed();
  }

  async create(delivery: Delivery): Promise<void> {
    await this.#files.write(`${folderOf(delivery.id)}/delivery.json`, JSON.stringify(delivery));
  }

  /** Undefined where there is no such delivery, or none that can be read. */
  async load(id: string): Promise<Kept | undefined> {
    const folder = folderOf(id);
    const read = v.safeParse(
      v.pipe(v.string(), v.parseJson(), Delivery),
      await this.#files.read(`${folder}/delivery.json`),
    );
    if (!read.success) return undefined;
    const written = (await this.#files.read(`${folder}/journal.ndjson`)) ?? '';
    const lines = written
      .split('\n')
      .filter(Boolean)
      .map((line) => v.safeParse(v.pipe(v.string(), v.parseJson(), Line), line));
    const begun = (await this.#files.names(folder)).flatMap(tryOf);
    return {
      account: new Account(
        read.output,
        begun,
        lines.flatMap((line) => (line.success ? [line.output] : [])),
      ),
      isRunning: await this.isRunning(id),
      unreadable: lines.filter(({ success }) => !success).length,
    };
  }

  /** Writes down that a try goes out. False where that is written down already: another window sends it. */
  begin(id: string, { batch, attempt }: Try): Promise<boolean> {
    return this.#files.claim(`${folderOf(id)}/sent-${batch}.${attempt}`);
  }

  /** Writes a line down; `token` is hidden wherever the service may have repeated it. */
  async append(id: string, line: Line, token?: string): Promise<void> {
    // What a death cut off must not spoil the line after it.
    await this.#files.append(`${folderOf(id)}/journal.ndjson`, `\n${JSON.stringify(line, hiding(token))}\n`);
  }

  /** How often the unreached of a delivery were sent to again. */
  async resends(id: string): Promise<number> {
    return (await this.#files.names(folderOf(id))).filter((name) => name.startsWith('resent-')).length;
  }

  /** Takes the right to send to them once more; false where another has taken it since they were counted. */
  claimResend(id: string, count: number): Promise<boolean> {
    return this.#files.claim(`${folderOf(id)}/resent-${count}`);
  }

  async remove(id: string): Promise<void> {
    await this.#files.remove(folderOf(id));
    await this.#files.remove(`running/${id}`);
  }

  /** Says that this window sends a delivery, until the function it resolves to is called. */
  async run(id: string): Promise<() => Promise<void>> {
    const beat = () => this.#files.write(`running/${id}`, JSON.stringify({ owner: this.#owner, at: this.#now() }));
    await beat();
    let last = Promise.resolve();
    const timer = setInterval(() => {
      // Only other windows would be misled; what is sent is guarded by its marks.
      last = beat().catch(() => {});
    }, BEAT);
    return async () => {
      clearInterval(timer);
      await last;
      await this.#files.remove(`running/${id}`);
    };
  }

  async isRunning(id: string): Promise<boolean> {
    const read = v.safeParse(Running, await this.#files.read(`running/${id}`));
    if (!read.success) return false;
    return Math.abs(this.#now() - read.output.at) < SILENCE;
  }

  /** The IDs of the deliveries that a death has cut off and nobody was told of. */
  async interrupted(): Promise<string[]> {
    const ids = await this.#files.names('running');
    const running = await Promise.all(ids.map((id) => this.isRunning(id)));
    return ids.filter((_, index) => !running[index]);
  }

  async isSomeRunning(): Promise<boolean> {
    return (await this.#files.names('running')).length > 0;
  }

  /** They have been told of. */
  async told(id: string): Promise<void> {
    await this.#files.remove(`running/${id}`);
  }
}

/** Fields whose words are our own. */
const OWN = new Set(['what', 'state', 'why', 'kind', 'type']);

/** For JSON: every text that may be the service's, without the token. */
const hiding = (token: string | undefined) => (name: string, value: unknown) =>
  typeof value === 'string' && !OWN.has(name) ? hideToken(value, token) : value;

const folderOf = (id: string) => `deliveries/${id}`;

function tryOf(name: string): Try[] {
  const [, batch, attempt] = /^sent-(\d+)\.(\d+)$/.exec(name) ?? [];
  return batch === undefined ? [] : [{ batch: Number(batch), attempt: Number(attempt) }];
}
