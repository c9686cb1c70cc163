/** Trees of rows that take only text that was made to be shown. Activation creates them, and loads nothing else for that. */
import { type TreeDataProvider, type TreeView, type TreeViewOptions, window } from 'vscode';
import type { ShownText } from '../markup/safeText.ts';
import type { Row } from './shown.ts';

export interface ShownView<T> extends Omit<TreeView<T>, 'badge' | 'description' | 'message' | 'title'> {
  title?: ShownText;
  description?: ShownText;
  message?: ShownText | undefined;
  badge?: { readonly value: number; readonly tooltip: ShownText } | undefined;
}

/** What makes the rows of a tree. */
interface RowProvider<T> extends Omit<TreeDataProvider<T>, 'getTreeItem' | 'resolveTreeItem'> {
  getTreeItem(element: T): Row | Promise<Row>;
  resolveTreeItem?(row: Row, element: T): Promise<Row>;
}

interface ViewOptions<T> extends Omit<TreeViewOptions<T>, 'treeDataProvider'> {
  readonly treeDataProvider: RowProvider<T>;
}

export const createView = <T>(id: string, options: ViewOptions<T>) =>
  window.createTreeView<T>(id, options as TreeViewOptions<T>) as ShownView<T>;
