/** One measurement. */
export interface Row {
  readonly what: string;
  readonly measured: number;
  /** Empty for counts. */
  readonly unit: 'kB' | '×' | 'ms' | '';
  /** The maximum allowed value. A row without a bar is for information only. */
  readonly bar?: number;
}

/** The type of `bench`, which each `*.bench.ts` exports. */
export type Bench = () => Promise<readonly Row[]>;

/** Returns the middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

/** The milliseconds that something takes, and those of its control in the same round. */
export interface Round {
  readonly ours: number;
  readonly control: number;
}

/** The median of each round's ratio, and what it is of. */
export function compared(
  what: string,
  rounds: readonly Round[],
  bar: number,
  [ours, control]: [string, string],
): Row[] {
  return [
    { what, measured: median(rounds.map((round) => round.ours / round.control)), unit: '×', bar },
    { what: `  ${ours}`, measured: median(rounds.map((round) => round.ours)), unit: 'ms' },
    { what: `  ${control}`, measured: median(rounds.map((round) => round.control)), unit: 'ms' },
  ];
}

/** Resolves to the milliseconds that something takes. */
export async function time(act: () => unknown): Promise<number> {
  const begin = performance.now();
  await act();
  return performance.now() - begin;
}

/** The same for each of these inputs, one after the other. */
export async function timesOf<T>(inputs: Iterable<T>, act: (input: T) => unknown): Promise<number[]> {
  const times: number[] = [];
  for (const input of inputs) times.push(await time(() => act(input)));
  return times;
}

/** Whether a row meets its bar. */
export function holds({ measured, bar }: Row): boolean {
  return bar === undefined || measured <= bar;
}

/** Formats rows as a table. */
export function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ what }) => what.length));
  const digits = { kB: 1, '×': 2, ms: 2, '': 0 };
  const number = (value: number, unit: Row['unit']) => `${value.toFixed(digits[unit])} ${unit}`.padStart(12);
  return rows
    .map((row) => {
      const bar = row.bar === undefined ? '' : `≤ ${number(row.bar, row.unit).trim()}`;
      const mark = row.bar === undefined ? '' : holds(row) ? '✔' : '✘ missed';
      return `${row.what.padEnd(width)} ${number(row.measured, row.unit)}  ${bar.padEnd(12)} ${mark}`.trimEnd();
    })
    .join('\n');
}
