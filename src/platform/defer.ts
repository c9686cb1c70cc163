/**
 * What activation leaves for later. All modules of one folder that it imports with `import()` are in one file, the part of that
 * folder (`esbuild.mjs`).
 */
import {
  type Disposable,
  type MarkdownString,
  type TreeDataProvider,
  type TreeItem,
  type TreeView,
  type TreeViewOptions,
  window,
} from 'vscode';
import type { CardMarkdown, ShownText } from '../markup/safeText.ts';
import { timers } from '../service/clock.ts';
import type { Commands } from './commands.ts';
import type { ShownPanel } from './webviewPage.ts';

/** What is loaded and created on first use, and again after a failure. Disposing of it does nothing if it never was. */
export interface Lazy<T> extends Disposable {
  (): Promise<T>;
  /** What was loaded; undefined until it's first used. */
  readonly loaded: Promise<T> | undefined;
}

/** Calls `create` once, unless it fails: one failed import mustn't disable a feature until the window is reloaded. */
export function lazy<T>(create: () => Promise<T>): Lazy<T> {
  let loaded: Promise<T> | undefined;
  const get = () => {
    if (!loaded) {
      loaded = create();
      loaded.catch(() => {
        loaded = undefined;
      });
    }
    return loaded;
  };
  const dispose = () => void loaded?.then((one) => (one as Partial<Disposable>).dispose?.());
  return Object.defineProperty(Object.assign(get, { dispose }), 'loaded', { get: () => loaded }) as Lazy<T>;
}

type Method = (...args: never[]) => unknown;
type MethodOf<T> = { [K in keyof T]: T[K] extends Method ? K : never }[keyof T];
type Later<F> = F extends (...args: infer A) => infer R ? (...args: A) => Promise<Awaited<R>> : never;

/** The methods of something that may not be loaded yet: each gets it, and calls the one of its name. */
export function methodsOf<T, const N extends MethodOf<T>>(get: () => Promise<T>, ...names: N[]) {
  const call = (name: N) => [name, async (...args: never[]) => ((await get())[name] as Method)(...args)];
  return Object.fromEntries(names.map(call)) as { [K in N]: Later<T[K]> };
}

/** Creates disposables in a later turn of the event loop, so that activation doesn't wait for them: each provider takes time. */
export function defer(create: () => readonly Disposable[]): Disposable {
  let created: readonly Disposable[] = [];
  const cancel = timers.after(0, () => {
    created = create();
  });
  return {
    dispose: () => {
      cancel();
      for (const one of created) one.dispose();
    },
  };
}

/**
 * Restores panels of a type when VS Code shows their tabs after a reload. Closes one that can't be restored: VS Code would keep
 * its tab, and `OpenPanels.find` would wait for it forever.
 */
export const restorePanels = (
  viewType: string,
  panels: () => Promise<{ restore(panel: ShownPanel, state: unknown): unknown }>,
  commands: Pick<Commands, 'report'>,
): Disposable =>
  window.registerWebviewPanelSerializer(viewType, {
    deserializeWebviewPanel: (panel, state) =>
      commands.report(async () => {
        try {
          await (await panels()).restore(panel as ShownPanel, state);
        } catch (error) {
          panel.dispose();
          throw error;
        }
      }),
  });

/** A view that takes only text that was made to be shown. */
export interface ShownView<T> extends Omit<TreeView<T>, 'badge' | 'description' | 'message' | 'title'> {
  title?: ShownText;
  description?: ShownText;
  message?: ShownText | undefined;
  badge?: { readonly value: number; readonly tooltip: ShownText } | undefined;
}

/** A row whose texts were made to be shown, as `Row` in `presentation/shown.ts`. */
interface ShownRow extends TreeItem {
  label: ShownText;
  description?: ShownText;
  tooltip?: ShownText | (MarkdownString & { readonly value: CardMarkdown }) | undefined;
}

interface RowProvider<T> extends Omit<TreeDataProvider<T>, 'getTreeItem' | 'resolveTreeItem'> {
  getTreeItem(element: T): Promise<ShownRow>;
  resolveTreeItem?(row: ShownRow, element: T): Promise<ShownRow>;
}

/** Creates a view whose rows are made later. */
export const createView = <T>(
  id: string,
  options: Omit<TreeViewOptions<T>, 'treeDataProvider'> & { readonly treeDataProvider: RowProvider<T> },
) => window.createTreeView<T>(id, options as unknown as TreeViewOptions<T>) as ShownView<T>;
