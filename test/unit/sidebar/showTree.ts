import { CancellationTokenSource, type FileDecorationProvider, type window } from 'vscode';
import { ListSettings } from '../../../src/platform/listSettings.ts';
import { Tokens } from '../../../src/platform/tokens.ts';
import type { Clock } from '../../../src/service/clock.ts';
import type { Chat } from '../../../src/service/model.ts';
import type { ChatNode } from '../../../src/sidebar/nodes.ts';
import type { ChatRow } from '../../../src/sidebar/rows.ts';
import { SidebarTree, type TreeHost } from '../../../src/sidebar/sidebarTree.ts';
import { SidebarView } from '../../../src/sidebar/sidebarView.ts';
import { answer, restore } from '../answers.ts';
import { memento, secretStorage } from '../memory.ts';
import { configure, newConnection, type TestService } from '../test-service.ts';
import { TestTree, type TreeRow } from '../treeRows.ts';

/** The tree of the chats, whose rows are looked up once a test makes them visible. */
export class ChatsTree extends TestTree<ChatNode> {
  readonly #decorators: FileDecorationProvider[] = [];
  #onIdle = () => {};

  constructor(tree: () => SidebarTree) {
    super(tree);
    answer('registerFileDecorationProvider', ((provider: FileDecorationProvider) => {
      this.#decorators.push(provider);
      return { dispose: () => void this.#decorators.splice(this.#decorators.indexOf(provider), 1) };
    }) as typeof window.registerFileDecorationProvider);
    // Its progress ends with the last lookup.
    answer('withProgress', (async (_, task) => {
      const { token } = new CancellationTokenSource();
      const result = await task({ report: () => {} }, token);
      this.#onIdle();
      return result;
    }) as typeof window.withProgress);
  }

  /** The rows of chats and bots in a section. */
  async chats(section: string): Promise<ChatRow[]> {
    return (await this.rows(section)).flatMap(({ node }) => (node.type === 'chat' ? node : []));
  }

  /** Makes rows visible. Resolves when the lookups that this starts have ended. */
  async makeVisible(rows: readonly TreeRow<ChatNode>[]): Promise<void> {
    const uris = rows.flatMap(({ item }) => item.resourceUri ?? []);
    if (uris.length === 0) return;
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    const { token } = new CancellationTokenSource();
    for (const uri of uris) for (const one of this.#decorators) one.provideFileDecoration(uri, token);
    await idle;
  }

  /** The rows of a section after all of them were visible. */
  async seen(section: string): Promise<TreeRow<ChatNode>[]> {
    await this.makeVisible(await this.rows(section));
    return this.rows(section);
  }

  async seenTexts(section: string): Promise<string[]> {
    return (await this.seen(section)).map(({ text }) => text);
  }
}

/** The tree of these chats, none of which is watched, or archived unless a test says so. */
export function showTree({ connection, tokens }: Omit<TreeHost, 'lists'>, clock?: Clock) {
  const shown: ChatsTree = new ChatsTree(() => tree);
  const chats = {
    watch: () => undefined,
    isArchived: (_: Chat) => false,
    match: () => undefined,
    lastTimes: () => () => undefined,
    never: () => undefined,
  };
  const host = { connection, tokens, lists: new ListSettings() };
  const tree = new SidebarTree(host, chats, new SidebarView(shown.view, shown.changed), clock);
  return { tree, shown, chats };
}

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
  const { tree, ...shown } = showTree({ connection, tokens }, clock);
  const close = async () => {
    tree.dispose();
    restore();
    connection.dispose();
    service.sandbox.setFaults(undefined);
    service.instead = () => undefined;
    service.requests.splice(0);
    await configure({ 'service.sandbox': undefined });
  };
  return { connection, tokens, tree, ...shown, close };
}
