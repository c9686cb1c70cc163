/** Files that the user chooses, to read or to write. */
import { type OpenDialogOptions, Uri, window, workspace } from 'vscode';
import { localDays } from '../markup/days.ts';
import type { CsvText } from '../markup/safeText.ts';
import { type FileAppender, homeFolder, openAppender, TextBuffer } from '../platform/fileAppender.ts';
import { isBrowser } from '../platform/node.ts';
import { createPanel, openPage, type PageHost, type WebviewPage } from '../platform/webviewPage.ts';
import { FromDownloadPage, type ToDownloadPage } from '../protocol/download.ts';
import { truncate } from '../service/truncate.ts';
import { singleLineName } from './describe.ts';
import { showError } from './showError.ts';
import { l10n, type ShownText } from './shown.ts';

/** Asks for a file to read; undefined if the user cancels. */
export async function askFile(title: ShownText, filters: OpenDialogOptions['filters'] & {}): Promise<Uri | undefined> {
  const [file] = (await window.showOpenDialog({ title, filters })) ?? [];
  return file;
}

/** The last segment of an address. */
export const fileName = ({ path }: Uri) => path.slice(path.lastIndexOf('/') + 1);

/** A file that is going to be written. */
export interface SaveTarget {
  readonly name: string;
  /** The address of the file; undefined for a download. */
  readonly uri?: Uri;
  /** Creates the file, or replaces it when all is written. */
  open(): Promise<FileAppender>;
}

interface SaveQuestion {
  title: ShownText;
  /** The proposed name, without an extension. */
  name: string;
  /** What files with this extension are called. */
  type: string;
  extension: string;
}

/**
 * Asks for the file to write, such as `<name>.<extension>`; undefined if the user cancels. A browser decides itself where
 * it saves a file: `host` opens a page for that.
 */
export async function askSaveTarget(
  { title, name, type, extension }: SaveQuestion,
  host: PageHost,
): Promise<SaveTarget | undefined> {
  const file = `${name}.${extension}`;
  if (isBrowser()) return { name: file, open: async () => openDownload(file, host) };
  const folder = workspace.workspaceFolders?.[0]?.uri ?? homeFolder();
  const uri = await window.showSaveDialog({
    title,
    filters: { [type]: [extension] },
    ...(folder && { defaultUri: Uri.joinPath(folder, file) }),
  });
  return uri && { name: fileName(uri), uri, open: () => openAppender(uri) };
}

/** Writes a whole file, or nothing. */
export async function saveText(target: SaveTarget, text: CsvText): Promise<void> {
  const file = await target.open();
  try {
    await file.append(text);
    await file.finish();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** `name`, or `fallback` if no character of it is allowed, with the days of the range (Unix ms), or else the day of `at`. */
export function exportFileName(
  name: string,
  fallback: string,
  at: Date,
  { start, end }: { start?: number | undefined; end?: number | undefined } = {},
): string {
  const last = localDays.dayOf(end === undefined ? at.getTime() : end - 1);
  const dates = start === undefined ? last : l10n.t('{0} to {1}', localDays.dayOf(start), last);
  return `${safeFileName(name) || safeFileName(fallback) || 'chat'} ${dates}`;
}

/**
 * The length of a name, in code points of up to 4 bytes: dates and an extension fit in the 255 bytes of most file systems,
 * too.
 */
const MAX_LENGTH = 50;

/** Names that Windows reserves for devices, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** A name without what is special to a file system or a terminal; empty if nothing is left. */
export function safeFileName(name: string): string {
  const allowed = name.replace(/[\\/:*?"<>|\p{Cc}\p{Cf}\p{Surrogate}\s]+/gu, ' ').trim();
  const usable = allowed.replace(/^[.\s]+/, '');
  const short = truncate(usable, [...usable].slice(0, MAX_LENGTH).join('').length);
  return short.replace(/(?<![.\s])[.\s]+$/, '').replace(RESERVED, '$&_');
}

/**
 * A file in memory. When it's finished, a panel opens that downloads it: only a page can hand it to the browser. VS Code's
 * save dialog works in some browsers only, and then for single files that can't be replaced atomically.
 */
function openDownload(name: string, host: PageHost): FileAppender {
  const buffer = new TextBuffer();
  return {
    append: async (content) => buffer.append(content),
    finish: async () => showDownload(name, await buffer.bytes(), host),
    discard: async () => {},
  };
}

function showDownload(name: string, bytes: Uint8Array<ArrayBuffer>, host: PageHost): void {
  const panel = createPanel('botChats.download', singleLineName(name));
  let isNew = true;
  const page: WebviewPage<ToDownloadPage> = openPage(panel, host, {
    page: 'download',
    schema: FromDownloadPage,
    fill() {
      void page.post({ type: 'file', name, bytes, isNew });
      // The page is loaded again after it was hidden, but the file is downloaded once.
      isNew = false;
    },
    handlers: {},
    fail: showError,
  });
}
