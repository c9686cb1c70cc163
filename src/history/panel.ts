/** One history panel: a chat as one bot reads it. */

import * as v from 'valibot';
import { commands, env, type LogOutputChannel, l10n, Uri, type WebviewPanel } from 'vscode';
import type { Kind } from '../service/model.ts';
import { nameOf, serviceName, summaryOf } from '../words/describe.ts';
import { explain, mayNeedToken, UserFacingError } from '../words/explain.ts';
import type { Connection } from '../workbench/connection.ts';
import type { Service } from '../workbench/service.ts';
import type { Tokens } from '../workbench/tokens.ts';
import { assetsOf, pageFor } from './page.ts';
import { type EdgeView, FromPage, type Place, type ToPage } from './protocol.ts';
import { type Edge, Timeline } from './timeline.ts';

export interface PanelNeeds {
  connection: Connection;
  tokens: Tokens;
  extension: Uri;
  log: LogOutputChannel;
  /** Asks for the token of a bot and saves it. */
  setToken(service: Service, botId: string): Promise<unknown>;
  /** Told of the newest message that is on the screen. */
  seen(place: Place, newest: { msgId: string; sendTime: number }): Promise<unknown>;
}

/** No token is saved for the bot that should read. */
class NoTokenError extends UserFacingError {}

export class HistoryPanel {
  readonly place: Place;
  readonly #panel: WebviewPanel;
  readonly #needs: PanelNeeds;
  readonly #abort = new AbortController();
  readonly #timeline: Timeline;
  #isAtNewest = true;

  constructor(panel: WebviewPanel, place: Place, needs: PanelNeeds) {
    this.place = place;
    this.#panel = panel;
    this.#needs = needs;
    const icon = (name: string) => Uri.joinPath(needs.extension, 'media', name);
    this.#timeline = new Timeline(
      async (page) => {
        const service = await this.#service();
        const token = await needs.tokens.get(service, place.botId);
        if (!token) throw new NoTokenError(l10n.t('No token is saved for the bot {0}.', place.botId));
        return service.client.messages(token, place, page, this.#abort.signal);
      },
      ({ where, added }) => {
        if (added.length > 0) this.#post({ type: 'entries', where, entries: added });
        this.#postEdges();
        this.#tellSeen();
      },
    );
    panel.iconPath = { light: icon('bot-chats.svg'), dark: icon('bot-chats-dark.svg') };
    panel.webview.options = { enableScripts: true, localResourceRoots: [assetsOf(needs.extension)] };
    panel.onDidDispose(() => this.#abort.abort());
    panel.onDidChangeViewState(() => this.#tellSeen());
    panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message));
    panel.webview.html = pageFor(panel.webview, needs.extension, place);
  }

  reveal(): void {
    this.#panel.reveal();
  }

  /** Loads what is newer than what is shown. */
  loadNewer(): Promise<void> {
    return this.#timeline.loadNewer();
  }

  async #receive(message: unknown): Promise<void> {
    const heard = v.safeParse(FromPage, message);
    if (!heard.success) {
      this.#needs.log.warn(`history page: ${v.summarize(heard.issues)}`);
      return;
    }
    try {
      await this.#answer(heard.output);
    } catch (error) {
      this.#needs.log.error(error instanceof Error ? error : String(error));
      const { showError } = await import('../words/showError.ts');
      await showError(error);
    }
  }

  async #answer(message: FromPage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#post({ type: 'entries', where: 'all', entries: [...this.#timeline.entries] });
        this.#postEdges();
        await Promise.all([
          this.#postHeading(),
          ...(this.#timeline.entries.length === 0 ? [this.#timeline.loadNewer()] : []),
        ]);
        return;
      case 'older':
        return this.#timeline.loadOlder();
      case 'newer':
        await Promise.all([this.#postHeading(), this.#timeline.loadNewer()]);
        return;
      case 'setToken':
        if (!(await this.#needs.setToken(await this.#service(), this.place.botId))) return;
        return this.#timeline.older.at === 'failed' ? this.#timeline.loadOlder() : this.#timeline.loadNewer();
      case 'atNewest':
        this.#isAtNewest = message.is;
        return this.#tellSeen();
      case 'copy':
        return env.clipboard.writeText(message.text);
      case 'open':
        // As a string: a Uri would be written anew, with other escapes than the sender's.
        await commands.executeCommand('vscode.open', message.url);
    }
  }

  async #postHeading(): Promise<void> {
    const { type, id, botId } = this.place;
    // Where a lookup fails, IDs stand for names: what is wrong is said where messages are missing.
    const named = async (kind: Kind, of: string) => {
      try {
        const found = await (await this.#service()).directory.get(kind, of);
        return { name: nameOf(found), summary: summaryOf(found) };
      } catch {
        return { name: of, summary: '' };
      }
    };
    const [chat, bot] = await Promise.all([named(type, id), named('bot', botId)]);
    if (this.#abort.signal.aborted) return;
    this.#panel.title = chat.name;
    this.#post({ type: 'heading', ...chat, readAs: bot.name });
  }

  /** The service that this chat is of: another one must not be asked for it, or be shown under its name. */
  async #service(): Promise<Service> {
    const service = await this.#needs.connection.open();
    if (service.address === this.place.service) return service;
    throw new UserFacingError(
      l10n.t('This history is of {0}, which is not connected now.', serviceName(this.place.service)),
    );
  }

  #tellSeen(): void {
    if (this.#abort.signal.aborted || !this.#panel.visible || !this.#isAtNewest) return;
    const messages = this.#timeline.entries.flatMap((entry) => (entry.readable ? [entry.message] : []));
    const newest = messages.at(-1);
    if (!newest) return;
    // One without a time is no older than those before it.
    const sendTime = messages.findLast((message) => message.sendTime !== undefined)?.sendTime ?? 0;
    void this.#needs.seen(this.place, { msgId: newest.msgId, sendTime });
  }

  #postEdges(): void {
    this.#post({ type: 'edges', older: edgeView(this.#timeline.older), newer: edgeView(this.#timeline.newer) });
  }

  #post(message: ToPage): void {
    if (!this.#abort.signal.aborted) void this.#panel.webview.postMessage(message);
  }
}

function edgeView(edge: Edge): EdgeView {
  if (edge.at !== 'failed') return edge;
  const { error } = edge;
  return { at: 'failed', text: explain(error), needsToken: error instanceof NoTokenError || mayNeedToken(error) };
}
