import delay from 'delay';
import { commands, l10n, type TreeView } from 'vscode';
import { UserFacingError } from '../presentation/errorText.ts';

/** For a short time after a list has changed, VS Code knows no nodes. */
const MAX_ATTEMPTS = 20;
/** Milliseconds. */
const RETRY_DELAY = 50;

const TOGGLE = 'list.toggleSelection';

/**
 * The nodes that a keyboard shortcut applies to: the selection if it has the focus, otherwise the focused node, as in
 * every tree of VS Code.
 * @throws UserFacingError if they can't be determined
 */
export async function focusedNodes<T>(view: Pick<TreeView<T>, 'selection' | 'onDidChangeSelection'>) {
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
async function readFocus<T>(view: Pick<TreeView<T>, 'selection' | 'onDidChangeSelection'>) {
  const before = view.selection;
  const changes: (readonly T[])[] = [];
  const listening = view.onDidChangeSelection(({ selection }) => changes.push(selection));
  await commands.executeCommand('runCommands', { commands: [TOGGLE, TOGGLE] });
  listening.dispose();
  const [toggled, after, ...others] = changes;
  // No node has the focus.
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
