import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  commands,
  EventEmitter,
  env,
  type TextDocumentContentProvider,
  type TextEditor,
  type TreeViewOptions,
  Uri,
  type ViewBadge,
  window,
  workspace,
} from 'vscode';
import { DeliveryStatus } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import type { OutboxFeature } from '../../../../src/deliveries/outbox/index.ts';
import { Comparison } from '../../../../src/deliveries/view/comparison.ts';
import { registerView } from '../../../../src/deliveries/view/index.ts';
import { OutboxTree } from '../../../../src/deliveries/view/outboxTree.ts';
import { ReportPanels } from '../../../../src/deliveries/view/reportPanel.ts';
import { lazy } from '../../../../src/platform/defer.ts';
import { answer, restore } from '../../answers.ts';
import { settled } from '../../deferred.ts';
import { newHost } from '../../test-host.ts';
import { withoutDelays } from '../../withoutDelays.ts';
import { deliveryOf, storedEntry } from '../outbox/testDeliveries.ts';

const ID = '000000000000001-deliver0';

describe('The view of the outbox', () => {
  const host = newHost();
  let registered: ReturnType<typeof registerView>;
  withoutDelays();

  const register = (outbox: object) => {
    registered = registerView(host, { onDidChange: new EventEmitter<string>().event, ...outbox } as OutboxFeature);
  };
  afterEach(() => {
    for (const one of registered.disposables) one.dispose();
    test.mock.restoreAll();
    restore();
  });

  it('shows on its icon how many need somebody, until it is opened, or the report', async () => {
    const visibility = new EventEmitter<{ visible: boolean }>();
    const view = { selection: [], visible: false, badge: undefined as ViewBadge | undefined, title: '', dispose() {} };
    const events = { onDidChangeVisibility: visibility.event, onDidChangeSelection: new EventEmitter<never>().event };
    answer('createTreeView', (() => Object.assign(view, events)) as never);
    let unseen = ['one', ID, 'three'];
    const changed = new EventEmitter<string>();
    const markSeen = async (id?: string) => {
      unseen = unseen.filter((one) => id !== undefined && one !== id);
      changed.fire('one');
    };
    test.mock.method(ReportPanels.prototype, 'show', async () => {});
    register({
      controller: lazy(async () => ({ outbox: { unseen: async () => unseen.length, markSeen } })),
      mayHave: async (what: string) => what === 'unseen' && unseen.length > 0,
      onDidChange: changed.event,
    });
    // As at a start with the view open: nobody has seen yet what isn't counted.
    visibility.fire({ visible: true });
    const until = async (value: number | undefined) => {
      while (view.badge?.value !== value) await setImmediate();
    };
    await until(3);
    assert.deepEqual([view.badge?.tooltip, view.title], ['3 deliveries need you', 'Outbox (3)']);
    await host.commands.run('openReport', ID);
    await until(2);
    visibility.fire({ visible: false });
    await settled();
    assert.equal(view.badge?.value, 2);
    visibility.fire({ visible: true });
    await until(undefined);
    assert.deepEqual([unseen, view.title], [[], 'Outbox']);
  });

  for (const [command, method] of [
    ['cancelDelivery', 'cancel'],
    ['checkDelivery', 'check'],
    ['deleteDelivery', 'remove'],
    ['saveRecipients', 'saveRecipients'],
  ] as const)
    it(`does with the chosen delivery what its command says: ${command}`, async () => {
      const done: string[] = [];
      register({ controller: lazy(async () => ({ [method]: async (id: string) => void done.push(id) })) });
      await host.commands.run(command, ID);
      assert.deepEqual(done, [ID]);
    });

  for (const [command, start] of [
    ['copyReport', '# '],
    ['copyReportCsv', '"Recipient",'],
  ] as const)
    it(`copies the report of the chosen delivery: ${command}`, async () => {
      const entry = storedEntry(new DeliveryStatus(deliveryOf([])));
      register({ controller: lazy(async () => ({ reported: async () => entry })) });
      await host.commands.run(command, ID);
      assert.equal((await env.clipboard.readText()).slice(0, start.length), start);
    });

  it('shows everything as it is now on request, open reports, too', async () => {
    const views: string[] = [];
    let repaints = 0;
    const { createTreeView } = window;
    answer('createTreeView', ((id: string, options: TreeViewOptions<unknown>) => {
      views.push(id);
      options.treeDataProvider.onDidChangeTreeData?.(() => repaints++);
      return createTreeView(id, options);
    }) as typeof createTreeView);
    const updated = test.mock.method(ReportPanels.prototype, 'update', () => {});
    test.mock.method(ReportPanels.prototype, 'show', async () => {});
    register({ controller: lazy(async () => ({})) });
    await host.commands.run('openReport', ID);
    await host.commands.run('refreshOutbox');
    await settled();
    assert.deepEqual(views, ['botChats.outbox']);
    assert.deepEqual([repaints, updated.mock.callCount()], [1, 1]);
  });

  it('compares the active document with what was sent unless another is chosen, and has that document', async () => {
    const opened: unknown[] = [];
    test.mock.method(Comparison.prototype, 'open', async (what: unknown) => void opened.push(what));
    test.mock.method(Comparison.prototype, 'text', async (id: string) => `text of ${id}`);
    const documents = new Map<string, TextDocumentContentProvider>();
    test.mock.method(
      workspace,
      'registerTextDocumentContentProvider',
      (scheme: string, provider: TextDocumentContentProvider) => {
        documents.set(scheme, provider);
        return { dispose() {} };
      },
    );
    register({ controller: lazy(async () => ({})) });
    const file = Uri.file('/drafts/a.md');
    answer('activeTextEditor', { document: { uri: file } } as TextEditor);
    await host.commands.run('compareWithSent');
    await host.commands.run('compareWithSent', ID);
    assert.deepEqual(opened, [file, ID]);
    const sent = documents.get('bot-chats-sent')?.provideTextDocumentContent(Uri.parse('x:/a.md?id'), {} as never);
    assert.equal(await sent, 'text of id');
  });

  it('leads to the delivery that is sent next, or else to itself', async () => {
    const revealed: unknown[] = [];
    const view = { reveal: async (node: { id: string }) => void revealed.push(node.id), dispose() {} };
    const never = new EventEmitter<never>().event;
    answer('createTreeView', (() => ({
      ...view,
      selection: [],
      onDidChangeVisibility: never,
      onDidChangeSelection: never,
    })) as never);
    let next: object | undefined = { id: ID };
    register({ controller: lazy(async () => ({})) });
    test.mock.method(OutboxTree.prototype, 'nextScheduled', async () => next);
    const focused = commands.registerCommand('botChats.outbox.focus', async () => void revealed.push('outbox'));
    await host.commands.run('showNextScheduled');
    next = undefined;
    await host.commands.run('showNextScheduled');
    focused.dispose();
    assert.deepEqual(revealed, [ID, 'outbox']);
  });
});
