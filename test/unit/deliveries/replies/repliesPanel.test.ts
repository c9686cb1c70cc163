import assert from 'node:assert/strict';
import { commands, env, Uri, type WindowState, window } from 'vscode';
import type { Delivery } from '../../../../src/deliveries/outbox/record.ts';
import { registerReplies } from '../../../../src/deliveries/replies/index.ts';
import { RepliesPanels } from '../../../../src/deliveries/replies/repliesPanel.ts';
import { ReplyStore } from '../../../../src/deliveries/replies/replyStore.ts';
import { lazy } from '../../../../src/platform/defer.ts';
import { diskFiles } from '../../../../src/platform/diskFiles.ts';
import { type FromRepliesPage, type RepliesQuery, ToRepliesPage } from '../../../../src/protocol/replies.ts';
import type { Chat } from '../../../../src/service/model.ts';
import { answer, onMessages } from '../../answers.ts';
import { heldClock, useWallClock } from '../../clocks.ts';
import { deferred, settled } from '../../deferred.ts';
import { ListedPage, usePages } from '../../panelPage.ts';
import { NO_ARCHIVE } from '../../test-host.ts';
import { TestService } from '../../test-service.ts';
import { closeDocuments } from '../../vscode-editors.ts';
import { AT, BOT, planBatches } from '../outbox/testDeliveries.ts';
import { openOutbox } from '../outbox/testOutbox.ts';

const ALL: RepliesQuery = { states: [], text: '' };

