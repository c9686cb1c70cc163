import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import {
  type Disposable,
  EventEmitter,
  commands as vscodeCommands,
  type WebviewPanelSerializer,
  type window,
} from 'vscode';
import type { ArchiveRow } from '../../../../src/chats/archiving/archiveController.ts';
import { registerArchiving } from '../../../../src/chats/archiving/index.ts';
import { lazy } from '../../../../src/platform/defer.ts';
import { ToSearchPage } from '../../../../src/protocol/search.ts';
import { Listed } from '../../../../src/service/message.ts';
import { answer, pick } from '../../answers.ts';
import { settled, until } from '../../deferred.ts';
import { inBrowser } from '../../inBrowser.ts';
import { PanelPage, usePages } from '../../panelPage.ts';
import { newHost } from '../../test-host.ts';
import { TestTree } from '../../treeRows.ts';
import { CHAT, messageOf } from '../archive/archives.ts';
import { restoreBuiltins, testThreads } from './testThreads.ts';

describe('The archive of a window', () => {
  const pages = usePages((title) => new PanelPage<ToSearchPage>(ToSearchPage, title));
  let host: ReturnType<typeof newHost>;
  let stored: ReturnType<typeof lazy<Awaited<ReturnType<typeof host.stored>>>>;
  let connected: EventEmitter<void>;
  let focus: EventEmitter<{ focused: boolean; active: boolean }>;
  let tree: TestTree<ArchiveRow>;
  let repaints: number;
  let repainted: EventEmitter<void>;
  let serializers: Map<string, WebviewPanelSerializer>;
  let opened: { archiving: ReturnType<typeof registerArchiving>; others: Disposable[] };

  beforeEach(() => {
    testThreads();
    host = newHost();
    connected = new EventEmitter();
    focus = new EventEmitter();
    repaints = 0;
    repainted = new EventEmitter();
    serializers = new Map();
    Object.assign(host.connection, { onDidChange: connected.event });
    answer('onDidChangeWindowState', focus.event as typeof window.onDidChangeWindowState);
    answer('registerWebviewPanelSerializer', (type, serializer) => {
      serializers.set(type, serializer);
      return { dispose() {} };
    });
    answer('createTreeView', ((_: string, { treeDataProvider }: { treeDataProvider: TreeProvider }) => {
      tree = new TestTree(() => treeDataProvider);
      treeDataProvider.onDidChangeTreeData(() => {
        repaints++;
        repainted.fire();
      });
      return Object.assign(tree.view, { dispose() {} });
    }) as unknown as typeof window.createTreeView);
    stored = lazy(host.stored);
    opened = { archiving: registerArchiving({ ...host, stored }), others: [] };
  });
  afterEach(async () => {
    await opened.archiving.close();
    for (const one of [...opened.archiving.disposables, ...opened.others]) one.dispose();
    restoreBuiltins();
  });

  type TreeProvider = ConstructorParameters<typeof TestTree<ArchiveRow>>[0] extends () => infer Source
    ? Source & { onDidChangeTreeData(listener: () => void): void }
    : never;

  /** Archives a chat with a message. */
  async function fill(): Promise<void> {
    const moves = await opened.archiving.moves();
    const chat = await moves.begin({ botChat: CHAT, name: 'The shop', botName: '' }, 'moved.gz');
    await chat.add({ jsons: [JSON.stringify(messageOf('m1', 'kettle'))] });
    await chat.end(true);
  }

  it('is loaded for the rows and pages of other features only once there may be one', async () => {
    const { archive, archived } = opened.archiving;
    const ask = async () => {
      assert.deepEqual(await archived.list(), []);
      assert.equal(await archive.list(CHAT, { latest: 10 }), undefined);
      assert.equal(await archive.namesOf(CHAT), undefined);
    };
    await ask();
    assert.equal(stored.loaded, undefined);
    await mkdir(join(host.storageUri.fsPath, 'archive'), { recursive: true });
    await ask();
    assert.ok(stored.loaded);
  });

  it('has its rows in a view, which it repaints, with their number in its title', async () => {
    await fill();
    assert.ok(repaints > 0);
    assert.deepEqual(
      (await tree.rows()).map(({ label }) => label),
      ['The shop'],
    );
    assert.equal(tree.view.title, 'Archive (1)');
    assert.match(tree.view.message ?? '', /^1 chat, .* on this computer$/);
  });

  it('is for other features which chats it has, and what is in them', async () => {
    const changes: string[] = [];
    opened.archiving.archived.onDidChange(() => changes.push('changed'));
    await fill();
    assert.deepEqual(await opened.archiving.archived.list(), [CHAT]);
    assert.ok(changes.length > 0);
    const { hits } = await opened.archiving.search.search(
      { text: 'kettle', includes: () => true },
      10,
      new AbortController().signal,
    );
    assert.deepEqual(
      hits.map(({ msgId }) => msgId),
      ['m1'],
    );
  });

  it('is repainted while it can be seen when another service is connected, the view is shown or the window gets the focus', async () => {
    const changes: string[] = [];
    opened.archiving.archived.onDidChange(() => changes.push('changed'));
    const causes = {
      connected: () => connected.fire(),
      shown: () => tree.setVisible(true),
      focused: () => focus.fire({ focused: true, active: true }),
    };
    for (const [name, cause] of Object.entries(causes)) {
      repaints = 0;
      tree.setVisible(true);
      repaints = 0;
      cause();
      assert.equal(repaints, 1, name);
    }
    focus.fire({ focused: false, active: false });
    tree.setVisible(false);
    connected.fire();
    focus.fire({ focused: true, active: true });
    assert.equal(repaints, 1);
    // Another window may have archived something.
    assert.equal(changes.length, 2);
  });

  it('keeps the pages of its chats that are read', async () => {
    await fill();
    const { archive, archived } = opened.archiving;
    const entries = [v.parse(Listed, messageOf('m2', 'new')), v.parse(Listed, messageOf('m1', 'kettle'))];
    repaints = 0;
    host.chatEvents.pageRead({ chat: CHAT, page: { latest: 2 }, entries });
    await until(repainted.event, () => repaints > 0);
    assert.equal((await archive.list(CHAT, { latest: 2 }))?.length, 2);
    assert.equal((await archived.list()).length, 1);
  });

  it('opens its search and its statistics, each by a command', async () => {
    await fill();
    await host.commands.run('searchMessages');
    await host.commands.run('showStatistics', CHAT);
    assert.deepEqual(pages.types, ['botChats.search', 'botChats.statistics']);
    await host.commands.run('searchMessages');
    assert.equal(pages.opened.length, 2);
  });

  it('shows in its search what is archived meanwhile', async () => {
    await host.commands.run('searchMessages');
    const page = pages.last;
    await page.load();
    assert.deepEqual(page.last('scope')?.chats, []);
    page.received = [];
    await fill();
    await page.receivedOne('scope');
    assert.deepEqual(
      page.last('scope')?.chats.map(({ name }) => name),
      ['The shop'],
    );
  });

  it('restores its panels after a reload', async () => {
    const restored = pages.restored();
    await serializers.get('botChats.search')?.deserializeWebviewPanel(restored.panel, undefined);
    await restored.load();
    assert.deepEqual(restored.types, ['scope']);
    const unknown = pages.restored();
    await serializers.get('botChats.statistics')?.deserializeWebviewPanel(unknown.panel, undefined);
    assert.equal(unknown.isOpen, false);
  });

  it('brings its view into sight when a chat is archived', async () => {
    const ran: unknown[][] = [];
    opened.others.push(
      vscodeCommands.registerCommand('botChats.archive.focus', (...args: unknown[]) => void ran.push(args)),
    );
    const service = { address: CHAT.service, directory: { labelOf: () => undefined, peek: () => undefined } };
    Object.assign(host.connection, { open: async () => service });
    Object.assign(host.access, { openService: async () => service, chooseBot: async () => CHAT.botId });
    pick('Entire History');
    await host.commands.run('archiveChat', { kind: CHAT.kind, id: CHAT.id, botId: CHAT.botId });
    await settled();
    assert.deepEqual(ran, [[{ preserveFocus: true }]]);
  });

  it('is hidden in a browser, which has no database', async () => {
    const contexts: unknown[][] = [];
    opened.others.push(vscodeCommands.registerCommand('setContext', (...args: unknown[]) => void contexts.push(args)));
    const hidden = await inBrowser(async () => registerArchiving({ ...newHost(), stored }));
    opened.others.push(...hidden.disposables);
    assert.deepEqual(contexts, [['botChats.inBrowser', true]]);
  });
});
