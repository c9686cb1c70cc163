import type { DurableFiles } from '../../src/platform/durableFiles.ts';

/** The same files, but `around` decides when each operation runs. */
export function aroundFiles(
  files: DurableFiles,
  around: (operation: () => Promise<unknown>) => Promise<unknown>,
): DurableFiles {
  const operations = Object.entries(files).map(([name, operation]) => [
    name,
    (...args: [string, string]) => around(() => operation(...args)),
  ]);
  return Object.fromEntries(operations) as DurableFiles;
}
