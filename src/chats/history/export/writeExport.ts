/** Writes an export to the file that the user chose. */
import type { SaveTarget } from '../../../presentation/fileDialogs.ts';
import { assemble } from './assembly.ts';
import { WriteError } from './exportErrors.ts';
import type { ExportProgress, ExportStore } from './exportProgress.ts';
import type { ExportNames, FormatName } from './formats.ts';

export interface WriteExportOptions {
  progress: ExportProgress;
  store: ExportStore;
  format: FormatName;
  names: ExportNames;
  signal: AbortSignal;
}

/**
 * Writes the whole file or nothing. Rejects with a {@link WriteError} if the file cannot be written, or as
 * {@link assemble} does. Calls `onPart` with the number of messages written.
 */
export async function writeExport(
  target: SaveTarget,
  { progress, store, format, names, signal }: WriteExportOptions,
  onPart: (messages: number) => void,
): Promise<void> {
  const { exportFormat } = await import('./formats.ts');
  const written = exportFormat(format, names, progress);
  const file = await wrapErrors(() => target.open());
  try {
    const write = (text: string) => wrapErrors(() => file.append(text));
    await assemble(progress, { store, format: written, write, signal, onPart });
    await wrapErrors(() => file.finish());
  } catch (error) {
    await file.discard();
    throw error;
  }
}

async function wrapErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    throw new WriteError('the file could not be written', { cause });
  }
}