describe('The replies to a delivery', () => {
  const clock = useWallClock(AT);
  const service = new TestService();
  const pages = usePages(
    (title) => new ListedPage<ToRepliesPage, FromRepliesPage, RepliesQuery>(ToRepliesPage, ALL, title),
  );
  let open: Awaited<ReturnType<typeof openOutbox>>;
  let held: ReturnType<typeof heldClock>;
  let panels: RepliesPanels;

  beforeEach(async () => {
    // What people answer depends on what they were sent before.
    await service.open({ 'service.callsPerSecond': 1000 }, { replies: true });
    open = await openOutbox(service, clock);
    held = heldClock();
    panels = newPanels();
  });
  afterEach(async () => {
    service.instead = () => undefined;
    closeDocuments();
    open.close();
    await service.close();
  });
  const newPanels = () => {
    const store = new ReplyStore(diskFiles(open.folder));
    return new RepliesPanels('botChats.replies', open.host, open.controller, store, held.clock);
  };

  const chats = (): Chat[] => [
    ...service.sandbox.groups.slice(0, 2).map((id) => ({ kind: 'group' as const, id })),
    ...service.sandbox.users.slice(1, 7).map((id) => ({ kind: 'user' as const, id })),
  ];
  /** Sends to chats, and waits until people have answered. */
  async function sent(to = chats()): Promise<Delivery> {
    const recipients = to.map((chat) => ({ ...chat, name: `Chat ${chat.id}` }));
    const { delivery } = await open.deliver({ batches: planBatches(recipients, 1) });
    clock.now += 120_000;
    service.requests.splice(0);
    return delivery;
  }
  /** Finds the replies to a delivery. Resolves when the page shows all. */
  async function find(id: string) {
    await panels.find(id);
    const page = pages.last;
    await page.load();
    return { page, rows: await page.list() };
  }
  const count = (state: string) => pages.last.last('summary')?.counts.find((one) => one.state === state)?.count;
  /** Has the service fail for a chat. */
  const refuse = (chat: Chat | undefined, text: string) => {
    service.instead = async ({ url }) =>
      url.includes(`chat-id=${chat?.id}`) ? Response.json({ code: -1, msg: text }) : undefined;
  };

  it('are read when somebody asks for them, and listed', async () => {
    const { page, rows } = await find((await sent()).id);
    const { total, counts, run, title, isWatched, error, doneAt } = page.last('summary') ?? assert.fail();
    assert.equal(title, 'Replies to “Hello”');
    assert.equal(page.title, title);
    assert.equal(run.is, 'idle');
    assert.deepEqual([isWatched, error, doneAt], [false, '', held.clock.wall()]);
    assert.equal(
      counts.reduce((sum, one) => sum + one.count, 0),
      chats().length,
    );
    assert.equal(rows.filter(({ type }) => type === 'reply').length, total);
    assert.ok((count('answered') ?? 0) > 0);
    assert.ok((count('unanswered') ?? 0) > 0);
  });

  it('are shown again without any request, with what was found', async () => {
    const { id } = await sent();
    const { page } = await find(id);
    const before = page.last('summary');
    page.close();
    panels = newPanels();
    const restored = pages.restored();
    panels.restore(restored.panel, { delivery: id });
    service.requests.splice(0);
    await restored.load();
    await restored.list();
    assert.deepEqual({ ...restored.last('summary'), title: '' }, { ...before, title: '' });
    assert.deepEqual(service.requests, []);
  });

  it('can be filtered, by what counts as one answer, too', async () => {
    const { page } = await find((await sent()).id);
    assert.equal((await page.list({ states: ['unanswered'] })).length, count('unanswered'));
    const [{ key, count: senders } = assert.fail()] = page.last('summary')?.poll ?? [];
    const same = await page.list({ answer: key });
    assert.equal(same.filter(({ type }) => type === 'reply').length, senders);
  });

  it('end with the next delivery to a person', async () => {
    const people = chats().slice(2);
    const first = await sent(people);
    const { page } = await find(first.id);
    const answers = page.last('summary')?.total ?? 0;
    assert.ok(answers > 0);
    await sent(people);
    await page.ask({ type: 'act', action: 'find' }, 'summary');
    assert.ok(service.requests.length > 0);
    assert.equal(page.last('summary')?.total, answers);
  });

  it('say of a chat with answers that it can’t be read any more, until it can', async () => {
    const { page, rows } = await find((await sent()).id);
    const [answered = assert.fail()] = rows;
    const before = page.last('summary');
    refuse(answered, '消息不存在');
    await page.ask({ type: 'act', action: 'find' }, 'changed');
    // Nothing else says that there's another list.
    assert.deepEqual({ ...page.last('summary'), doneAt: 0, run: 0 }, { ...before, doneAt: 0, run: 0 });
    const [{ at, row } = assert.fail()] = page.last('changed')?.rows ?? [];
    assert.equal(at, 0);
    assert.ok(row.type === 'chat' && row.state === 'answered' && row.error.includes('消息不存在'));
    service.instead = () => undefined;
    await page.ask({ type: 'act', action: 'find' }, 'changed');
    assert.deepEqual(page.last('changed')?.rows, [{ at, row: answered }]);
  });

  it('are read again every minute only while the page is seen, in a window with the focus', async () => {
    const { page } = await find((await sent()).id);
    const reads = async (ms: number) => {
      service.requests.splice(0);
      await held.pass(ms);
      return service.requests.length;
    };
    let focused = true;
    answer('state', {
      get focused() {
        return focused;
      },
      active: true,
    } as WindowState);
    assert.equal(await reads(180_000), 0);
    await page.ask({ type: 'act', action: 'watch' }, 'summary');
    assert.equal(page.last('summary')?.isWatched, true);
    assert.equal(await reads(59_999), 0);
    await reads(1);
    while (service.requests.length === 0) await settled();
    do await page.ask({ type: 'retry' }, 'summary');
    while (page.last('summary')?.run.is !== 'idle');
    focused = false;
    assert.equal(await reads(60_000), 0);
    focused = true;
    page.setVisible(false);
    assert.equal(await reads(60_000), 0);
    page.panel.reveal();
    page.send({ type: 'act', action: 'unwatch' });
    await settled();
    assert.equal(await reads(180_000), 0);
  });

  it('are shown while they are read', async () => {
    const { page } = await find((await sent()).id);
    const gate = deferred<void>();
    service.instead = async () => void (await gate.promise);
    service.requests.splice(0);
    page.send({ type: 'act', action: 'find' });
    while (service.requests.length === 0) await settled();
    await held.pass(1_000);
    await page.until(() => page.last('summary')?.run.is === 'reading');
    gate.resolve();
    await page.until(() => page.last('summary')?.run.is === 'idle');
  });

  it('stop being read when the panel is closed', async () => {
    const { id } = await sent();
    service.instead = async () => {
      pages.last.close();
      return undefined;
    };
    await panels.find(id);
    assert.ok(service.requests.length < chats().length * 2);
  });

  it('aren’t read if the panel is closed before the first request', async () => {
    const { id } = await sent();
    const { reported } = open.controller;
    let opened = 0;
    open.controller.reported = async (one) => {
      if (++opened === 2) pages.last.close();
      return reported.call(open.controller, one);
    };
    await panels.find(id);
    assert.equal(opened, 2);
    assert.deepEqual(service.requests, []);
  });

  it('open the history at an answer, or at the delivered message', async () => {
    const { page, rows } = await find((await sent()).id);
    const reply = rows.find((row) => row.type === 'reply') ?? assert.fail();
    const chat = { kind: reply.kind, id: reply.id };
    page.send({ type: 'openChat', chat, msgId: reply.message.msgId });
    while (open.ran.length === 0) await settled();
    const { address } = await open.connection.open();
    assert.deepEqual(open.ran, [
      ['openMessage', { ...chat, service: address, botId: BOT, msgId: reply.message.msgId }],
    ]);
    page.send({ type: 'openChat', chat });
    while (open.ran.length === 1) await settled();
    const [, { msgId }] = open.ran[1] as [string, { msgId: string }];
    assert.match(msgId, /./);
    assert.notEqual(msgId, reply.message.msgId);
  });

  it('can be copied as CSV, and lead to the report of the delivery', async () => {
    const { id } = await sent();
    const { page } = await find(id);
    await page.ask({ type: 'act', action: 'copyCsv' }, 'copied');
    const [, ...lines] = (await env.clipboard.readText()).trim().split('\r\n');
    assert.equal(lines.length, (page.last('summary')?.total ?? 0) + (count('unanswered') ?? 0));
    page.send({ type: 'act', action: 'openReport' });
    assert.deepEqual(open.ran, [['openReport', id]]);
  });

  for (const [state, action] of [
    ['unanswered', 'remindUnanswered'],
    ['answered', 'remindAnswered'],
  ] as const)
    it(`lead to a new message to those whose state is ${state}, which follows the delivery`, async () => {
      const { id } = await sent();
      const { page, rows } = await find(id);
      page.send({ type: 'act', action });
      while (!window.activeTextEditor) await settled();
      const text = window.activeTextEditor.document.getText();
      assert.ok(text.includes(`\n  follows: "${id}"\n`), text);
      const chosen = rows.flatMap((row) => (row.type === 'chat' && row.state === state ? [row.id] : []));
      assert.deepEqual(Array.from(text.matchAll(/^ {4}- "(\w+)"/gm), ([, one]) => one).sort(), chosen.sort());
    });

  it('say in place of each list that the delivery is gone', async () => {
    const { id } = await sent();
    const { page } = await find(id);
    await open.outbox.remove(id);
    // A dialog would come back with each letter that is typed.
    const shown = onMessages();
    await page.ask(page.listing({ text: 'x' }), 'failed');
    const { text, list } = page.last('failed') ?? assert.fail();
    assert.match(text, /no longer in the outbox/);
    assert.equal(list, page.lists);
    assert.deepEqual(shown, []);
  });

  it('are read by a command, each in its panel', async () => {
    const ids = [(await sent()).id, (await sent()).id];
    const outbox = { controller: lazy(async () => open.controller), folder: Uri.file(open.folder) };
    const registered = registerReplies(
      open.host,
      outbox,
      NO_ARCHIVE,
      (clicked) => new Set([clicked ?? '', ids[1] ?? '']),
    );
    await commands.executeCommand('botChats.findReplies', ids[0]);
    for (const one of registered) one.dispose();
    assert.deepEqual(pages.opened.map(({ html }) => ids.find((id) => html.includes(id))).sort(), ids.sort());
    assert.ok(service.requests.length > chats().length);
  });
});
