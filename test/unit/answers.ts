import {
  EventEmitter,
  InputBoxValidationSeverity,
  type MessageOptions,
  type QuickInputButton,
  type QuickPick,
  type QuickPickItem,
  type QuickPickItemButtonEvent,
  window,
} from 'vscode';
import { settled } from './deferred.ts';

type Window = typeof window;
const replaced = new Map<keyof Window, unknown>();

/** Replaces one of the editor's prompts by an answer until `restore`. */
export function answer<K extends keyof Window>(question: K, by: Window[K]): void {
  original(question);
  // Some are getters.
  Object.defineProperty(window, question, { value: by, configurable: true, writable: true, enumerable: true });
}

/** An input whose text is checked, and whose events a test fires. */
class TestInput {
  title: string | undefined;
  value = '';
  busy = false;
  password = false;
  ignoreFocusOut = false;
  validationMessage: { message: string; severity: number } | undefined;
  readonly changed = new EventEmitter<string>();
  readonly accepted = new EventEmitter<void>();
  readonly hidden = new EventEmitter<void>();
  readonly onDidChangeValue = this.changed.event;
  readonly onDidAccept = this.accepted.event;
  readonly onDidHide = this.hidden.event;
  show(): void {}
  dispose(): void {}

  hide(): void {
    this.hidden.fire();
  }

  type(text: string): void {
    this.value = text;
    this.changed.fire(text);
  }
}

/** The next input box, and what the user does in it. */
export function onInputBox() {
  const box = new TestInput();
  answer('createInputBox', (() => box) as unknown as Window['createInputBox']);
  return {
    box,
    type: (text: string) => box.type(text),
    async enter() {
      box.accepted.fire();
      await settled();
    },
    escape: () => box.hide(),
  };
}

/** Answers messages of every severity with a button, or dismisses them. Returns the shown texts. */
export function onMessages(
  press: (message: string, buttons: readonly string[]) => string | undefined = () => undefined,
) {
  const shown: string[] = [];
  const say = async (message: string, ...rest: unknown[]) => {
    shown.push(message);
    return press(
      message,
      rest.filter((one) => typeof one === 'string'),
    );
  };
  for (const name of ['showInformationMessage', 'showWarningMessage', 'showErrorMessage'] as const) {
    answer(name, say as unknown as Window[typeof name]);
  }
  return shown;
}

/** A modal dialog, as it's shown. */
export interface Modal {
  readonly message: string;
  readonly detail: string;
  readonly buttons: string[];
}

/** Answers modal dialogs with a button, or dismisses them, as it does other warnings. Returns those that were shown. */
export function onModals(press: (modal: Modal, at: number) => string | undefined | Promise<string | undefined>) {
  const shown: Modal[] = [];
  const say = async (message: string, options: { modal?: boolean; detail?: string } | string, ...buttons: string[]) => {
    if (typeof options !== 'object' || !options.modal) return undefined;
    const modal = { message, detail: options.detail ?? '', buttons };
    return press(modal, shown.push(modal) - 1);
  };
  answer('showWarningMessage', say as unknown as Window['showWarningMessage']);
  return shown;
}

/** Answers messages and dialogs with a button, or dismisses them. Returns how each was shown, and everything in it. */
export function onDialogs(press: (buttons: readonly string[]) => string | undefined) {
  const shown: { how: 'Information' | 'Warning'; text: string; detail: string; buttons: string[] }[] = [];
  for (const how of ['Information', 'Warning'] as const) {
    const show = async (text: string, ...rest: (MessageOptions | string)[]) => {
      const detail = rest.find((one) => typeof one === 'object')?.detail ?? '';
      const buttons = rest.filter((one) => typeof one === 'string');
      shown.push({ how, text, detail, buttons });
      return press(buttons);
    };
    answer(`show${how}Message`, show as never);
  }
  return shown;
}

