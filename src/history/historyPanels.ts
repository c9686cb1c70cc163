/** The open history panels: one for each chat and the bot that reads it. */
import * as v from 'valibot';
import { l10n, TabInputWebview, ViewColumn, type WebviewPanel, window } from 'vscode';
import { ResourceArgument } from '../platform/commandArguments.ts';
import type { Service } from '../platform/service.ts';
import { displayName, KIND_ICONS } from '../presentation/describe.ts';
import { pickOne, safeLabel } from '../presentation/dialogs.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import type { BotChat } from '../protocol/botChat.ts';
import { PageState } from '../protocol/history.ts';
import { attachedBot, type Chat } from '../service/model.ts';
import { HistoryPanel, type PanelHost } from './historyPanel.ts';
import { deleteOldImages } from './openImage.ts';
import { tabTitle } from './tabTitles.ts';

/** Instead of a bot ID: ask the user. */
const ASK = Symbol('ask');

export class HistoryPanels {
  readonly #view: string;
  readonly #host: PanelHost;
  readonly #panels = new Map<string, HistoryPanel>();
  /** The titles of tabs from before a reload. VS Code restores a panel when its tab is shown. */
  readonly #unrestored: string[];

  /** `view` is the panels' view type, by which VS Code restores them. */
  constructor(view: string, host: PanelHost) {
    this.#view = view;
    this.#host = host;
    this.#unrestored = window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input }) => input instanceof TabInputWebview && input.viewType.endsWith(view))
      .map(({ label }) => label);
  }

