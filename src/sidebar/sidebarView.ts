/** The sidebar as VS Code shows it: its title, message and badge, when it's repainted, and which nodes have the focus. */
import delay from 'delay';
import { commands, type EventEmitter, window } from 'vscode';
import { excerpt } from '../markup/escapeInvisible.ts';
import type { ShownView } from '../platform/defer.ts';
import { breakable, messageText } from '../presentation/dialogs.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import { formatCount } from '../presentation/formats.ts';
import { l10n, type ShownText } from '../presentation/shown.ts';
import { type Clock, systemClock, Timer } from '../service/clock.ts';
import type { ChatNode } from './nodes.ts';
import type { UnreadCount } from './watch/unread.ts';

/** What the tree changes in the view that shows it. */
export interface TreeDisplay {
  /** Repaints these nodes, or all nodes. */
  repaint(nodes: readonly ChatNode[] | undefined): void;
  /** Sets the title of the view, or its default title. */
  setTitle(title: ShownText | undefined): void;
  /** Shows a message above the rows, or removes it. */
  setMessage(message: ShownText | undefined): void;
  /** Shows or hides the progress of lookups. */
  setBusy(isBusy: boolean): void;
  /** Resolves when the view is visible, at once if it is. */
  whenVisible(): Promise<void>;
}

export class SidebarView implements TreeDisplay {
  readonly #view: ShownView<ChatNode>;
  readonly #changed: EventEmitter<ChatNode[] | undefined>;
  #endProgress = () => {};

  /** `changed` makes VS Code repaint nodes, or all of them. */
  constructor(view: ShownView<ChatNode>, changed: EventEmitter<ChatNode[] | undefined>) {
    this.#view = view;
    this.#changed = changed;
  }

  repaint(nodes: readonly ChatNode[] | undefined): void {
    this.#changed.fire(nodes && [...nodes]);
  }

  setTitle(title: ShownText | undefined): void {
    this.#view.title = title === undefined ? l10n.t('Chats') : excerpt(title);
  }

  setMessage(message: ShownText | undefined): void {
    this.#view.message = breakable(messageText(message ?? ''));
  }

  setBusy(isBusy: boolean): void {
    this.#endProgress();
    if (!isBusy) return;
    // biome-ignore lint/plugin: the progress has no text.
    void window.withProgress(
      { location: { viewId: 'botChats.chats' } },
      () =>
        new Promise<void>((resolve) => {
          this.#endProgress = resolve;
        }),
    );
  }

  async whenVisible(): Promise<void> {
    if (this.#view.visible) return;
    await new Promise<void>((resolve) => {
      const listener = this.#view.onDidChangeVisibility(({ visible }) => {
        if (!visible) return;
        listener.dispose();
        resolve();
      });
    });
  }

  /** Shows the number of unread messages. */
  setUnread(count: UnreadCount): void {
    this.#view.badge = count.unread > 0 ? { value: count.unread, tooltip: newMessagesText(count) } : undefined;
  }

  dispose(): void {
    this.#endProgress();
  }
}

/**
 * Milliseconds between repaints. VS Code defers a change while others follow within 200 ms, so more frequent repaints
 * would delay all names until the end.
 */
const REPAINT_INTERVAL = 250;

/** Repaints nodes together that change within a short time. */
export class RepaintQueue {
  readonly #delay: () => number;
  readonly #clock: Clock;
  readonly #timer: Timer;
  readonly #nodes = new Set<ChatNode>();
  #repaintedAt = Number.NEGATIVE_INFINITY;

  /** `delay` returns how many milliseconds the first node waits for others. */
  constructor(repaint: (nodes: ChatNode[]) => void, delay: () => number, clock = systemClock) {
    this.#delay = delay;
    this.#clock = clock;
    this.#timer = new Timer(() => {
      const nodes = [...this.#nodes];
      this.#nodes.clear();
      this.#repaintedAt = clock.now();
      repaint(nodes);
    }, clock);
  }

  add(node: ChatNode): void {
    this.#nodes.add(node);
    this.#timer.start(Math.max(this.#delay(), this.#repaintedAt + REPAINT_INTERVAL - this.#clock.now()));
  }

  /** Drops the waiting nodes. */
  clear(): void {
    this.#timer.stop();
    this.#nodes.clear();
  }
}

export function newMessagesText({ unread, more }: UnreadCount): ShownText {
  const count = formatCount(unread);
  if (more) return l10n.t('{0}+ new messages', count);
  return unread === 1 ? l10n.t('1 new message') : l10n.t('{0} new messages', count);
}

/** For a short time after a list has changed, VS Code knows no nodes. */
const MAX_ATTEMPTS = 20;
/** How long to wait between two attempts, in milliseconds. */
const RETRY_DELAY = 50;

const TOGGLE = 'list.toggleSelection';

/**
 * The nodes that a keyboard shortcut applies to: the selection if it has the focus, otherwise the focused node, as in
 * every tree of VS Code.
 * @throws UserFacingError if they can't be determined
 */
export async function focusedNodes<T>(view: Pick<ShownView<T>, 'selection' | 'onDidChangeSelection'>) {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const nodes = await readFocus(view);
    if (nodes) return nodes;
    await delay(RETRY_DELAY);
  }
  throw new UserFacingError(l10n.t('The list is being updated. Try again.'));
}

/**
 * VS Code reports only the selection. Toggling it twice, in one command so that no key press comes between, reveals the
 * focus. Undefined if the selection differs afterwards: nodes were missing meanwhile.
 */
async function readFocus<T>(view: Pick<ShownView<T>, 'selection' | 'onDidChangeSelection'>) {
  const before = view.selection;
  const changes: (readonly T[])[] = [];
  const listening = view.onDidChangeSelection(({ selection }) => changes.push(selection));
  await commands.executeCommand('runCommands', { commands: [TOGGLE, TOGGLE] });
  listening.dispose();
  const [toggled, after, ...others] = changes;
  // Toggling changed nothing, so no node has the focus.
  if (!toggled) return before;
  if (!after || others.length > 0 || !isSame(before, after)) return undefined;
  const added = toggled.filter((node) => !before.includes(node));
  if (added.length === 1 && toggled.length === before.length + 1) return added;
  return toggled.length === before.length - 1 ? before : undefined;
}

/** Whether two selections hold the same nodes, in any order. */
function isSame<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((node) => other.includes(node));
}
