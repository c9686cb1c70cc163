/** Sizes as the reader writes them. Pure. */

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;

/** A size in bytes in the largest unit that it fills, such as "1.5 MB"; empty for what is no size. */
export function sizeText(bytes: number | undefined, language: string): string {
  if (bytes === undefined || !(bytes >= 0)) return '';
  // By its digits, as it will be written: 999,960 bytes are 1 MB.
  let power = 0;
  while (power < UNITS.length - 1 && Math.round((bytes / 1000 ** power) * 10) >= 10_000) power++;
  const unitDisplay = power === 0 ? 'long' : 'short';
  const options = { style: 'unit', unit: UNITS[power] ?? 'byte', unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, options).format(bytes / 1000 ** power);
}
