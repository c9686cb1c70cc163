import { type QuickPickItem, window } from 'vscode';

type Window = typeof window;
const replaced = new Map<keyof Window, unknown>();

/** Puts a person's answer in the place of one of the editor's questions, until `restore`. */
export function answer<K extends keyof Window>(question: K, by: Window[K]): void {
  if (!replaced.has(question)) replaced.set(question, window[question]);
  Object.assign(window, { [question]: by });
}

/** A multi-select list in which a person ticks the items that `wants` accepts and presses Enter. */
export function tick(wants: (item: QuickPickItem) => boolean): void {
  const { createQuickPick } = window;
  answer('createQuickPick', (<T extends QuickPickItem>() => {
    const list = createQuickPick<T>();
    let accept = () => {};
    Object.defineProperty(list, 'onDidAccept', { value: (listener: () => void) => (accept = listener) });
    Object.defineProperty(list, 'show', {
      value: () => {
        list.selectedItems = list.items.filter(wants);
        accept();
      },
    });
    return list;
  }) as Window['createQuickPick']);
}

/** Gives every question back to the editor. */
export function restore(): void {
  Object.assign(window, Object.fromEntries(replaced));
  replaced.clear();
}
