import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { CancellationTokenSource, type FileDecorationProvider, type TreeItem, type window } from 'vscode';
import { ListSettings } from '../../../src/platform/listSettings.ts';
import type { Chat } from '../../../src/service/model.ts';
import type { ChatNode } from '../../../src/sidebar/nodes.ts';
import type { ChatRow } from '../../../src/sidebar/rows.ts';
import { SidebarTree, type TreeHost } from '../../../src/sidebar/sidebarTree.ts';
import type { WatchState } from '../../../src/sidebar/watch/watchList.ts';
import { answer } from '../answers.ts';

/** The rows of a section stand at these places among the roots. */
export const GROUPS = 0;
export const BOTS = 1;
export const PEOPLE = 2;

/** A tree in a view that is the test's own: it paints when the test asks for items, and sees what the test says. */
export function showTree({
  watch = () => undefined,
  ...host
}: Omit<TreeHost, 'lists'> & { watch?(chat: Chat): WatchState | undefined }) {
  const decorators: FileDecorationProvider[] = [];
  answer('registerFileDecorationProvider', ((provider: FileDecorationProvider) => {
    decorators.push(provider);
    return { dispose: () => void decorators.splice(decorators.indexOf(provider), 1) };
  }) as typeof window.registerFileDecorationProvider);

  const view = { title: undefined as string | undefined, message: undefined as string | undefined };
  let painted: ((nodes: ChatNode[] | undefined) => void)[] = [];
  let idle: (() => void)[] = [];
  const tree = new SidebarTree({ ...host, lists: new ListSettings() }, watch, {
    repaint: (nodes) => {
      for (const listener of painted.splice(0)) listener(nodes && [...nodes]);
    },
    setTitle: (title) => (view.title = title),
    setMessage: (message) => (view.message = message),
    setBusy: (isBusy) => {
      if (!isBusy) for (const listener of idle.splice(0)) listener();
    },
  });
  painted = [];
  idle = [];

  const sectionOf = async (place: number) => (await tree.getChildren()).filter(({ type }) => type === 'section')[place];
  const items = (nodes: readonly ChatNode[]): Promise<TreeItem[]> =>
    Promise.all(nodes.map((node) => tree.getTreeItem(node)));
  const children = async (place: number) => {
    const section = await sectionOf(place);
    assert(section);
    return tree.getChildren(section);
  };
  const rows = async (place: number) => (await children(place)).filter((node): node is ChatRow => node.type === 'chat');
  /** The window paints these nodes; resolves when all has been looked up that this began. */
  const see = async (nodes: readonly ChatNode[]) => {
    const sights = (await items(nodes)).flatMap(({ resourceUri }) => resourceUri ?? []);
    if (sights.length === 0) return;
    const done = new Promise<void>((resolve) => idle.push(resolve));
    const { token } = new CancellationTokenSource();
    for (const sight of sights) for (const one of decorators) one.provideFileDecoration(sight, token);
    await done;
  };
  /** The items of a section after all of its rows were seen. */
  const seen = async (place: number) => {
    await see(await rows(place));
    return items(await children(place));
  };
  /** Resolves to what is painted next, or to `undefined` for everything. */
  const nextPaint = () => new Promise<ChatNode[] | undefined>((resolve) => painted.push(resolve));
  /** Resolves when this row alone is painted: others may be painted before. */
  const paintOf = async (node: ChatNode) => {
    let paint = await nextPaint();
    while (!isDeepStrictEqual(paint, [node])) paint = await nextPaint();
  };
  /** Resolves as soon as that holds; it is looked at after each paint. */
  const until = async (holds: () => Promise<boolean>) => {
    for (;;) {
      const paint = nextPaint();
      if (await holds()) return;
      await paint;
    }
  };
  return { tree, view, sectionOf, items, children, rows, see, seen, nextPaint, paintOf, until };
}

export const textOf = ({ label, description }: TreeItem) => [label, description];
