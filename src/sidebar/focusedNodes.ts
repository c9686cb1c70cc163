import delay from 'delay';
import { commands, l10n, type TreeView } from 'vscode';
import { UserFacingError } from '../presentation/errorText.ts';

/** For a moment after a list has changed VS Code knows of no nodes: how often to look again, in which milliseconds. */
const TRIES = 20;
const APART = 50;

const TOGGLE = 'list.toggleSelection';

/**
 * What a key is pressed on: the selection if the focus is in it, and else the one node that has the focus, as in every
 * tree of VS Code. Rejects with a UserFacingError where that cannot be told for certain.
 */
export async function focusedNodes<T>(view: Pick<TreeView<T>, 'selection' | 'onDidChangeSelection'>) {
  for (let tries = 0; tries < TRIES; tries++) {
    const nodes = await lookAtFocus(view);
    if (nodes) return nodes;
    await delay(APART);
  }
  throw new UserFacingError(l10n.t('The list is just changing. Try again.'));
}

/**
 * VS Code tells extensions only of the selection; what has the focus shows when that is toggled and back, in one go so
 * that no key comes between. Undefined where what is selected is not the same before and after: the nodes were gone
 * meanwhile, and any of the answers may lack some.
 */
async function lookAtFocus<T>(view: Pick<TreeView<T>, 'selection' | 'onDidChangeSelection'>) {
  const before = view.selection;
  const changes: (readonly T[])[] = [];
  const listening = view.onDidChangeSelection(({ selection }) => changes.push(selection));
  await commands.executeCommand('runCommands', { commands: [TOGGLE, TOGGLE] });
  listening.dispose();
  const [toggled, after, ...others] = changes;
  // Nothing has the focus.
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
