/** The HTML around the history page: its policy, its assets and its words. */
import { env, l10n, Uri, type Webview } from 'vscode';
import type { Labels, Place } from './protocol.ts';

/** Where the built page lies, under the extension's own folder. */
export const assetsOf = (extension: Uri) => Uri.joinPath(extension, 'dist', 'webview');

/** A page that may run its own scripts and styles and load nothing else, from anywhere. */
export function pageFor(webview: Webview, extension: Uri, place: Place): string {
  const nonce = crypto.randomUUID();
  const asset = (name: string) => webview.asWebviewUri(Uri.joinPath(assetsOf(extension), name));
  // strict-dynamic lets the page's script load its own lazy parts, and trusts no host.
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${env.language}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" nonce="${nonce}" href="${asset('history.css')}">
    <script type="application/json" id="place">${json(place)}</script>
    <script type="application/json" id="labels">${json(labels())}</script>
  </head>
  <body>
    <script type="module" nonce="${nonce}" src="${asset('history.js')}"></script>
  </body>
</html>`;
}

/** JSON that cannot end the script element it stands in. */
const json = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

function labels(): Labels {
  return {
    loadOlder: l10n.t('Load older messages'),
    loading: l10n.t('Loading…'),
    beginning: l10n.t('This is the beginning of the history.'),
    empty: l10n.t('There are no messages here yet.'),
    checkNewer: l10n.t('Check for new messages'),
    upToDate: l10n.t('There is nothing newer.'),
    retry: l10n.t('Retry'),
    setToken: l10n.t('Set Bot Token…'),
    jumpToNewest: l10n.t('Jump to newest'),
    readAs: l10n.t('Read as {0}'),
    bot: l10n.t('Bot'),
    replyTo: l10n.t('Reply to {0}'),
    replyToUnloaded: l10n.t('Reply to a message that is not loaded ({0})'),
    command: l10n.t('Command {0}'),
    image: l10n.t('Image'),
    imageKey: l10n.t('Key: {0}'),
    file: l10n.t('File'),
    htmlSource: l10n.t('HTML, shown as source'),
    otherKind: l10n.t('A message of the kind “{0}”, shown as it came'),
    unreadable: l10n.t('This message could not be read. It came as:'),
    unknownTime: l10n.t('time unknown'),
    opens: l10n.t('Opens {0}'),
    copies: l10n.t('Copies “{0}”'),
    copied: l10n.t('Copied'),
    reports: l10n.t('Reports “{0}”'),
    reportPreview: l10n.t('In the chat, a click would report “{0}”. This is a preview: nothing was reported.'),
    unknownAction: l10n.t('Action type {0} (meaning not documented)'),
    noAddress: l10n.t('This button has no web address to open.'),
  };
}
