/** Loads pages into webviews. */
import { env, l10n, Uri, type WebviewPanel } from 'vscode';
import type { Labels } from '../protocol/history.ts';
import { type PageParts, webviewHtml } from './webviewHtml.ts';

/** The folder of the built pages. */
const assetsOf = (extension: Uri) => Uri.joinPath(extension, 'dist', 'webview');

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
  parts: Pick<PageParts, 'page' | 'data' | 'allowsImages'>,
) {
  webview.html = webviewHtml({
    ...parts,
    language: env.language,
    nonce: crypto.randomUUID(),
    labels: pageLabels(),
    asset: (name) => webview.asWebviewUri(Uri.joinPath(assetsOf(extension), name)).toString(),
  });
}

/** Labels of messages and of the history, in the display language. */
export function pageLabels(): Labels {
  return {
    loadOlder: l10n.t('Load older messages'),
    loading: l10n.t('Loading…'),
    beginning: l10n.t('This is the beginning of the message history.'),
    empty: l10n.t('No messages here yet.'),
    checkNewer: l10n.t('Check for new messages'),
    retry: l10n.t('Retry'),
    setToken: l10n.t('Set Bot Token…'),
    jumpToNewest: l10n.t('Jump to newest'),
    back: l10n.t('Back to reply'),
    readAs: l10n.t('Reading as {0}'),
    bot: l10n.t('Bot'),
    newMessages: l10n.t('New'),
    notLoaded: l10n.t('Some messages here might not be loaded.'),
    loadBefore: l10n.t('Load newer side of gap'),
    loadAfter: l10n.t('Load older side of gap'),
    findIn: l10n.t('Find in loaded messages'),
    found: l10n.t('{0} of {1}'),
    nothingFound: l10n.t('No results'),
    next: l10n.t('Next older match'),
    previous: l10n.t('Next newer match'),
    close: l10n.t('Close'),
    allSenders: l10n.t('All senders'),
    allKinds: l10n.t('All types'),
    nothingLeft: l10n.t('No loaded messages match these filters.'),
    actions: l10n.t('More actions'),
    replyTo: l10n.t('Reply to {0}'),
    replyToUnloaded: l10n.t("Reply to a message that isn't loaded ({0})"),
    reply: l10n.t('Reply'),
    systemMessage: l10n.t('System message'),
    command: l10n.t('Command {0}'),
    mentions: l10n.t('Mentions {0}'),
    image: l10n.t('Image'),
    imageKey: l10n.t('Key: {0}'),
    file: l10n.t('File'),
    video: l10n.t('Video'),
    audio: l10n.t('Audio'),
    expression: l10n.t('Sticker'),
    expressionId: l10n.t('Expression ID: {0}'),
    stickerId: l10n.t('Sticker ID: {0}'),
    stickerPackId: l10n.t('Sticker pack ID: {0}'),
    post: l10n.t('Post'),
    form: l10n.t('Form'),
    expired: l10n.t('This link has expired.'),
    html: l10n.t('HTML, shown without styles or scripts'),
    showPage: l10n.t('Show page'),
    showSource: l10n.t('Show source'),
    showAll: l10n.t('Show all {0} characters'),
    noContent: l10n.t('This message is empty.'),
    copy: l10n.t('Copy'),
    otherKind: l10n.t('Message type “{0}”, shown as received'),
    unreadable: l10n.t("This message can't be read. Original content:"),
    unknownTime: l10n.t('time unknown'),
    opens: l10n.t('Opens {0}'),
    copies: l10n.t('Copies “{0}”'),
    copied: l10n.t('Copied'),
    reports: l10n.t('Reports “{0}”'),
    reportPreview: l10n.t('In the chat, this button reports “{0}”. This is a preview, so nothing was reported.'),
    unknownAction: l10n.t('Unknown action type {0}'),
    noAddress: l10n.t('This button has no web link to open.'),
  };
}
