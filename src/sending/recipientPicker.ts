/** Choosing recipients: one multi-select list of audiences, groups and people. */
import { l10n, type QuickPick, ThemeIcon } from 'vscode';
import type { Recipient } from '../outbox/batches.ts';
import type { ParsedAudiences } from '../platform/audiences.ts';
import type { Host } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';
import { displayName } from '../presentation/describe.ts';
import { createPicker } from '../presentation/dialogs.ts';
import { showError } from '../presentation/errorText.ts';
import { joinPhrases } from '../presentation/factParts.ts';
import { type Chat, chatKey } from '../service/model.ts';
import { pasteRecipients } from './pasteRecipients.ts';
import { audienceItems, chatItems, type RecipientItem, totalText } from './recipientItems.ts';
import { saveAudience } from './saveAudience.ts';

/** What changes while the list is open is painted together (milliseconds); names in a long list wait for longer. */
const REPAINT_DELAY = 100;
const REPAINT_DELAY_PER_ROW = 0.2;
/** So many unknown names are looked up only because the list is open. */
const MAX_LOOKUPS = 200;

/**
 * Asks who is to get the message; those in `chosen` are ticked at first. Resolves to at least one recipient, or to
 * undefined when the person stepped back.
 */
export async function askRecipients(
  settings: RecipientSettings,
  service: Service,
  title: string,
  chosen: readonly Chat[],
): Promise<Recipient[] | undefined> {
  const choice = new RecipientPicker(settings, service, title, chosen);
  try {
    return await choice.show();
  } finally {
    choice.dispose();
  }
}

type RecipientSettings = Pick<Host, 'audiences' | 'lists'>;

class RecipientPicker {
  readonly #settings: RecipientSettings;
  readonly #service: Service;
  readonly #title: string;
  readonly #list: QuickPick<RecipientItem> = createPicker();
  readonly #closed = new AbortController();
  /** Those that have a row, also those who were chosen elsewhere and are in no list. */
  readonly #chats = new Map<string, Chat>();
  /** Those who are chosen; the screen follows. */
  #selected: Set<string>;
  /** What stands in the box for IDs. */
  readonly #pastedText = { text: '' };
  #audiences: ParsedAudiences;
  /** What is ticked on the screen. */
  #visibleSelection: ReadonlyMap<string, RecipientItem> = new Map();
  /** What was ticked in the last painting, until VS Code tells that it is on the screen. */
  #pendingSelection: readonly RecipientItem[] | undefined;
  #repaint: ReturnType<typeof setTimeout> | undefined;

  constructor(settings: RecipientSettings, service: Service, title: string, chosen: readonly Chat[]) {
    this.#settings = settings;
    this.#audiences = settings.audiences.read();
    this.#service = service;
    this.#title = title;
    for (const type of ['group', 'user'] as const)
      this.#add(settings.lists.read(type, service).entries.map(({ id }): Chat => ({ type, id })));
    this.#add(chosen);
    this.#selected = new Set(chosen.map(chatKey));
  }

