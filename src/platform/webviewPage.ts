/** Loads pages into webviews. */
import { env, Uri, type WebviewPanel } from 'vscode';
import { type PageParts, webviewHtml } from './webviewHtml.ts';

/** The folder of the built pages. */
const assetsOf = (extension: Uri) => Uri.joinPath(extension, 'dist');

/** Sets a panel's icon, and allows its page to run scripts. */
export function preparePanel(panel: WebviewPanel, extension: Uri): void {
  const icon = (name: string) => Uri.joinPath(extension, 'media', name);
  panel.iconPath = { light: icon('bot-chats.svg'), dark: icon('bot-chats-dark.svg') };
  panel.webview.options = { enableScripts: true, localResourceRoots: [assetsOf(extension)] };
}

/** Loads a page into a panel, replacing any other. */
export function loadPage(
  { webview }: WebviewPanel,
  extension: Uri,
  parts: Pick<PageParts, 'page' | 'data' | 'labels' | 'allowsImages'>,
) {
  webview.html = webviewHtml({
    ...parts,
    language: env.language,
    nonce: crypto.randomUUID(),
    asset: (name) => webview.asWebviewUri(Uri.joinPath(assetsOf(extension), name)).toString(),
  });
}