/** Returns the texts that are shown in the status bar for a time. */
export function onStatusBar() {
  const shown: string[] = [];
  answer(
    'setStatusBarMessage',
    ((message: string) => void shown.push(message)) as unknown as Window['setStatusBarMessage'],
  );
  return shown;
}

/** Types a text into each input box, or presses Escape for `undefined`. Returns what the boxes showed. */
export function type(...texts: (string | undefined)[]) {
  const boxes: Parameters<Window['showInputBox']>[0][] = [];
  answer('showInputBox', (async (options) => {
    boxes.push(options);
    return texts[boxes.length - 1];
  }) as Window['showInputBox']);
  return boxes;
}

/**
 * Picks the first item of each list whose label contains a text, or presses Escape if none does. Returns the items that were
 * shown, each as `label | description | detail`.
 */
export function pick(wanted: string | undefined): string[] {
  const shown: string[] = [];
  answer('showQuickPick', (async (items: readonly QuickPickItem[]) => {
    shown.push(
      ...items.map(({ label, description, detail }) => [label, description, detail].filter(Boolean).join(' | ')),
    );
    return wanted === undefined ? undefined : items.find(({ label }) => label.includes(wanted));
  }) as unknown as Window['showQuickPick']);
  return shown;
}

/** What the user sees of an input whose text is checked. */
export interface ShownInput {
  readonly title: string | undefined;
  readonly value: string;
  readonly password: boolean;
  /** The messages below the input, except progress. */
  readonly messages: string[];
}

/**
 * Types texts into inputs that check them, and presses Enter after each, or Escape for `undefined`. An input that isn't
 * closed by one text gets the next one. Returns the shown inputs.
 */
export function onCheckedInputs(...texts: (string | undefined)[]): ShownInput[] {
  const shown: ShownInput[] = [];
  let next = 0;
  answer('createInputBox', (() => {
    const messages: string[] = [];
    let isAccepting = false;
    const input = new TestInput();
    const act = () => {
      const text = texts[next++];
      if (text === undefined) return input.hide();
      // Like VS Code, which reports changes only.
      if (text !== input.value) input.type(text);
      isAccepting = true;
      input.accepted.fire();
      isAccepting = false;
    };
    const setMessage = (shownMessage: TestInput['validationMessage']) => {
      if (!shownMessage || shownMessage.severity === InputBoxValidationSeverity.Info) return;
      if (messages.at(-1) !== shownMessage.message) messages.push(shownMessage.message);
      // Not while typing.
      if (isAccepting || shownMessage.severity === InputBoxValidationSeverity.Warning) queueMicrotask(act);
    };
    Object.defineProperty(input, 'validationMessage', { set: setMessage });
    input.show = () => {
      const { title, value } = input;
      shown.push({
        title,
        value,
        get password() {
          return input.password;
        },
        messages,
      });
      queueMicrotask(act);
    };
    return input;
  }) as unknown as Window['createInputBox']);
  return shown;
}

/** A list that can be typed in, and whose events a test fires. */
class TestList<T extends QuickPickItem = QuickPickItem> {
  title: string | undefined;
  placeholder: string | undefined;
  value = '';
  items: readonly T[] = [];
  selectedItems: readonly T[] = [];
  activeItems: readonly T[] = [];
  buttons: readonly QuickInputButton[] = [];
  readonly accepted = new EventEmitter<void>();
  readonly hidden = new EventEmitter<void>();
  readonly selected = new EventEmitter<readonly T[]>();
  readonly typed = new EventEmitter<string>();
  readonly pressed = new EventEmitter<QuickInputButton>();
  readonly pressedOn = new EventEmitter<QuickPickItemButtonEvent<T>>();
  readonly onDidAccept = this.accepted.event;
  readonly onDidHide = this.hidden.event;
  readonly onDidChangeSelection = this.selected.event;
  readonly onDidChangeValue = this.typed.event;
  readonly onDidTriggerButton = this.pressed.event;
  readonly onDidTriggerItemButton = this.pressedOn.event;
  show(): void {}
  hide(): void {}
  dispose(): void {}

