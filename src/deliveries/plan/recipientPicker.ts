/** Asks for recipients, in a multi-select list of audiences, groups and people, and remembers them. */
import { ThemeIcon } from 'vscode';
import { type Audiences, MAX_MEMBERS, type ParsedAudiences } from '../../platform/audiences.ts';
import type { Host } from '../../platform/host.ts';
import type { Service } from '../../platform/service.ts';
import type { Store } from '../../platform/store.ts';
import { chatItems } from '../../presentation/chatItems.ts';
import { audienceNameProblem, tooManyText } from '../../presentation/describe.ts';
import { askInput, askModal, createPicker, type ShownPicker } from '../../presentation/dialogs.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import { lookUpNames } from '../../presentation/lookups.ts';
import { showError } from '../../presentation/showError.ts';
import { l10n, type ShownText } from '../../presentation/shown.ts';
import { Timer } from '../../service/clock.ts';
import { CHAT_KINDS, type Chat, chatKey } from '../../service/model.ts';
import type { Draft } from '../draft/draftReader.ts';
import type { Rules } from '../draft/leaveOut.ts';
import type { Recipient } from './deliveryPlan.ts';
import {
  audienceItems,
  hasOtherIds,
  isLeftOut,
  marked,
  pasteRecipients,
  type RecipientItem,
  totalText,
} from './recipientItems.ts';
import { recipientOf } from './recipientNames.ts';

/** Changes are shown together after this delay (milliseconds). Names in a long list take longer. */
const UPDATE_DELAY = 100;

const UPDATE_DELAY_PER_ROW = 0.2;

interface Question {
  readonly title: ShownText;
  /** The chats that are selected at first. */
  readonly chosen: readonly Chat[];
  /** The rules: chats that they leave out are marked, and don't count. */
  readonly rules: Rules;
}

/** Asks for recipients. Resolves to at least one, or to undefined if the user cancels. */
export async function askRecipients(
  settings: RecipientSettings,
  service: Service,
  question: Question,
): Promise<Recipient[] | undefined> {
  const picker = new RecipientPicker(settings, service, question);
  try {
    return await picker.show();
  } finally {
    picker.dispose();
  }
}

type RecipientSettings = Pick<Host, 'audiences' | 'lists'>;

class RecipientPicker {
  readonly #settings: RecipientSettings;
  readonly #service: Service;
  readonly #rules: Rules;
  readonly #list: ShownPicker<RecipientItem> = createPicker();
  readonly #closed = new AbortController();
  /** The chats that have an item, by key. Some are in no list. */
  readonly #chats = new Map<string, Chat>();
  /** Keys of the selected chats. */
  #selected: Set<string>;
  /** What the box says while nobody is selected. */
  #hint = l10n.t('Select groups and people (type to filter by name or ID)');
  /** The text in the box for pasted IDs. */
  readonly #pastedText = { text: '' };
  #audiences: ParsedAudiences;
  /** The items that are selected on the screen, by key. */
  #visibleSelection: ReadonlyMap<string, RecipientItem> = new Map();
  /** The selection that was last set, until VS Code reports that it is on the screen. VS Code may not report an empty one. */
  #pendingSelection: readonly RecipientItem[] | undefined;
  readonly #timer = new Timer(() => this.#update());

  constructor(settings: RecipientSettings, service: Service, { title, chosen, rules }: Question) {
    this.#settings = settings;
    this.#rules = rules;
    this.#audiences = settings.audiences.read();
    this.#service = service;
    this.#list.title = title;
    for (const kind of CHAT_KINDS)
      this.#add(settings.lists.read(kind, service).entries.map(({ id }): Chat => ({ kind, id })));
    this.#add(chosen);
    this.#selected = new Set(chosen.map(chatKey));
  }

  dispose(): void {
    this.#closed.abort();
    this.#timer.stop();
    this.#list.dispose();
  }

