/** The open history panels: one for each chat and the bot that reads it. */
import * as v from 'valibot';
import { l10n, ViewColumn, type WebviewPanel, window } from 'vscode';
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

/** Instead of a bot ID: ask the user. */
const ASK = Symbol('ask');

export class HistoryPanels {
  readonly #view: string;
  readonly #host: PanelHost;
  readonly #panels = new Map<string, HistoryPanel>();

  /** `view` is the panels' view type, by which VS Code restores them. */
  constructor(view: string, host: PanelHost) {
    this.#view = view;
    this.#host = host;
  }

  /**
   * Opens the `selected` chats, or the `clicked` one, or else one that the user picks. With `ask`, the user chooses the
   * bot even if it is known.
   */
  async openChats(clicked?: object, selected?: readonly object[], { ask = false } = {}): Promise<void> {
    const chosen = selected && selected.length > 0 ? selected : [clicked];
    const chats = clicked === undefined ? [await this.#pickChat()] : chosen.map(chatOf);
    for (const chat of chats) if (chat && !(await this.open(chat, ask ? ASK : chat.botId))) return;
  }

  /**
   * Opens the history of a chat, or reveals its panel. The bot is `reader`, or else the last one used for this chat, the
   * one attached to the group, or one that the user picks. Resolves to false if the user cancels.
   */
  async open(chat: Chat, reader?: string | typeof ASK): Promise<boolean> {
    const service = await this.#host.access.openService();
    if (!service) return false;
    const known = service.directory.peek(chat.type, chat.id);
    const name = known ? displayName(known) : chat.id;
    const title = l10n.t('Read the history of {0} as which bot?', name);
    const { type, id } = chat;
    const remembered = this.#host.store.find('readers', { service: service.address, type, id })?.botId;
    const preferred = reader ?? remembered ?? (await attachedBotId(chat, service));
    const botId = await this.#host.access.chooseBot(service, title, preferred === ASK ? undefined : preferred);
    if (!botId) return false;
    const isChosen = (!reader || reader === ASK) && botId !== remembered;
    const botChat = { service: service.address, type, id, botId };
    if (isChosen) await this.#host.store.remember('readers', { service: service.address, type, id }, { botId });
    const shown = this.#panels.get(keyOf(botChat));
    if (shown) {
      shown.reveal();
      return true;
    }
    this.#add(window.createWebviewPanel(this.#view, name, ViewColumn.Active), botChat);
    return true;
  }

  /** Restores a panel after VS Code has reloaded. */
  restore(panel: WebviewPanel, state: unknown): void {
    const saved = v.safeParse(PageState, state);
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
    const panel = [...this.#panels.values()].find(({ isActive }) => isActive);
    if (panel) return panel;
    throw new UserFacingError(l10n.t("Open a chat's message history first."));
  }

  /** Reloads all pages after the image setting has changed. */
  reload(): void {
    for (const panel of this.#panels.values()) panel.load();
  }

  #add(panel: WebviewPanel, botChat: BotChat): void {
    const key = keyOf(botChat);
    this.#panels.set(key, new HistoryPanel(panel, botChat, this.#host));
    panel.onDidDispose(() => this.#panels.delete(key));
    const { log, storageUri } = this.#host;
    deleteOldImages(storageUri).catch((error) => log.warn(`old images are not deleted: ${error}`));
  }

  async #pickChat(): Promise<ChosenChat | undefined> {
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
    const title = l10n.t('Open Message History');
    return (await pickOne(items, { title, matchOnDescription: true }))?.chat;
  }
}

const keyOf = ({ service, type, id, botId }: BotChat) => JSON.stringify([service, type, id, botId]);

/** A chat and, if known, the bot to read it with. */
type ChosenChat = Chat & { botId?: string | undefined };

/** The chat in a command argument; undefined for bots and detail rows. */
function chatOf(given: object | undefined): ChosenChat | undefined {
  const { success, output } = v.safeParse(ResourceArgument, given);
  return success && output.kind !== 'bot' ? { type: output.kind, id: output.id, botId: output.botId } : undefined;
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
