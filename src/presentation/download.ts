/**
 * Files that the browser saves with its downloads: only a page can hand them over. VS Code's save dialog works in some
 * browsers only, and then for single files that can't be replaced atomically.
 */
import { ViewColumn, window } from 'vscode';
import { type FileAppender, TextBuffer } from '../platform/fileAppender.ts';
import { openPage, type PageHost, type WebviewPage } from '../platform/webviewPage.ts';
import { FromDownloadPage, type ToDownloadPage } from '../protocol/download.ts';
import { showError } from './errorText.ts';

/** A file in memory. When it's finished, a panel opens that downloads it. */
export function openDownload(name: string, host: PageHost): FileAppender {
  const buffer = new TextBuffer();
  return {
    append: async (text) => buffer.append(text),
    finish: async () => showDownload(name, await buffer.bytes(), host),
    discard: async () => {},
  };
}

function showDownload(name: string, bytes: Uint8Array<ArrayBuffer>, host: PageHost): void {
  const panel = window.createWebviewPanel('botChats.download', name, ViewColumn.Active);
  let isNew = true;
  const page: WebviewPage<ToDownloadPage> = openPage(panel, host, {
    page: 'download',
    schema: FromDownloadPage,
    fill() {
      void page.post({ type: 'file', name, bytes, isNew });
      // A page that was hidden is loaded again.
      isNew = false;
    },
    handle: () => {},
    fail: showError,
  });
}
