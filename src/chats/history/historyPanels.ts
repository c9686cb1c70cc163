/** The open history panels: one for each chat and the bot that reads it. */
import * as v from 'valibot';
import { commands, TabInputWebview, type Uri, window } from 'vscode';
import type { Host } from '../../platform/host.ts';
import { isBrowser } from '../../platform/node.ts';
import { OpenPanels } from '../../platform/openPanels.ts';
import type { Service } from '../../platform/service.ts';
import { createPanel, type ShownPanel } from '../../platform/webviewPage.ts';
import {
  type ChosenChat,
  chatOf,
  chooseReader,
  chooseReaders,
  linkedChat,
  type NamedBotChat,
  readLink,
} from '../../presentation/chatReader.ts';
import { nameInTab, shortServiceName } from '../../presentation/describe.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import { joinNames } from '../../presentation/formats.ts';
import { pickChat } from '../../presentation/pickChat.ts';
import { l10n, type ShownText } from '../../presentation/shown.ts';
import { BotChat, botChatKey, botChatsOf, hasSameMessages } from '../../protocol/botChat.ts';
import { PageState } from '../../protocol/history.ts';
import { type Chat, includesChat, isSame } from '../../service/model.ts';
import type { ArchivedChats } from '../contract.ts';
import { HistoryPanel, type PanelHost } from './historyPanel.ts';
import type { HistorySession, OpenedMessage } from './historySession.ts';
import { deleteOldImages } from './openImage.ts';

/** A chat of any service, with its name: a row of the archive. */
const ArchivedRow = v.object({ ...BotChat.entries, name: v.string() });

type PanelsHost = PanelHost & Pick<Host, 'workspaceMemento'> & { readonly archived: ArchivedChats };

export class HistoryPanels {
  readonly #view: string;
  readonly #host: PanelsHost;
  readonly #panels: OpenPanels<HistoryPanel>;
  /** The titles of tabs from before a reload. VS Code restores a panel when its tab is shown. */
  readonly #unrestored: string[];

  /** `view` is the panels' view type, by which VS Code restores them. */
  constructor(view: string, host: PanelsHost) {
    this.#view = view;
    this.#host = host;
    this.#panels = new OpenPanels(view, host.workspaceMemento);
    host.archived.onDidChange(() => this.#showArchived());
    this.#unrestored = window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input }) => input instanceof TabInputWebview && input.viewType.endsWith(view))
      .map(({ label }) => label);
  }

  /** Opens the `selected` chats, or the `clicked` one, or else a chat that the user picks. */
  openHistory(clicked?: object, selected?: readonly object[]): Promise<void> {
    return this.#openChats(clicked, selected, false);
  }

  /** Like {@link openHistory}, but the user chooses the bot even if it is known. */
  openHistoryAs(clicked?: object, selected?: readonly object[]): Promise<void> {
    return this.#openChats(clicked, selected, true);
  }

  async #openChats(clicked: object | undefined, selected: readonly object[] | undefined, ask: boolean): Promise<void> {
    const chosen = selected && selected.length > 0 ? selected : [clicked];
    if (clicked === undefined) {
      const picked = await pickChat(this.#host, l10n.t('Open Message History'));
      return picked?.msgId === undefined ? this.#openAll([picked], ask) : this.#openLinked(picked, ask);
    }
    const isArchived = (row: object | undefined) => archivedRowOf(row) !== undefined;
    for (const row of chosen.map(archivedRowOf)) if (row) await this.openMessage(row.botChat);
    await this.#openAll(chosen.filter((row) => !isArchived(row)).map(chatOf), ask);
  }

  async #openAll(given: readonly (ChosenChat | undefined)[], ask: boolean): Promise<void> {
    const chats = given.filter((chat) => chat !== undefined);
    const service = chats.length > 0 ? await this.#host.access.openService() : undefined;
    if (!service) return;
    const open = chats.map(({ kind, id, botId }) =>
      ask ? undefined : this.#openedAs({ service: service.address, kind, id, botId }),
    );
    const asked = chats.filter((_, at) => !open[at]);
    const chosen = asked.length > 0 ? await chooseReaders(this.#host, asked, { ask }) : [];
    if (!chosen) return;
    for (const botChat of open) {
      const one = botChat ? { botChat, name: botChat.id } : chosen.shift();
      if (one) await this.#show(one);
    }
  }

  /** Opens the history of a chat, or reveals its panel. */
  async #show({ botChat, name }: NamedBotChat): Promise<void> {
    const shown = await this.#panels.find(botChatKey(botChat));
    if (shown) {
      shown.session.isResult = false;
      shown.reveal();
    } else this.#add(createPanel(this.#view, nameInTab(name)), botChat);
  }

