/** The list of who is in an audience, from which members are removed. */
import { type Disposable, l10n, QuickInputButtons, type QuickPick, ThemeIcon } from 'vscode';
import type { Host } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';
import { type ChatItem, chatItems } from '../presentation/chatItems.ts';
import { audienceName } from '../presentation/describe.ts';
import { createPicker } from '../presentation/dialogs.ts';
import { joinPhrases } from '../presentation/factParts.ts';
import { lookUpNames } from '../presentation/lookups.ts';
import { Timer } from '../service/clock.ts';
import { type Chat, chatKey } from '../service/model.ts';
import { type AudienceAction, actionButtons, membersText } from './audienceList.ts';
import type { MemberSource } from './newMembers.ts';

/** Names are shown together after this delay (milliseconds); in a long list, later. */
const UPDATE_DELAY = 100;
const UPDATE_DELAY_PER_ROW = 0.2;

/** What the user does with an audience: removes members, adds some, or something with all of it. */
export type MemberChoice =
  | { readonly type: 'remove'; readonly chats: readonly Chat[] }
  | { readonly type: 'add'; readonly source: MemberSource }
  | { readonly type: 'act'; readonly action: AudienceAction };

type Sources = Pick<Host, 'audiences' | 'settings'>;

/** Shows the members of an audience. Resolves to undefined if the user goes back, or it doesn't exist anymore. */
export async function askMembers(name: string, sources: Sources, service: Service): Promise<MemberChoice | undefined> {
  const list = new MemberList(name, sources, service);
  try {
    return await list.show();
  } finally {
    list.dispose();
  }
}

class MemberList {
  readonly #name: string;
  readonly #sources: Sources;
  readonly #service: Service;
  readonly #list: QuickPick<ChatItem> = createPicker();
  readonly #closed = new AbortController();
  #members: readonly Chat[] = [];
  /** Keys of the selected members. */
  #selected = new Set<string>();
  /** Whether VS Code hasn't yet reported the selection that was last set. It reports an empty one first. */
  #isSelecting = false;
  readonly #timer = new Timer(() => this.#update());
  #listening: Disposable | undefined;

  constructor(name: string, sources: Sources, service: Service) {
    this.#name = name;
    this.#sources = sources;
    this.#service = service;
  }

  dispose(): void {
    this.#closed.abort();
    this.#timer.stop();
    this.#listening?.dispose();
    this.#list.dispose();
  }

  show(): Promise<MemberChoice | undefined> {
    const list = this.#list;
    const add = [
      { iconPath: new ThemeIcon('add'), tooltip: l10n.t('Add…'), source: 'paste' as const },
      { iconPath: new ThemeIcon('file-add'), tooltip: l10n.t('From File…'), source: 'file' as const },
    ];
    const acts = actionButtons();
    list.canSelectMany = true;
    list.matchOnDescription = true;
    list.ignoreFocusOut = true;
    list.buttons = [QuickInputButtons.Back, ...add, ...acts];
    return new Promise((resolve) => {
      const read = () => {
        const members = this.#sources.audiences.get(this.#name);
        if (members) this.#show(members);
        else resolve(undefined);
      };
      // Another window, or Undo, may change them.
      this.#listening = this.#sources.settings.onDidChange(['audiences'], read);
      read();
      list.onDidChangeSelection((items) => this.#onSelection(items));
      list.onDidAccept(() => {
        this.#isSelecting = false;
        this.#onSelection(list.selectedItems);
        const chats = this.#members.filter((chat) => this.#selected.has(chatKey(chat)));
        resolve(chats.length > 0 ? { type: 'remove', chats } : undefined);
      });
      list.onDidTriggerButton((button) => {
        const source = add.find((one) => one === button)?.source;
        const action = acts.find((one) => one === button)?.action;
        resolve(source ? { type: 'add', source } : action && { type: 'act', action });
      });
      list.onDidHide(() => resolve(undefined));
      list.show();
    });
  }

  #show(members: readonly Chat[]): void {
    this.#members = members;
    this.#list.title = joinPhrases(audienceName(this.#name), membersText(members));
    this.#list.placeholder =
      members.length > 0
        ? l10n.t('Select recipients to remove, then press Enter')
        : l10n.t('No one is in this audience yet. Add recipients with the buttons above.');
    this.#update();
    this.#lookUp();
  }

  #onSelection(items: readonly ChatItem[]): void {
    if (this.#isSelecting && items.length === 0) return;
    this.#isSelecting = false;
    this.#selected = new Set(items.flatMap(({ chats = [] }) => chats.map(chatKey)));
  }

  /** Shows the names that are known by now. */
  #update(): void {
    this.#timer.stop();
    const list = this.#list;
    const items = chatItems(this.#members, this.#service);
    const selected = items.filter(({ chats }) => chats?.some((chat) => this.#selected.has(chatKey(chat))));
    list.keepScrollPosition = true;
    list.items = items;
    list.selectedItems = selected;
    this.#isSelecting = selected.length > 0;
  }

  #lookUp(): void {
    const { signal } = this.#closed;
    const delay = Math.max(UPDATE_DELAY, this.#members.length * UPDATE_DELAY_PER_ROW);
    const onEnded = () => {
      if (!signal.aborted) this.#timer.start(delay);
    };
    this.#list.busy = true;
    void lookUpNames(this.#members, this.#service, { signal, onEnded }).then(() => {
      if (!signal.aborted) this.#list.busy = false;
    });
  }
}