  /**
   * Opens the `selected` chats, or the `clicked` one, or else one that the user picks. With `ask`, the user chooses the
   * bot even if it is known.
   */
  async openChats(clicked?: object, selected?: readonly object[], { ask = false } = {}): Promise<void> {
    const chosen = selected && selected.length > 0 ? selected : [clicked];
    const title = l10n.t('Open Message History');
    const chats = clicked === undefined ? [await this.#pickChat(title)] : chosen.map(chatOf);
    for (const chat of chats) if (chat && !(await this.open(chat, ask ? ASK : chat.botId))) return;
  }

  /** Opens the history of a chat with the bot that reads it, or reveals its panel. Resolves to false if the user cancels. */
  async open(chat: Chat, reader?: string | typeof ASK): Promise<boolean> {
    const chosen = await this.#chooseBot(chat, reader);
    if (!chosen) return false;
    const { botChat, name } = chosen;
    const shown = this.#panels.get(keyOf(botChat));
    if (shown) shown.reveal();
    else this.#add(window.createWebviewPanel(this.#view, name, ViewColumn.Active), botChat);
    return true;
  }

  /**
   * The `clicked` chat, or else the one of the active panel, or else one that the user picks, with the bot that would
   * open it. Undefined if the user cancels.
   */
  async choose(clicked: object | undefined, title: string): Promise<NamedBotChat | undefined> {
    const given = clicked && chatOf(clicked);
    const active = this.#active();
    if (!given && active) return { botChat: active.botChat, name: active.name };
    const chat = given ?? (await this.#pickChat(title));
    return chat && this.#chooseBot(chat, chat.botId);
  }

  /** Restores a panel after VS Code has reloaded. */
  restore(panel: WebviewPanel, state: unknown): void {
    const saved = v.safeParse(PageState, state);
    const tab = this.#unrestored.indexOf(panel.title);
    if (tab >= 0) this.#unrestored.splice(tab, 1);
    // The chat may have been reopened before its old panel was restored.
    if (saved.success && !this.#panels.has(keyOf(saved.output.place))) this.#add(panel, saved.output.place);
    else panel.dispose();
  }

  /** Loads new messages in the open panels of these chats. */
  async loadNewer({ address }: Service, chats: readonly Chat[]): Promise<void> {
    const panels = [...this.#panels.values()].filter(
      ({ botChat }) =>
        botChat.service === address && chats.some(({ type, id }) => type === botChat.type && id === botChat.id),
    );
    await Promise.all(panels.map((panel) => panel.loadNewer()));
  }

  /** The panel that has the focus. @throws UserFacingError if none has it */
  active(): HistoryPanel {
    const panel = this.#active();
    if (panel) return panel;
    throw new UserFacingError(l10n.t("Open a chat's message history first."));
  }

  /** Reloads all pages after the image setting has changed. */
  reload(): void {
    for (const panel of this.#panels.values()) panel.load();
  }

  #active(): HistoryPanel | undefined {
    return [...this.#panels.values()].find(({ isActive }) => isActive);
  }

  /**
   * Chooses the bot that reads a chat: `reader`, or else the last one used for this chat, the one attached to the group,
   * or one that the user picks. Undefined if the user cancels.
   */
  async #chooseBot(chat: Chat, reader: string | typeof ASK | undefined): Promise<NamedBotChat | undefined> {
    const service = await this.#host.access.openService();
    if (!service) return undefined;
    const { type, id } = chat;
    const title = l10n.t('Read the history of {0} as which bot?', knownName(chat, service));
    const remembered = this.#host.store.find('readers', { service: service.address, type, id })?.botId;
    const preferred = reader ?? remembered ?? (await attachedBotId(chat, service));
    const botId = await this.#host.access.chooseBot(service, title, preferred === ASK ? undefined : preferred);
    if (!botId) return undefined;
    const isChosen = (!reader || reader === ASK) && botId !== remembered;
    if (isChosen) await this.#host.store.remember('readers', { service: service.address, type, id }, { botId });
    return { botChat: { service: service.address, type, id, botId }, name: knownName(chat, service) };
  }

  #add(panel: WebviewPanel, botChat: BotChat): void {
    const key = keyOf(botChat);
    this.#panels.set(key, new HistoryPanel(panel, botChat, this.#host, () => this.#setTitles()));
    panel.onDidDispose(() => {
      this.#panels.delete(key);
      this.#setTitles();
    });
    this.#setTitles();
    const { log, storageUri } = this.#host;
    deleteOldImages(storageUri).catch((error) => log.warn(`old images are not deleted: ${error}`));
  }

  #setTitles(): void {
    const open = [...this.#panels.values()];
    for (const panel of open) panel.setTitle(tabTitle(panel, open, this.#unrestored));
  }

  async #pickChat(title: string): Promise<ChosenChat | undefined> {
    const service = await this.#host.access.openService();
    if (!service) return undefined;
    const chats = (['group', 'user'] as const).flatMap((kind) =>
      this.#host.lists.read(kind, service).entries.map(({ id }) => ({ kind, id })),
    );
    const items = chats.map(({ kind, id }) => {
      const known = service.directory.peek(kind, id);
      return {
        label: safeLabel(known ? displayName(known) : id, KIND_ICONS[kind]),
        description: safeLabel(id),
        chat: { type: kind, id },
      };
    });
    return (await pickOne(items, { title, matchOnDescription: true }))?.chat;
  }
}

const keyOf = ({ service, type, id, botId }: BotChat) => JSON.stringify([service, type, id, botId]);

/** A chat as a bot reads it, with the chat's name, or its ID if that isn't known. */
interface NamedBotChat {
  readonly botChat: BotChat;
  readonly name: string;
}

/** A chat and, if known, the bot to read it with. */
type ChosenChat = Chat & { botId?: string | undefined };

/** The chat in a command argument; undefined for bots and detail rows. */
function chatOf(given: object | undefined): ChosenChat | undefined {
  const { success, output } = v.safeParse(ResourceArgument, given);
  return success && output.kind !== 'bot' ? { type: output.kind, id: output.id, botId: output.botId } : undefined;
}

/** The name of a chat, or its ID if it wasn't looked up. */
function knownName({ type, id }: Chat, { directory }: Service): string {
  const known = directory.peek(type, id);
  return known ? displayName(known) : id;
}

/** The bot attached to a group; undefined if there is none or the lookup fails. */
async function attachedBotId({ type, id }: Chat, { directory }: Service): Promise<string | undefined> {
  if (type !== 'group') return undefined;
  try {
    const found = await directory.get('group', id);
    return found.kind === 'group' ? attachedBot(found.resource)?.botId : undefined;
  } catch {
    return undefined;
  }
}