  dispose(): void {
    this.#closed.abort();
    clearTimeout(this.#repaint);
    this.#list.dispose();
  }

  async show(): Promise<Recipient[] | undefined> {
    const list = this.#list;
    let answer: (what: 'done' | 'paste' | 'save' | 'left') => void = () => {};
    const hint = l10n.t('Choose groups and people; type to filter by name or ID');
    /** For what needs at least one recipient. */
    const answerIfAny = (what: 'done' | 'save') => {
      this.#pendingSelection = undefined;
      this.#onSelection(list.selectedItems);
      if (this.#selected.size > 0) answer(what);
      else list.placeholder = l10n.t('Choose at least one recipient');
    };
    const paste = { iconPath: new ThemeIcon('clippy'), tooltip: l10n.t('Paste IDs…') };
    const save = { iconPath: new ThemeIcon('save'), tooltip: l10n.t('Save as Audience…') };
    list.placeholder = hint;
    list.canSelectMany = true;
    list.matchOnDescription = true;
    list.ignoreFocusOut = true;
    list.buttons = [paste, save];
    list.onDidChangeSelection((items) => {
      this.#onSelection(items);
      if (items.length > 0) list.placeholder = hint;
    });
    list.onDidAccept(() => answerIfAny('done'));
    list.onDidTriggerButton((button) => (button === save ? answerIfAny('save') : answer('paste')));
    list.onDidHide(() => answer('left'));
    for (;;) {
      this.#audiences = this.#settings.audiences.read();
      for (const chats of this.#audiences.audiences.values()) this.#add(chats);
      this.#pendingSelection = undefined;
      this.#paint();
      this.#lookUp();
      const what = await new Promise((resolve: typeof answer) => {
        answer = resolve;
        list.show();
      });
      // Another question hides the list, which is shown again after it.
      if (what === 'save') await saveAudience(this.#recipients(), this.#settings.audiences).catch(showError);
      else if (what === 'paste') {
        const pasted = await pasteRecipients(this.#service, this.#chats, this.#pastedText);
        this.#add(pasted);
        for (const chat of pasted) this.#selected.add(chatKey(chat));
      } else return what === 'done' ? this.#recipients() : undefined;
    }
  }

  #add(chats: readonly Chat[]): void {
    for (const chat of chats) this.#chats.set(chatKey(chat), chat);
  }

  #isSelected({ chats = [] }: RecipientItem): boolean {
    return chats.length > 0 && chats.every((chat) => this.#selected.has(chatKey(chat)));
  }

  #recipients(): Recipient[] {
    const { directory } = this.#service;
    const chosen = [...this.#chats].flatMap(([key, { type, id }]) => {
      if (!this.#selected.has(key)) return [];
      const found = directory.peek(type, id);
      return [{ type, id, name: found ? displayName(found) : id }];
    });
    // As the list has them.
    return (['group', 'user'] as const).flatMap((type) => chosen.filter((one) => one.type === type));
  }

  /**
   * Takes over what the person ticked or unticked on the screen. VS Code tells of what is painted, too, and before that
   * of an empty list.
   */
  #onSelection(items: readonly RecipientItem[]): void {
    const coming = this.#pendingSelection;
    if (coming && items.length === 0) return;
    const before = this.#visibleSelection;
    this.#visibleSelection = new Map(items.map((item) => [itemKey(item), item]));
    if (coming?.length === items.length && coming.every((item, at) => item === items[at])) {
      this.#pendingSelection = undefined;
      this.#paintSoon();
      return;
    }
    for (const [row, { chats = [] }] of before)
      if (!this.#visibleSelection.has(row)) for (const chat of chats) this.#selected.delete(chatKey(chat));
    for (const [row, { chats = [] }] of this.#visibleSelection)
      if (!before.has(row)) for (const chat of chats) this.#selected.add(chatKey(chat));
    this.#paintTitle();
    // Rows by themselves are as they should be: only audiences change others, or are changed by them.
    if (this.#list.items.some(({ audience }) => audience !== undefined)) this.#paintSoon();
  }

  #paintSoon(): void {
    clearTimeout(this.#repaint);
    this.#repaint = setTimeout(() => this.#paint(), REPAINT_DELAY);
  }

  /** Paints what is not on the screen yet: a long list takes its time. One painting waits for the one before it. */
  #paint(): void {
    this.#repaint = undefined;
    if (this.#pendingSelection) return;
    const list = this.#list;
    const audiences = audienceItems(this.#audiences, this.#selected);
    const items = [...audiences, ...chatItems(this.#chats.values(), this.#service)];
    const selected = items.filter((item) => this.#isSelected(item));
    this.#paintTitle();
    if (fingerprint(items, selected) === fingerprint(list.items, list.selectedItems)) return;
    list.keepScrollPosition = true;
    list.items = items;
    list.selectedItems = selected;
    // Of a list in which nothing is ticked it may tell nothing.
    if (selected.length > 0) this.#pendingSelection = selected;
  }

  #paintTitle(): void {
    this.#list.title = joinPhrases(this.#title, totalText(this.#recipients(), this.#service));
  }

  #lookUp(): void {
    const { directory } = this.#service;
    const { signal } = this.#closed;
    const isOn = (key: string) => Number(this.#selected.has(key));
    const unknown = [...this.#chats]
      .toSorted(([a], [b]) => isOn(b) - isOn(a))
      .filter(([, { type, id }]) => !directory.peek(type, id))
      .slice(0, MAX_LOOKUPS);
    const repaint = () => {
      if (signal.aborted) return;
      this.#repaint ??= setTimeout(
        () => this.#paint(),
        Math.max(REPAINT_DELAY, this.#chats.size * REPAINT_DELAY_PER_ROW),
      );
    };
    this.#list.busy = unknown.length > 0;
    const lookUps = unknown.map(([, { type, id }]) => directory.get(type, id, { signal }).then(repaint, repaint));
    void Promise.all(lookUps).then(() => {
      if (!signal.aborted) this.#list.busy = false;
    });
  }
}

/** What tells two pictures of the list from each other. */
function fingerprint(items: readonly RecipientItem[], selected: readonly RecipientItem[]): string {
  const on = new Set(selected);
  return JSON.stringify(items.map((item) => [item.label, item.description, on.has(item)]));
}

function itemKey({ audience, chats = [] }: RecipientItem): string {
  return audience === undefined ? chats.map(chatKey).join() : `audience ${audience}`;
}
