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
