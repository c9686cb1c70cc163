/** A tree view without an editor: its rows as a user sees them, and what is repainted, revealed and selected. */
import assert from 'node:assert/strict';
import { EventEmitter, MarkdownString, ThemeIcon, type TreeViewVisibilityChangeEvent } from 'vscode';
import type { ShownView } from '../../src/platform/defer.ts';
import type { Row } from '../../src/presentation/shown.ts';

/** What makes the rows of a tree. */
export interface RowSource<T> {
  getChildren(node?: T): T[] | Promise<T[]>;
  getTreeItem(node: T): Row | Promise<Row>;
  resolveTreeItem?(row: Row, node: T): Row | Promise<Row>;
}

/** A row as VS Code shows it. */
export interface TreeRow<T> {
  readonly node: T;
  readonly item: Row;
  /** `label | description`, or the label alone. */
  readonly text: string;
  readonly label: string;
  readonly icon: string | undefined;
  /** What a screen reader says. */
  readonly spoken: string;
}

/** What VS Code shows of an item. */
export function treeRow<T>(node: T, item: Row): TreeRow<T> {
  const { label, description, iconPath, accessibilityInformation } = item;
  return {
    node,
    item,
    label,
    text: [label, description].filter(Boolean).join(' | '),
    icon: iconPath instanceof ThemeIcon ? iconPath.id : undefined,
    spoken: accessibilityInformation?.label ?? '',
  };
}

/** What the view shows beside its rows, and what its user does. */
type TreeView<T> = Pick<ShownView<T>, 'title' | 'description' | 'message' | 'badge' | 'onDidChangeVisibility'> & {
  visible: boolean;
  selection: readonly T[];
  reveal(node: T): Promise<void>;
};

export class TestTree<T> {
  /** Makes VS Code repaint nodes, or all of them. */
  readonly changed = new EventEmitter<T[] | undefined>();
  readonly revealed: T[] = [];
  readonly view: TreeView<T> & ShownView<T>;
  readonly #source: () => RowSource<T>;
  readonly #visibility = new EventEmitter<TreeViewVisibilityChangeEvent>();

  constructor(source: () => RowSource<T>) {
    this.#source = source;
    const view: TreeView<T> = {
      visible: true,
      selection: [],
      onDidChangeVisibility: this.#visibility.event,
      reveal: async (node) => void this.revealed.push(node),
    };
    this.view = view as TreeView<T> & ShownView<T>;
  }

  /** Hides the view, or shows it again. */
  setVisible(visible: boolean): void {
    this.view.visible = visible;
    this.#visibility.fire({ visible });
  }

  /** The rows below the one that a path leads to, or those at the top. */
  async rows(...path: string[]): Promise<TreeRow<T>[]> {
    return this.below(path.length > 0 ? await this.row(...path) : undefined);
  }

  /** The rows below one, or those at the top. */
  async below(row: TreeRow<T> | undefined): Promise<TreeRow<T>[]> {
    return this.rowsOf(await this.#source().getChildren(row?.node));
  }

  /** The row that a path leads to from the top. Each step is the label or the ID of a row. */
  async row(...path: string[]): Promise<TreeRow<T>> {
    const rows = await this.rows(...path.slice(0, -1));
    const step = path.at(-1);
    const found = rows.find(({ label, item }) => label === step || item.id === step);
    return found ?? assert.fail(`${path.join(' › ')} isn't among ${rows.map(({ text }) => text).join(', ')}`);
  }

  rowsOf(nodes: readonly T[]): Promise<TreeRow<T>[]> {
    return Promise.all(nodes.map(async (node) => treeRow(node, await this.#source().getTreeItem(node))));
  }

  async texts(...path: string[]): Promise<string[]> {
    return (await this.rows(...path)).map(({ text }) => text);
  }

  /** The tooltip of a row, as its text or its Markdown. */
  async tooltip({ node }: TreeRow<T>): Promise<string> {
    const source = this.#source();
    const item = await source.getTreeItem(node);
    const { tooltip } = source.resolveTreeItem ? await source.resolveTreeItem(item, node) : item;
    return tooltip instanceof MarkdownString ? tooltip.value : `${tooltip ?? ''}`;
  }

  /** Resolves to the nodes that are repainted next, or to undefined for all. */
  nextRepaint(): Promise<T[] | undefined> {
    return new Promise((resolve) => {
      const listener = this.changed.event((nodes) => {
        listener.dispose();
        resolve(nodes);
      });
    });
  }

  /** Resolves when this node is repainted, perhaps together with others. */
  async repaintWith(node: T): Promise<void> {
    while (!(await this.nextRepaint())?.includes(node)) {}
  }

  /** Resolves when everything is repainted. */
  async repaintOfAll(): Promise<void> {
    while ((await this.nextRepaint()) !== undefined) {}
  }

  /** Resolves once this holds, which may change with each repaint. */
  async until(holds: () => boolean | Promise<boolean>): Promise<void> {
    for (;;) {
      const repaint = this.nextRepaint();
      if (await holds()) return;
      await repaint;
    }
  }
}
