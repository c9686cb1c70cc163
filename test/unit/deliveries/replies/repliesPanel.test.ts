import assert from 'node:assert/strict';
import { env, type WindowState, window } from 'vscode';
import type { Delivery } from '../../../../src/deliveries/outbox/record.ts';
import { RepliesPanels } from '../../../../src/deliveries/replies/repliesPanel.ts';
import { ReplyStore } from '../../../../src/deliveries/replies/replyStore.ts';
import { diskFiles } from '../../../../src/platform/diskFiles.ts';
import { type FromRepliesPage, type RepliesQuery, ToRepliesPage } from '../../../../src/protocol/replies.ts';
import type { Chat } from '../../../../src/service/model.ts';
import { answer, onMessages, restore } from '../../answers.ts';
import { heldClock } from '../../clocks.ts';
import { settled } from '../../deferred.ts';
import { onPanels, PanelPage } from '../../panelPage.ts';
import { useService } from '../../test-service.ts';
import { closeDocuments } from '../../vscode-editors.ts';
import { BOT, planBatches } from '../outbox/testDeliveries.ts';
import { openOutbox } from '../outbox/testOutbox.ts';

const ALL: RepliesQuery = { states: [], text: '' };

describe('The replies to a delivery', () => {
  let now = Date.UTC(2026, 10, 26, 12);
  const service = useService({ 'service.callsPerSecond': 1000 }, { replies: true, now: () => now });
  let open: Awaited<ReturnType<typeof openOutbox>>;
  let held: ReturnType<typeof heldClock>;
  let panels: RepliesPanels;
  let page: TestPage;

  beforeEach(async () => {
    open = await openOutbox(service);
    held = heldClock();
    onPanels((title) => {
      page = new TestPage(title);
      return page;
    });
    panels = newPanels();
  });
  afterEach(() => {
    service.instead = () => undefined;
    closeDocuments();
    restore();
    open.close();
  });
  const newPanels = () =>
    new RepliesPanels(
      'botChats.replies',
      open.host,
      open.controller,
      new ReplyStore(diskFiles(open.folder)),
      held.clock,
    );

  const chats = (): Chat[] => [
    ...service.sandbox.groups.slice(0, 2).map((id) => ({ kind: 'group' as const, id })),
    ...service.sandbox.users.slice(1, 7).map((id) => ({ kind: 'user' as const, id })),
  ];
  /** Sends to chats, and waits until people have answered. */
  async function sent(changes: Partial<Delivery> = {}, to = chats()): Promise<Delivery> {
    const recipients = to.map((chat) => ({ ...chat, name: `Chat ${chat.id}` }));
    const { delivery } = await open.deliver({ batches: planBatches(recipients, 1), ...changes });
    now += 120_000;
    service.requests.splice(0);
    return delivery;
  }
  /** Finds the replies to a delivery. Resolves when the page shows all. */
  async function find(id: string): Promise<TestPage> {
    const finding = panels.find(id);
    while (!page) await settled();
    await finding;
    await page.load();
    await page.list(1);
    return page;
  }
  const count = (state: string) => page.last('summary')?.counts.find((one) => one.state === state)?.count;

  it('are read when somebody asks for them, and listed by chat, the newest first', async () => {
    const { id } = await sent();
    await find(id);
    const { total, counts, run, title } = page.last('summary') ?? assert.fail();
    assert.equal(title, 'Replies to “Hello”');
    assert.equal(page.panel.title, title);
    assert.equal(run.is, 'idle');
    assert.equal(
      counts.reduce((sum, one) => sum + one.count, 0),
      chats().length,
    );
    const { rows = [] } = page.last('list') ?? assert.fail();
    const answers = rows.flatMap((row) => (row.type === 'reply' ? [row] : []));
    assert.equal(answers.length, total);
    assert.ok((count('answered') ?? 0) > 0 && (count('unanswered') ?? 0) > 0);
    // Within a chat, and the chats by their newest answer.
    const newest = rows.flatMap((row, at) => {
      const next = rows[at + 1];
      return row.type === 'chat' && next?.type === 'reply' ? [next.message.sendTime ?? 0] : [];
    });
    assert.deepEqual(
      newest,
      newest.toSorted((one, other) => other - one),
    );
  });

  it('are shown again without any request, with what was found', async () => {
    const { id } = await sent();
    await find(id);
    const before = page.last('summary');
    page.close();
    panels = newPanels();
    const restored = new TestPage();
    panels.restore(restored.panel, { delivery: id });
    page = restored;
    service.requests.splice(0);
    await page.load();
    await page.list(1);
    assert.deepEqual({ ...page.last('summary'), title: '' }, { ...before, title: '' });
    assert.deepEqual(service.requests, []);
  });

  it('can be filtered by state, words, and what was answered', async () => {
    const { id } = await sent();
    await find(id);
    const listed = async (query: Partial<RepliesQuery>) => {
      await page.list(page.received.length + 1, { ...ALL, ...query });
      return page.last('list')?.rows ?? [];
    };
    const unanswered = await listed({ states: ['unanswered'] });
    assert.equal(unanswered.length, count('unanswered'));
    const [group] = chats();
    const named = await listed({ text: `chat ${group?.id}` });
    assert.ok(named.length > 0 && named.every((row) => row.id === group?.id));
    const { key, count: senders } =
      page.last('summary')?.poll.toSorted((a, b) => b.count - a.count)[0] ?? assert.fail();
    const same = await listed({ answer: key });
    assert.equal(same.filter(({ type }) => type === 'reply').length, senders);
    assert.deepEqual(await listed({ text: 'nobody says this' }), []);
  });

  it('count the buttons of the message first', async () => {
    const buttons = [
      [
        { text: 'I will come', actionType: 3, value: 'yes' },
        { text: 'Never', actionType: 3, value: 'no' },
      ],
    ];
    const { id } = await sent({ message: { contentType: 'text', content: { text: 'Come?', buttons } } });
    await find(id);
    const labels = page.last('summary')?.poll.map(({ label }) => label) ?? [];
    assert.deepEqual(labels.slice(0, 2), ['I will come', 'Never']);
  });

  it('end with the next delivery to a person', async () => {
    const people = chats().slice(2);
    const first = await sent({}, people);
    const next = await sent({}, people);
    await find(first.id);
    const ofFirst = page.last('summary')?.total;
    assert.ok(ofFirst && ofFirst <= people.length);
    await find(next.id);
    assert.ok((page.last('summary')?.total ?? 0) <= people.length);
  });

  it('say of each chat why it can’t be read, and are read on', async () => {
    const { id } = await sent();
    const [group] = chats();
    const msg = `群(ID:${group?.id})中未添加当前机器人(ID: ${BOT})。`;
    service.instead = async ({ url }) =>
      url.includes(`chat-id=${group?.id}`) ? Response.json({ code: -1, msg }) : undefined;
    await find(id);
    assert.equal(count('failed'), 1);
    await page.list(9, { ...ALL, states: ['failed'] });
    const [row] = page.last('list')?.rows ?? [];
    assert.ok(row?.type === 'chat' && row.error.includes('-1') && row.error.includes(msg));
  });

  it('say of a chat with answers that it can’t be read any more', async () => {
    const { id } = await sent();
    await find(id);
    const answered = page.last('list')?.rows[0] ?? assert.fail();
    const before = page.last('summary');
    service.instead = async ({ url }) =>
      url.includes(`chat-id=${answered.id}`) ? Response.json({ code: -1, msg: '消息不存在' }) : undefined;
    await page.ask({ type: 'act', action: 'find' }, 'changed');
    // Nothing else says that there's another list.
    assert.deepEqual({ ...page.last('summary'), doneAt: 0, run: 0 }, { ...before, doneAt: 0, run: 0 });
    const [{ at, row } = assert.fail()] = page.last('changed')?.rows ?? [];
    assert.ok(at === 0 && row.type === 'chat' && row.state === 'answered' && row.error.includes('消息不存在'));
    service.instead = () => undefined;
    await page.ask({ type: 'act', action: 'find' }, 'changed');
    assert.deepEqual(page.last('changed')?.rows, [{ at, row: answered }]);
  });

  it('are read again every minute only while the page is seen, in a window with the focus', async () => {
    const { id } = await sent();
    await find(id);
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
    page.send({ type: 'act', action: 'watch' });
    await settled();
    await reads(60_000);
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

  it('stop being read when the panel is closed', async () => {
    const { id } = await sent();
    service.instead = async () => {
      page.close();
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
      if (++opened === 2) page.close();
      return reported.call(open.controller, one);
    };
    await panels.find(id);
    assert.equal(opened, 2);
    assert.deepEqual(service.requests, []);
  });

  it('open the history at an answer, or at the delivered message', async () => {
    const { id } = await sent();
    await find(id);
    const reply = page.last('list')?.rows.find((row) => row.type === 'reply') ?? assert.fail();
    assert.ok(reply.type === 'reply');
    const chat = { kind: reply.kind, id: reply.id };
    const place = { ...chat, service: (await open.connection.open()).address, botId: BOT };
    page.send({ type: 'openChat', chat, msgId: reply.message.msgId });
    while (open.ran.length === 0) await settled();
    assert.deepEqual(open.ran, [['openMessage', { ...place, msgId: reply.message.msgId }]]);
  });

  it('can be copied as CSV', async () => {
    const { id } = await sent();
    await find(id);
    await env.clipboard.writeText('');
    await page.ask({ type: 'act', action: 'copyCsv' }, 'copied');
    const text = await env.clipboard.readText();
    const [head, ...lines] = text.trim().split('\r\n');
    assert.match(head ?? '', /^"Recipient","Type","ID","Answer","Sender",/);
    assert.equal(lines.length, (page.last('summary')?.total ?? 0) + (count('unanswered') ?? 0));
  });

  it('lead to a new message to those without an answer, which names the delivery', async () => {
    const { id, message } = await sent();
    await find(id);
    page.send({ type: 'act', action: 'remindUnanswered' });
    while (!window.activeTextEditor) await settled();
    const text = window.activeTextEditor.document.getText();
    const sentLines = 'text' in message.content ? message.content.text.split('\n') : [];
    const quoted = sentLines.map((line) => `  # > ${line}`.trimEnd());
    const begin = ['---', 'chat:', '  # Reminds of this message:', ...quoted, `  follows: "${id}"`, ''];
    assert.ok(text.startsWith(begin.join('\n')), text);
    const unanswered = page
      .last('list')
      ?.rows.flatMap((row) => (row.type === 'chat' && row.state === 'unanswered' ? [row.id] : []));
    assert.deepEqual([...text.matchAll(/^ {4}- "(\w+)"/gm)].map(([, one]) => one).sort(), unanswered?.sort());
  });

  it('say that the delivery is gone', async () => {
    const { id } = await sent();
    await find(id);
    await open.outbox.remove(id);
    await page.ask({ type: 'retry' }, 'failed');
    assert.match(page.last('failed')?.text ?? '', /no longer in the outbox/);
    // In place of each list, too: a dialog would come back with each letter that is typed.
    const shown = onMessages();
    await page.ask({ type: 'list', list: 2, query: { ...ALL, text: 'x' } }, 'failed');
    assert.match(page.last('failed')?.text ?? '', /no longer in the outbox/);
    assert.equal(page.last('failed')?.list, 2);
    assert.deepEqual(shown, []);
  });
});

class TestPage extends PanelPage<ToRepliesPage, FromRepliesPage> {
  constructor(title?: string) {
    super(ToRepliesPage, title);
  }

  list(list: number, query = ALL): Promise<void> {
    return this.ask({ type: 'list', list, query }, 'list');
  }
}
