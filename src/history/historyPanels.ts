/** The open history panels: one for each chat and the bot that reads it. */
import * as v from 'valibot';
import { l10n, type Memento, ViewColumn, type WebviewPanel, window } from 'vscode';
import { listOf } from '../platform/listSettings.ts';
import type { Service } from '../platform/service.ts';
import { displayName, KIND_ICONS } from '../presentation/describe.ts';
import { pickOne, safeLabel } from '../presentation/dialogs.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import { type BotChat, PageState } from '../protocol/history.ts';
import { identifier } from '../service/fields.ts';
import { attachedBot, type Chat } from '../service/model.ts';
import type { ActionNeeds } from './historyCommands.ts';
import { HistoryPanel, type PanelNeeds } from './historyPanel.ts';

/** What a command is given for a chat: a row of the sidebar, or anything else that names one. */
const ChatArgument = v.pipe(
  v.object({ kind: v.picklist(['group', 'user']), id: identifier }),
  v.transform(({ kind, id }): Chat => ({ type: kind, id })),
);
/** Bots and details that are selected beside chats are passed over. */
const ChatArguments = v.array(v.fallback(v.optional(ChatArgument), undefined));

/** In the place of a reader: the person is to be asked. */
const ASK = Symbol('ask');

export interface HistoryNeeds extends PanelNeeds, ActionNeeds {
  /** Kept over restarts: who read a chat the last time, and up to where. */
  memory: Memento;
  openService(): Promise<Service | undefined>;
  /** The bot to read as; undefined when the person stepped back. */
  chooseBot(service: Service, title: string, preferred?: string): Promise<string | undefined>;
}

export class HistoryPanels {
  readonly #view: string;
  readonly #needs: HistoryNeeds;
  readonly #panels = new Map<string, HistoryPanel>();

  /** `view` is the type of the panels, by which VS Code restores them. */
  constructor(view: string, needs: HistoryNeeds) {
    this.#view = view;
    this.#needs = needs;
  }

  /**
   * Opens the chats that a command was given, `clicked` and those that were `selected` with it, or one that the person
   * is asked for. With `ask` the person is asked who is to read, even where that is known.
   */
  async openAny(clicked: unknown, selected: unknown, { ask = false } = {}): Promise<void> {
    const chosen = v.parse(ChatArguments, Array.isArray(selected) && selected.length > 0 ? selected : [clicked]);
    const chats = clicked === undefined ? [await this.#ask()] : chosen;
    for (const chat of chats) if (chat && !(await this.open(chat, ask ? ASK : undefined))) return;
  }

  /**
   * Opens the history of a chat, read by the bot `reader`, or else by the one that read it the last time, the one that
   * the group has attached, or one that is asked for; or shows the panel it is open in. Resolves to false when the
   * person stepped back.
   */
  async open(chat: Chat, reader?: string | typeof ASK): Promise<boolean> {
    const service = await this.#needs.openService();
    if (!service) return false;
    const known = service.directory.peek(chat.type, chat.id);
    const name = known ? displayName(known) : chat.id;
    const title = l10n.t('Read the history of {0} as which bot?', name);
    const readerKey = `reader ${service.address} ${chat.type} ${chat.id}`;
    const remembered = this.#needs.memory.get<string>(readerKey);
    const preferred = reader ?? remembered ?? (await attachedTo(chat, service));
    const botId = await this.#needs.chooseBot(service, title, preferred === ASK ? undefined : preferred);
    if (!botId) return false;
    const isChosen = (!reader || reader === ASK) && botId !== remembered;
    if (isChosen) await this.#needs.memory.update(readerKey, botId);
    const place = { service: service.address, ...chat, botId };
    const shown = this.#panels.get(keyOf(place));
    if (shown) {
      shown.reveal();
      return true;
    }
    this.#adopt(window.createWebviewPanel(this.#view, name, ViewColumn.Active), place);
    return true;
  }

  /** Fills a panel that VS Code kept over a reload. */
  restore(panel: WebviewPanel, state: unknown): void {
    const kept = v.safeParse(PageState, state);
    // The chat may have been opened anew before its old panel was shown again.
    if (kept.success && !this.#panels.has(keyOf(kept.output.place))) this.#adopt(panel, kept.output.place);
    else panel.dispose();
  }

  /** Shows new messages in the panels of these chats of a service. */
  async loadNewer({ address }: Service, chats: readonly Chat[]): Promise<void> {
    const panels = [...this.#panels.values()].filter(
      ({ place }) => place.service === address && chats.some(({ type, id }) => type === place.type && id === place.id),
    );
    await Promise.all(panels.map((panel) => panel.loadNewer()));
  }

  /** The panel that has the focus. @throws UserFacingError where none has */
  active(): HistoryPanel {
    const panel = [...this.#panels.values()].find(({ isActive }) => isActive);
    if (panel) return panel;
    throw new UserFacingError(l10n.t('Open the message history of a chat first.'));
  }

  /** Pictures were allowed somewhere, or forbidden. */
  reload(): void {
    for (const panel of this.#panels.values()) panel.load();
  }

  #adopt(panel: WebviewPanel, place: BotChat): void {
    const key = keyOf(place);
    this.#panels.set(key, new HistoryPanel(panel, place, this.#needs));
    panel.onDidDispose(() => this.#panels.delete(key));
  }

  async #ask(): Promise<Chat | undefined> {
    const service = await this.#needs.openService();
    if (!service) return undefined;
    const chats = (['group', 'user'] as const).flatMap((kind) =>
      listOf(kind, service).entries.map(({ id }) => ({ kind, id })),
    );
    const items = chats.map(({ kind, id }) => {
      const known = service.directory.peek(kind, id);
      return {
        label: safeLabel(known ? displayName(known) : id, KIND_ICONS[kind]),
        description: safeLabel(id),
        chat: { type: kind, id },
      };
    });
    const title = l10n.t('Open Message History');
    return (await pickOne(items, { title, matchOnDescription: true }))?.chat;
  }
}

const keyOf = ({ service, type, id, botId }: BotChat) => JSON.stringify([service, type, id, botId]);

/** The bot that a group has attached; a lookup that fails says nothing about it. */
async function attachedTo({ type, id }: Chat, { directory }: Service): Promise<string | undefined> {
  if (type !== 'group') return undefined;
  try {
    const found = await directory.get('group', id);
    return found.kind === 'group' ? attachedBot(found.resource)?.botId : undefined;
  } catch {
    return undefined;
  }
}