  /** Opens the history of a chat, at one of its messages if there's an ID. Messages may come from the archive. */
  async openMessage(message: (BotChat & OpenedMessage) | undefined): Promise<void> {
    if (!message) return;
    const { msgId, found, ...botChat } = message;
    const shown = await this.#panels.find(botChatKey(this.#openedAs(botChat) ?? botChat));
    if (!shown) {
      const panel = createPanel(this.#view, nameInTab(botChat.id));
      return this.#add(panel, botChat, { msgId, found }).session.opened;
    }
    shown.session.isResult = found !== undefined;
    shown.reveal();
    if (msgId !== undefined) await shown.session.goTo(msgId, found);
  }

  /** Opens the chat of a link, at a message if it names one. @throws UserFacingError */
  async openLink(address: Uri | string | undefined): Promise<void> {
    if (!address) return;
    const link = readLink(address);
    const service = await this.#host.access.openService();
    if (service) await this.#openLinked(await linkedChat(link, service), false);
  }

  /** Opens a chat with the bot that a link names, unless the user is asked for it. */
  async #openLinked({ kind, id, botId, msgId }: ChosenChat, ask: boolean): Promise<void> {
    const service = await this.#host.access.openService();
    if (!service) return;
    const chat = { service: service.address, kind, id };
    const known = botId === undefined ? this.#openedAs({ ...chat, botId }) : { ...chat, botId };
    const [chosen] = known && !ask ? [] : ((await chooseReaders(this.#host, [{ kind, id }], { ask })) ?? []);
    const botChat = chosen?.botChat ?? (ask ? undefined : known);
    if (botChat) await this.openMessage({ ...botChat, msgId });
  }

  /**
   * The `clicked` chat, or that of the active panel, or one that the user picks, with the bot that would read it. Undefined
   * if the user cancels.
   */
  async choose(clicked: object | undefined, title: ShownText): Promise<NamedBotChat | undefined> {
    const archived = archivedRowOf(clicked);
    if (archived) return archived;
    const given = clicked && chatOf(clicked);
    const active = this.#active()?.session;
    if (!given && active) return { botChat: active.botChat, name: active.name };
    const chat = given ?? (await pickChat(this.#host, title));
    return chat && chooseReader(this.#host, chat);
  }

  /** Restores a panel after VS Code has reloaded. */
  restore(panel: ShownPanel, state: unknown): void {
    const saved = v.safeParse(PageState, state);
    const tab = this.#unrestored.indexOf(panel.title);
    if (tab >= 0) this.#unrestored.splice(tab, 1);
    // The chat may have been reopened before its old panel was restored.
    if (saved.success && !this.#panels.get(botChatKey(saved.output.place))) this.#add(panel, saved.output.place);
    else panel.dispose();
  }

  /** Loads new messages in the open panels of these chats. */
  async loadNewer({ address }: Service, chats: readonly Chat[]): Promise<void> {
    const open = this.#sessions.filter(({ botChat }) => botChat.service === address && includesChat(chats, botChat));
    await Promise.all(open.map(({ timeline }) => timeline.loadNewer()));
  }

  /** The history in the panel that has the focus. @throws UserFacingError if none has it */
  active(): HistorySession {
    const panel = this.#active();
    if (panel) return panel.session;
    throw new UserFacingError(l10n.t("Open a chat's message history first."));
  }

  /** Reloads all pages after the image setting has changed. */
  reload(): void {
    for (const panel of this.#panels.all) panel.reload();
  }

  /** The history in the open panel of a chat: that of the bot, if one is given, or else any with the same messages. */
  #openedAs({ botId = '', ...chat }: Omit<BotChat, 'botId'> & { botId: string | undefined }): BotChat | undefined {
    const botChat = { ...chat, botId };
    const open = botChatsOf(this.#panels.keys);
    return (
      open.find((one) => botChatKey(one) === botChatKey(botChat)) ?? open.find((one) => hasSameMessages(one, botChat))
    );
  }

  #active(): HistoryPanel | undefined {
    return this.#panels.all.find(({ isActive }) => isActive);
  }

  get #sessions(): HistorySession[] {
    return this.#panels.all.map(({ session }) => session);
  }

  #add(panel: ShownPanel, botChat: BotChat, opensAt?: OpenedMessage): HistoryPanel {
    const history = new HistoryPanel(panel, botChat, this.#host, () => this.#setTitles(), opensAt);
    this.#panels.add(botChatKey(botChat), panel, history);
    panel.onDidDispose(() => this.#setTitles());
    panel.onDidChangeViewState(() => this.#showArchived());
    void this.#showArchived();
    this.#setTitles();
    const { log, storageUri } = this.#host;
    deleteOldImages(storageUri).catch((error) => log.warn(`old images are not deleted: ${error}`));
    return history;
  }

  /** Sets what the panels, and the title menu of the active one, offer: archiving, or what can be done with an archived chat. */
  async #showArchived(): Promise<void> {
    // Without Node there is no SQLite, and so no archive.
    if (this.#panels.all.length === 0 || isBrowser()) return;
    const chats = await this.#host.archived.list();
    const isArchived = ({ botChat }: HistorySession) => chats.some((chat) => hasSameMessages(chat, botChat));
    for (const session of this.#sessions) session.page.setArchived(isArchived(session));
    const active = this.#active()?.session;
    if (active) await commands.executeCommand('setContext', 'botChats.isArchived', isArchived(active));
  }

  #setTitles(): void {
    const open = this.#sessions;
    for (const panel of this.#panels.all) panel.setTitle(tabTitle(panel.session, open, this.#unrestored));
  }
}

function archivedRowOf(given: object | undefined): NamedBotChat | undefined {
  const { success, output } = v.safeParse(ArchivedRow, given);
  if (!success) return undefined;
  const { name, ...botChat } = output;
  return { botChat, name };
}

/** A history with its names, or their IDs until they are looked up. */
export interface NamedHistory {
  readonly botChat: BotChat;
  readonly name: string;
  readonly botName: string;
}

/**
 * The name of a history, followed by what sets it apart from the others of that name: the ID of its chat, its bot or its
 * service. `unrestored` are the titles of tabs that VS Code restores only when they are shown.
 */
export function tabTitle(
  history: NamedHistory,
  open: readonly NamedHistory[],
  unrestored: readonly string[],
): ShownText {
  const { botChat, botName } = history;
  const name = nameInTab(history.name);
  const nameWith = (more: string) => l10n.t('{0} ({1})', name, more);
  const { service, id, botId } = botChat;
  const rivals = open.filter((other) => other !== history && nameInTab(other.name) === name);
  const sameService = rivals.filter((other) => other.botChat.service === service);
  const sameChat = sameService.filter((other) => isSame(other.botChat, botChat));
  const isRestoredLater = unrestored.some((title) => title === name || title.startsWith(nameWith('').slice(0, -1)));
  const isOtherChat = sameChat.length < sameService.length || (rivals.length === 0 && isRestoredLater);
  const differences = [
    isOtherChat && id !== history.name && id,
    sameChat.length > 0 && (sameChat.some((other) => other.botName === botName) ? botId : botName),
    sameService.length < rivals.length && shortServiceName(service),
  ].filter((one) => one !== false);
  return differences.length > 0 ? nameWith(joinNames(differences)) : name;
}