  async show(): Promise<Recipient[] | undefined> {
    const list = this.#list;
    let resolveAction: (action: 'accept' | 'paste' | 'save' | 'cancel') => void = () => {};
    /** Asks for a recipient if there is none. */
    const acceptIfAny = (action: 'accept' | 'save') => {
      this.#onSelection(list.selectedItems);
      if (hasOtherIds(list.value, list.items)) return resolveAction('paste');
      if (this.#selected.size > 0) return resolveAction(action);
      this.#hint = l10n.t('Select at least one recipient');
      this.#updateTotal();
    };
    const paste = { iconPath: new ThemeIcon('clippy'), tooltip: l10n.t('Paste IDs…') };
    const save = { iconPath: new ThemeIcon('save'), tooltip: l10n.t('Save as Audience…') };
    list.canSelectMany = true;
    list.matchOnDescription = true;
    list.ignoreFocusOut = true;
    list.buttons = [paste, save];
    list.onDidChangeSelection((items) => this.#onSelection(items));
    list.onDidAccept(() => acceptIfAny('accept'));
    list.onDidTriggerButton((button) => (button === save ? acceptIfAny('save') : resolveAction('paste')));
    list.onDidHide(() => resolveAction('cancel'));
    for (;;) {
      this.#audiences = this.#settings.audiences.read();
      for (const chats of this.#audiences.audiences.values()) this.#add(chats);
      this.#pendingSelection = undefined;
      this.#update();
      this.#lookUp();
      const action = await new Promise((resolve: typeof resolveAction) => {
        resolveAction = resolve;
        list.show();
      });
      // Other prompts hide the list. It is shown again after them.
      if (action === 'save') await saveAudience(this.#recipients(), this.#settings.audiences).catch(showError);
      else if (action === 'paste') {
        this.#takeTypedIds();
        const pasted = await pasteRecipients(this.#service, this.#chats, this.#pastedText);
        this.#add(pasted);
        for (const chat of pasted) this.#selected.add(chatKey(chat));
      } else return action === 'accept' ? this.#recipients() : undefined;
    }
  }

  /** Moves IDs that no row shows from the filter to the box for pasted IDs, in which they are looked up. */
  #takeTypedIds(): void {
    if (!hasOtherIds(this.#list.value, this.#list.items)) return;
    this.#pastedText.text = this.#list.value;
    this.#list.value = '';
  }

  #add(chats: readonly Chat[]): void {
    for (const chat of chats) this.#chats.set(chatKey(chat), chat);
  }

  #isSelected({ chats = [] }: RecipientItem): boolean {
    return chats.length > 0 && chats.every((chat) => this.#selected.has(chatKey(chat)));
  }

  #recipients(): Recipient[] {
    const { directory } = this.#service;
    const chosen = [...this.#chats].flatMap(([key, { kind, id }]) =>
      this.#selected.has(key) ? [recipientOf({ kind, id }, directory)] : [],
    );
    // The chosen chats go in the order of the list.
    return CHAT_KINDS.flatMap((kind) => chosen.filter((one) => one.kind === kind));
  }

  /** Applies what the user selected or cleared. VS Code also reports what we set, after an empty selection. */
  #onSelection(items: readonly RecipientItem[]): void {
    const pending = this.#pendingSelection;
    if (isNotEmpty(pending) && items.length === 0) return;
    const before = this.#visibleSelection;
    this.#visibleSelection = new Map(items.map((item) => [itemKey(item), item]));
    if (pending?.length === items.length && pending.every((item, at) => item === items[at])) {
      this.#pendingSelection = undefined;
      this.#updateSoon();
      return;
    }
    for (const [key, { chats = [] }] of before)
      if (!this.#visibleSelection.has(key)) for (const chat of chats) this.#selected.delete(chatKey(chat));
    for (const [key, { chats = [] }] of this.#visibleSelection)
      if (!before.has(key)) for (const chat of chats) this.#selected.add(chatKey(chat));
    // The empty selection may have reached the screen after the click, and cleared it there.
    if (pending && !isNotEmpty(pending)) this.#update({ isForced: true });
    else this.#updateTotal();
    // Only audiences affect other items, or are affected by them; those left out aren't selected on the screen.
    const isAffected = (item: RecipientItem) => item.audience !== undefined || isLeftOut(item, this.#rules);
    if (this.#list.items.some(isAffected)) this.#updateSoon();
  }

  #updateSoon(): void {
    this.#timer.restart(UPDATE_DELAY);
  }

  /**
   * Updates the list if it has changed or `isForced`: a long one takes a while. Waits for the last update to be on the
   * screen.
   */
  #update({ isForced = false } = {}): void {
    this.#timer.stop();
    if (isNotEmpty(this.#pendingSelection)) return;
    const list = this.#list;
    const audiences = audienceItems(this.#audiences, this.#selected);
    const chats = chatItems(this.#chats.values(), this.#service).map((item) => marked(item, this.#rules));
    const items = [...audiences, ...chats];
    // VS Code shows how many items are selected.
    const selected = items.filter((item) => this.#isSelected(item) && !isLeftOut(item, this.#rules));
    this.#updateTotal();
    if (!isForced && fingerprint(items, selected) === fingerprint(list.items, list.selectedItems)) return;
    list.keepScrollPosition = true;
    list.items = items;
    list.selectedItems = selected;
    this.#pendingSelection = selected;
  }

  /** Shows the total in the box, which never wraps: a longer title would move the rows away under the pointer. */
  #updateTotal(): void {
    this.#list.placeholder = totalText(this.#recipients(), this.#service, this.#rules) || this.#hint;
  }

  #lookUp(): void {
    const { signal } = this.#closed;
    const rank = (key: string) => Number(this.#selected.has(key));
    const chats = [...this.#chats].toSorted(([a], [b]) => rank(b) - rank(a));
    const wanted = chats.map(([, { kind, id }]) => ({ kind, id }));
    const onEnded = () => {
      if (!signal.aborted) this.#timer.start(Math.max(UPDATE_DELAY, this.#chats.size * UPDATE_DELAY_PER_ROW));
    };
    this.#list.busy = true;
    void lookUpNames(wanted, this.#service, { signal, onEnded }).then(() => {
      if (!signal.aborted) this.#list.busy = false;
    });
  }
}

const isNotEmpty = (selection: readonly RecipientItem[] | undefined) => (selection?.length ?? 0) > 0;

/** Identifies the contents of the list with the members of its audiences: as many other members would look the same. */
function fingerprint(items: readonly RecipientItem[], selected: readonly RecipientItem[]): string {
  const selectedItems = new Set(selected);
  const membersOf = ({ audience, chats }: RecipientItem) => (audience === undefined ? undefined : chats?.map(chatKey));
  return JSON.stringify(items.map((item) => [item.label, item.description, selectedItems.has(item), membersOf(item)]));
}

function itemKey({ audience, chats = [] }: RecipientItem): string {
  return audience === undefined ? chats.map(chatKey).join() : `audience ${audience}`;
}

/** Asks for a name and saves the chats under it. Asks before replacing an audience. @throws UserFacingError if too many */
async function saveAudience(chats: readonly Chat[], settings: Audiences): Promise<void> {
  settings.check();
  if (chats.length > MAX_MEMBERS) throw new UserFacingError(tooManyText());
  const typed = await askInput({
    title: l10n.t('Save as Audience'),
    prompt: l10n.t("Enter a name for this audience. It's saved in your settings."),
    ignoreFocusOut: true,
    validateInput: (text) => audienceNameProblem(text),
  });
  const name = typed?.trim();
  if (!name) return;
  const { audiences, unreadable } = settings.read();
  const replace = l10n.t('Replace');
  const question = l10n.t('An audience named “{0}” already exists. Replace it?', name);
  if ((audiences.has(name) || unreadable.has(name)) && (await askModal(question, '', replace)) !== replace) return;
  await settings.save(name, chats);
}

/** How many recipients of a document are remembered at most. */
const MAX_REMEMBERED = 2_000;

/** The recipients that the user last chose for a document. */
export function rememberedRecipients(
  store: Store,
  service: { address: string },
  { source }: Pick<Draft, 'source'>,
): readonly Chat[] {
  if (source === undefined) return [];
  return store.find('recipients', { service: service.address, source })?.chats ?? [];
}

export async function rememberRecipients(
  store: Store,
  service: { address: string },
  { source }: Pick<Draft, 'source'>,
  recipients: readonly Chat[],
): Promise<void> {
  if (source === undefined || recipients.length > MAX_REMEMBERED) return;
  const chats = recipients.map(({ kind, id }) => ({ kind, id }));
  await store.remember('recipients', { service: service.address, source }, { chats });
}
