/** The one way to show a page in a webview panel. VS Code drops the page of a hidden panel, and loads it again later. */
import * as v from 'valibot';
import { commands, env, type LogOutputChannel, l10n, Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import type { ShownText } from '../markup/safeText.ts';
import { PageRequest } from '../protocol/page.ts';
import { toError } from '../service/errors.ts';
import { type PageParts, webviewHtml } from './webviewHtml.ts';

interface Typed {
  readonly type: string;
}
/** Each page posts this when it can receive messages. */
type Ready<From extends Typed> = From & { readonly type: 'ready' };

/**
 * A function for each message that only this page may post, by its type. What a function throws is logged, and goes to
 * `fail`.
 */
export type Handlers<From extends Typed> = {
  readonly [Type in Exclude<From['type'], 'ready'>]: (message: From & { readonly type: Type }) => unknown;
};

/** What opening a page takes from the host. */
export interface PageHost {
  readonly extensionUri: Uri;
  readonly log: Pick<LogOutputChannel, 'warn' | 'error'>;
}

export interface PageOwner<From extends Typed> extends Pick<PageParts, 'page'> {
  /** What the page may post besides a {@link PageRequest}. Anything else is logged and ignored. */
  readonly schema: v.GenericSchema<unknown, From>;
  /** What is embedded in the page whenever it's loaded, by default nothing. `allowsImages`: whether remote images may be loaded, by default not. */
  contents?(): Pick<PageParts, 'data'> & { readonly allowsImages?: boolean };
  /** Fills a page that is empty: it is new, was hidden, or was reloaded. Resolves when the page has all it needs. */
  fill(ready: Ready<From>): unknown;
  readonly handlers: Handlers<From>;
  /** Tells the user why a message wasn't handled. The error is logged already. */
  fail(error: unknown): unknown;
  /** The page is gone, and with it what was posted to it. */
  emptied?(): void;
  closed?(): void;
}

export interface WebviewPage<To> {
  /** Resolves when the page has the message, or at once if there's no page: it will be filled. */
  post(message: To): Promise<void>;
  /** Acts as soon as the page is filled; of several acts with one name, only the last. */
  onceFilled(name: string, act: () => void): void;
  /** Loads the page again with its present contents. */
  reload(): void;
}

/** The modules that the script of pages imports, with spaces between them. Only the build knows them. */
declare const PAGE_MODULES: string;
const modules = typeof PAGE_MODULES === 'undefined' ? [] : PAGE_MODULES.split(' ').filter(Boolean);

/** The folder of the built pages. */
const assetsOf = (extension: Uri) => Uri.joinPath(extension, 'dist');

/** A panel whose title was made to be shown. */
export interface ShownPanel extends Omit<WebviewPanel, 'title'> {
  title: ShownText;
}

/** Creates a panel, by default in the active column. */
export const createPanel = (
  viewType: string,
  title: ShownText,
  column: ViewColumn | { viewColumn: ViewColumn; preserveFocus: boolean } = ViewColumn.Active,
) => window.createWebviewPanel(viewType, title, column) as ShownPanel;

/** Shows a page in a panel, which is new or was restored. It replaces any other page. */
export function openPage<From extends Typed, To>(
  panel: ShownPanel,
  { extensionUri, log }: PageHost,
  owner: PageOwner<From>,
): WebviewPage<To> {
  let state: 'none' | 'empty' | 'filled' | 'closed' = 'none';
  /** The number of pages that were ready so far. */
  let pages = 0;
  const waiting = new Map<string, () => void>();

  function load(): void {
    const { data = {}, allowsImages = false } = owner.contents?.() ?? {};
    panel.webview.html = webviewHtml({
      page: owner.page,
      translations: l10n.bundle,
      data,
      modules,
      allowsImages,
      language: env.language,
      nonce: crypto.randomUUID(),
      asset: (name) => panel.webview.asWebviewUri(Uri.joinPath(assetsOf(extensionUri), name)).toString(),
    });
  }

  function lose(): void {
    if (state === 'closed') return;
    state = 'none';
    owner.emptied?.();
  }

  async function receive(message: unknown): Promise<void> {
    try {
      if (v.is(PageRequest, message)) return void (await serve(message));
      const parsed = v.safeParse(owner.schema, message);
      if (!parsed.success) return log.warn(`${owner.page} page: ${v.summarize(parsed.issues)}`);
      const { output } = parsed;
      if (output.type === 'ready') await fill(output as Ready<From>);
      else await owner.handlers[output.type as keyof Handlers<From>](output as never);
    } catch (error) {
      log.error(toError(error));
      await owner.fail(error);
    }
  }

  async function fill(ready: Ready<From>): Promise<void> {
    if (state === 'closed') return;
    const page = ++pages;
    if (state !== 'none') lose();
    state = 'empty';
    await owner.fill(ready);
    // The page may be gone meanwhile, or another one be filled.
    if (page !== pages || state !== 'empty') return;
    state = 'filled';
    for (const act of waiting.values()) act();
    waiting.clear();
  }

  const icon = (name: string) => Uri.joinPath(extensionUri, 'media', name);
  panel.iconPath = { light: icon('bot-chats.svg'), dark: icon('bot-chats-dark.svg') };
  panel.webview.options = { enableScripts: true, localResourceRoots: [assetsOf(extensionUri)] };
  panel.onDidDispose(() => {
    state = 'closed';
    owner.closed?.();
  });
  panel.onDidChangeViewState(() => {
    if (!panel.visible) lose();
  });
  panel.webview.onDidReceiveMessage(receive);
  load();

  return {
    async post(message) {
      if (state === 'empty' || state === 'filled') await panel.webview.postMessage(message);
    },
    onceFilled(name, act) {
      if (state === 'filled') act();
      else waiting.set(name, act);
    },
    reload() {
      lose();
      load();
    },
  };
}

function serve(request: PageRequest): Thenable<unknown> {
  if (request.type === 'copy') return env.clipboard.writeText(request.text);
  // The URL stays a string, because a Uri would change its escapes.
  return commands.executeCommand('vscode.open', request.url);
}
