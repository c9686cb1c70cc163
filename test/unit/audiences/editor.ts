import { writeFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type OpenDialogOptions, type QuickPick, type QuickPickItem, QuickPickItemKind, Uri, window } from 'vscode';
import { AudienceManager } from '../../../src/audiences/audienceManager.ts';
import type { Chat } from '../../../src/service/model.ts';
import { temporaryPath } from '../../host/temporary.ts';
import { answer, onMessages, restore, type ShownList } from '../answers.ts';
import { newHost } from '../test-host.ts';
import { configure, configureWorkspace, type TestService, written } from '../test-service.ts';

export const GROUP = '518204736';
export const ALICE = '7058314';
export const CUSTOMERS = { groups: [GROUP, 'big'], people: [ALICE] };
export const group = (id: string): Chat => ({ kind: 'group', id });
export const user = (id: string): Chat => ({ kind: 'user', id });

/** The editor of audiences, with the audiences `customers` and `friends`. */
export async function openEditor(service: TestService) {
  await configure({ audiences: { customers: CUSTOMERS, friends: { people: ['7102649'] } } });
  const host = newHost();
  const sent: (readonly Chat[])[] = [];
  const manager = new AudienceManager(host, { send: async (chats) => void sent.push(chats) });
  onMessages();
  const close = async () => {
    restore();
    service.instead = () => undefined;
    host.connection.dispose();
    await configureWorkspace('audiences', undefined);
    await configure({ audiences: undefined });
  };
  return { host, manager, sent, close };
}

/** The audiences in the user settings. */
export const audiences = () => written('audiences').user as Record<string, unknown>;

/** Waits until the audience `customers` is this. */
export const becomes = (customers: unknown) => until(() => isDeepStrictEqual(audiences().customers, customers));

export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setImmediate();
}

/** Finds the item of a list with this name after its icon. */
export const named = (name: string) => (item: QuickPickItem) => item.label.endsWith(` ${name}`);
/** Finds the items with these IDs. */
export const withId =
  (...ids: string[]) =>
  (item: QuickPickItem) =>
    ids.includes(item.description?.split(' · ')[0] ?? '');

/** The rows of a list: its headings, and the items with what is beside them. */
export const rowsOf = (list: ShownList | undefined) =>
  list?.items.map((item) => {
    if (item.kind === QuickPickItemKind.Separator) return `— ${item.label}`;
    return [list.ticked.includes(item) ? '☑' : '', item.label, item.description].filter(Boolean).join(' ');
  });

/** Answers single-select lists in order, then with Escape. */
export function pick(...wanted: ((item: QuickPickItem) => boolean)[]) {
  const shown: QuickPickItem[][] = [];
  answer('showQuickPick', (async (items: QuickPickItem[]) => {
    shown.push(items);
    const wants = wanted[shown.length - 1];
    return wants && items.find(wants);
  }) as unknown as typeof window.showQuickPick);
  return shown;
}

/** Records each question, as VS Code gets it, until the prompts are restored. To be called once they have answers. */
export function onQuestions() {
  const asked: Partial<QuickPick<QuickPickItem>>[] = [];
  for (const name of ['showInputBox', 'showQuickPick', 'createQuickPick'] as const) {
    const ask = window[name] as (...args: object[]) => object;
    const record = (...args: object[]) => {
      const answered = ask(...args);
      asked.push(name === 'createQuickPick' ? answered : (args.at(-1) ?? {}));
      return answered;
    };
    answer(name, record as never);
  }
  return asked;
}

/** Presses Undo once another window has left these audiences. Returns the messages that follow. */
export function undoAfter(audiences: Record<string, unknown>): string[] {
  const messages = onMessages();
  answer('showInformationMessage', (async () => {
    await configure({ audiences });
    return 'Undo';
  }) as unknown as typeof window.showInformationMessage);
  return messages;
}

/** A file with this content. */
export async function fileOf(content: string): Promise<Uri> {
  const path = temporaryPath('recipients');
  await writeFile(path, content);
  return Uri.file(path);
}

/** The file with this content is what the user opens. Returns the dialogs. */
export async function openFile(content: string) {
  const file = await fileOf(content);
  const dialogs: (OpenDialogOptions | undefined)[] = [];
  answer('showOpenDialog', async (options) => {
    dialogs.push(options);
    return [file];
  });
  return dialogs;
}
