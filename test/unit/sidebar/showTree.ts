import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { CancellationTokenSource, type FileDecorationProvider, type window } from 'vscode';
import { ListSettings } from '../../../src/platform/listSettings.ts';
import { Tokens } from '../../../src/platform/tokens.ts';
import type { Row } from '../../../src/presentation/shown.ts';
import type { Clock } from '../../../src/service/clock.ts';
import type { Chat } from '../../../src/service/model.ts';
import type { Match } from '../../../src/sidebar/activity/activityRules.ts';
import type { ChatNode } from '../../../src/sidebar/nodes.ts';
import type { ChatRow } from '../../../src/sidebar/rows.ts';
import type { LastTimes } from '../../../src/sidebar/sections.ts';
import { SidebarTree, type TreeHost } from '../../../src/sidebar/sidebarTree.ts';
import type { TreeDisplay } from '../../../src/sidebar/sidebarView.ts';
import type { WatchState } from '../../../src/sidebar/watch/watchList.ts';
import { answer, restore } from '../answers.ts';
import { type Deferred, deferred } from '../deferred.ts';
import { memento, secretStorage } from '../memory.ts';
import { configure, newConnection, type TestService } from '../test-service.ts';

/** The positions of the sections at the top level. */
export const GROUPS = 0;
export const BOTS = 1;
export const PEOPLE = 2;

/** A tree in a fake view: a test requests the items and makes rows visible. */
export function showTree({
  watch = () => undefined,
  isArchived = () => false,
  match = () => undefined,
  lastTimes = () => () => undefined,
  clock,
  ...host
}: Omit<TreeHost, 'lists'> & {
  watch?(chat: Chat): WatchState | undefined;
  isArchived?(chat: Chat): boolean;
  match?(chat: Chat): Match | undefined;
  lastTimes?: LastTimes;
  clock?: Clock;
}) {
  const decorators: FileDecorationProvider[] = [];
  answer('registerFileDecorationProvider', ((provider: FileDecorationProvider) => {
    decorators.push(provider);
    return { dispose: () => void decorators.splice(decorators.indexOf(provider), 1) };
  }) as typeof window.registerFileDecorationProvider);

  const view = { title: undefined as string | undefined, message: undefined as string | undefined };
  let repaintListeners: ((nodes: ChatNode[] | undefined) => void)[] = [];
  let idleListeners: (() => void)[] = [];
  let visible: Deferred<void> | undefined;
  const display: TreeDisplay = {
    repaint: (nodes) => {
      for (const listener of repaintListeners.splice(0)) listener(nodes && [...nodes]);
    },
    setTitle: (title) => (view.title = title),
    setMessage: (message) => (view.message = message),
    setBusy: (isBusy) => {
      if (!isBusy) for (const listener of idleListeners.splice(0)) listener();
    },
    whenVisible: async () => visible?.promise,
  };
  const tree = new SidebarTree(
    { ...host, lists: new ListSettings() },
    { watch, isArchived, match, lastTimes, never: () => undefined },
    display,
    clock,
  );
  /** Hides the view, or shows it again. */
  const setVisible = (isVisible: boolean) => {
    visible?.resolve();
    visible = isVisible ? undefined : deferred();
  };
  repaintListeners = [];
  idleListeners = [];

  const sectionOf = async (place: number) => (await tree.getChildren()).filter(({ type }) => type === 'section')[place];
  const items = (nodes: readonly ChatNode[]): Promise<Row[]> =>
    Promise.all(nodes.map((node) => tree.getTreeItem(node)));
  const children = async (place: number) => {
    const section = await sectionOf(place);
    assert(section);
    return tree.getChildren(section);
  };
  const rows = async (place: number) => (await children(place)).filter((node): node is ChatRow => node.type === 'chat');
  /** Makes nodes visible. Resolves when the lookups that this starts have ended. */
  const makeVisible = async (nodes: readonly ChatNode[]) => {
    const uris = (await items(nodes)).flatMap(({ resourceUri }) => resourceUri ?? []);
    if (uris.length === 0) return;
    const done = new Promise<void>((resolve) => idleListeners.push(resolve));
    const { token } = new CancellationTokenSource();
    for (const uri of uris) for (const one of decorators) one.provideFileDecoration(uri, token);
    await done;
  };
  /** The items of a section after all of its rows were visible. */
  const visibleItems = async (place: number) => {
    await makeVisible(await rows(place));
    return items(await children(place));
  };
  /** Resolves to the nodes that are repainted next, or to `undefined` for all. */
  const nextRepaint = () => new Promise<ChatNode[] | undefined>((resolve) => repaintListeners.push(resolve));
  /** Resolves when this node is repainted, perhaps together with others. */
  const repaintWith = async (node: ChatNode) => {
    while (!(await nextRepaint())?.includes(node)) {}
  };
  /** Resolves when this node is repainted alone. Others may be repainted before. */
  const repaintOf = async (node: ChatNode) => {
    while (!isDeepStrictEqual(await nextRepaint(), [node])) {}
  };
  /** Resolves when everything is repainted. Some nodes may be repainted before. */
  const repaintOfAll = async () => {
    while ((await nextRepaint()) !== undefined) {}
  };
  /** Resolves as soon as a condition is true. Checks it after each repaint. */
  const until = async (condition: () => Promise<boolean>) => {
    for (;;) {
      const repaint = nextRepaint();
      if (await condition()) return;
      await repaint;
    }
  };
  return {
    tree,
    view,
    sectionOf,
    items,
    children,
    rows,
    makeVisible,
    visibleItems,
    nextRepaint,
    repaintWith,
    repaintOf,
    repaintOfAll,
    until,
    setVisible,
  };
}

export const textOf = ({ label, description }: Row) => [label, description];

/** The tree of a service with these lists. */
export async function openTree(
  service: TestService,
  lists: Record<string, unknown>,
  clock?: Clock,
  remembered = memento(),
) {
  const { webUrl, openApiUrl } = service.sandbox;
  await configure({ ...lists, 'service.webUrl': webUrl, 'service.openApiUrl': openApiUrl });
  const connection = newConnection();
  const tokens = new Tokens(secretStorage(), remembered);
  const shown = showTree({ connection, tokens, ...(clock && { clock }) });
  const close = async () => {
    shown.tree.dispose();
    restore();
    connection.dispose();
    service.sandbox.setFaults(undefined);
    service.instead = () => undefined;
    service.requests.splice(0);
    await configure({ 'service.sandbox': undefined });
  };
  return { connection, tokens, shown, close };
}
