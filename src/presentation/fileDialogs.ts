/** Files that the user chooses, to read or to write. */
import { l10n, type OpenDialogOptions, Uri, window, workspace } from 'vscode';
import { homeFolder } from '../platform/fileAppender.ts';
import { formatDay } from './days.ts';
import { safeFileName } from './safeFileName.ts';

/** Asks for a file to read; undefined if the user cancels. */
export async function askFile(title: string, filters: OpenDialogOptions['filters'] & {}): Promise<Uri | undefined> {
  const [file] = (await window.showOpenDialog({ title, filters })) ?? [];
  return file;
}

/** Asks for the file to write, such as `<name>.<extension>`; undefined if the user cancels. */
export async function askSaveTarget(
  title: string,
  name: string,
  type: string,
  extension: string,
): Promise<Uri | undefined> {
  const folder = workspace.workspaceFolders?.[0]?.uri ?? homeFolder();
  return window.showSaveDialog({
    title,
    filters: { [type]: [extension] },
    ...(folder && { defaultUri: Uri.joinPath(folder, `${name}.${extension}`) }),
  });
}

/** `name`, or `fallback` if no character of it is allowed, with the days of the range (Unix ms), or else the day of `at`. */
export function exportFileName(
  name: string,
  fallback: string,
  at: Date,
  { start, end }: { start?: number | undefined; end?: number | undefined } = {},
): string {
  const last = formatDay(end === undefined ? at : new Date(end - 1));
  const dates = start === undefined ? last : l10n.t('{0} to {1}', formatDay(new Date(start)), last);
  return `${safeFileName(name) || safeFileName(fallback) || 'chat'} ${dates}`;
}
