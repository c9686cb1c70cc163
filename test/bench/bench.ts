/** One measured thing. */
export interface Row {
  readonly what: string;
  readonly measured: number;
  /** Empty for a count. */
  readonly unit: 'kB' | '×' | 'ms' | '';
  /** The most that is allowed; a row without a bar only informs. */
  readonly bar?: number;
}

/** What a `*.bench.ts` exports as `bench`. */
export type Bench = () => Promise<readonly Row[]>;

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

/** Whether a row keeps within its bar. */
export function holds({ measured, bar }: Row): boolean {
  return bar === undefined || measured <= bar;
}

/** The rows as lines of a table. */
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