  type(text: string): void {
    this.value = text;
    this.typed.fire(text);
  }
}

/** Does something with each list that is shown, as its user. */
function onShown(use: (list: TestList) => void): void {
  const create = () => {
    const list = new TestList();
    list.show = () => use(list);
    return list;
  };
  answer('createQuickPick', create as unknown as Window['createQuickPick']);
}

/** Answers a list that can be typed in. Escape for `undefined`. */
export function onPicker(choose: (items: readonly QuickPickItem[]) => Promise<QuickPickItem | undefined>): void {
  onShown(
    (list) =>
      void choose(list.items).then((chosen) => {
        if (!chosen) return list.hidden.fire();
        list.selectedItems = [chosen];
        list.accepted.fire();
      }),
  );
}

/** What the user sees of a list. */
export interface ShownList {
  readonly title: string | undefined;
  readonly placeholder: string | undefined;
  readonly items: readonly QuickPickItem[];
  /** The initially selected items. */
  readonly ticked: readonly QuickPickItem[];
  /** The item that has the focus; VS Code gives it to the first one otherwise. */
  readonly focused: readonly QuickPickItem[];
}

/** What the user does: presses Enter, selects items (after typing), clicks a button, or presses Escape. */
export type ListAnswer =
  | 'enter'
  | { press: string; on?: (item: QuickPickItem) => boolean; selects?: (item: QuickPickItem) => boolean }
  | { types: string; picks: (item: QuickPickItem) => boolean }
  | 'escape'
  | ((item: QuickPickItem) => boolean);

/**
 * Answers lists in order. The last answer also applies to further lists. Like VS Code, it fires the initial
 * selection when a list is shown. Returns the shown lists.
 */
export function onLists(...answers: ListAnswer[]): ShownList[] {
  const shown: ShownList[] = [];
  onShown((list) => {
    const { title, placeholder, items, selectedItems: ticked, activeItems: focused } = list;
    const does = answers[shown.length] ?? answers.at(-1) ?? 'escape';
    shown.push({ title, placeholder, items, ticked, focused });
    if (ticked.length > 0) list.selected.fire(ticked);
    if (does === 'escape') return list.hidden.fire();
    if (typeof does === 'object' && 'press' in does) {
      const { press, on, selects } = does;
      if (selects) list.selectedItems = items.filter(selects);
      const item = on && items.find(on);
      const button = (item?.buttons ?? list.buttons).find(({ tooltip }) => tooltip === press);
      if (!button) throw new Error(`There's no button "${press}".`);
      return item ? list.pressedOn.fire({ item, button }) : list.pressed.fire(button);
    }
    if (typeof does === 'object') {
      list.type(does.types);
      list.selectedItems = list.items.filter(does.picks);
    } else if (typeof does === 'function') list.selectedItems = items.filter(does);
    list.accepted.fire();
  });
  return shown;
}

/** Replaces the next multi-select list by one whose events the test fires. */
export function slowList<T extends QuickPickItem>() {
  const list = new TestList<T>();
  const isShown = new Promise<void>((resolve) => {
    list.show = resolve;
  });
  answer('createQuickPick', (() => list) as unknown as Window['createQuickPick']);
  return {
    list: list as unknown as QuickPick<T>,
    isShown,
    types: (text: string) => list.type(text),
    tells: (items: readonly T[]) => {
      list.selectedItems = items;
      list.selected.fire(items);
    },
    accepts: () => list.accepted.fire(),
  };
}

/** Restores all prompts. */
export function restore(): void {
  for (const [question, descriptor] of replaced) {
    Object.defineProperty(window, question, descriptor as PropertyDescriptor);
  }
  replaced.clear();
}

/** The editor's own functions. */
function original<K extends keyof Window>(question: K): Window[K] {
  const kept = replaced.get(question) ?? Object.getOwnPropertyDescriptor(window, question);
  replaced.set(question, kept);
  const { value, get } = kept as TypedPropertyDescriptor<Window[K]>;
  return (get ? get.call(window) : value) as Window[K];
}
