/** Files that the browser saves with its downloads: only a page can hand them over. */
import * as v from 'valibot';
import { l10n, type Uri, ViewColumn, window } from 'vscode';
import { type FileAppender, TextBuffer } from '../platform/fileAppender.ts';
import { loadPage, preparePanel } from '../platform/webviewPage.ts';
import { type DownloadWords, FromDownloadPage, type ToDownloadPage } from '../protocol/download.ts';
import { pageLabels } from './pageLabels.ts';

/** A file in memory. When it's finished, a panel opens that downloads it; `extension` is where the extension is installed. */
export function openDownload(name: string, extension: Uri): FileAppender {
  const buffer = new TextBuffer();
  return {
    append: async (text) => buffer.append(text),
    finish: async () => showDownload(name, await buffer.bytes(), extension),
    discard: async () => {},
  };
}

function showDownload(name: string, bytes: Uint8Array<ArrayBuffer>, extension: Uri): void {
  const panel = window.createWebviewPanel('botChats.download', name, ViewColumn.Active);
  let isNew = true;
  preparePanel(panel, extension);
  panel.webview.onDidReceiveMessage((message: unknown) => {
    if (!v.is(FromDownloadPage, message)) return;
    void panel.webview.postMessage({ type: 'file', name, bytes, isNew } satisfies ToDownloadPage);
    // A page that was hidden is loaded again.
    isNew = false;
  });
  loadPage(panel, extension, {
    page: 'download',
    data: { words: downloadWords() },
    labels: pageLabels(),
    allowsImages: false,
  });
}

/** The labels of the page, in the display language. */
export function downloadWords(): DownloadWords {
  return {
    downloaded: l10n.t("The browser has saved this file with its downloads. If it hasn't, download it again."),
    again: l10n.t('Download Again'),
  };
}
