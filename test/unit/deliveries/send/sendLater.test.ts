import assert from 'node:assert/strict';
import test from 'node:test';
import { TabInputText, Uri, window, workspace } from 'vscode';
import { type Draft, DraftReader } from '../../../../src/deliveries/draft/draftReader.ts';
import { NO_RULES } from '../../../../src/deliveries/draft/leaveOut.ts';
import type { OutboxController } from '../../../../src/deliveries/outbox/outboxController.ts';
import { DraftSender } from '../../../../src/deliveries/send/draftSender.ts';
import type { Host } from '../../../../src/platform/host.ts';
import { formatDateTime, formatShortTime } from '../../../../src/presentation/formats.ts';
import { answer, onLists, onMessages, onModals, onPicker, restore } from '../../answers.ts';
import { useService } from '../../test-service.ts';
import { closeDocuments } from '../../vscode-editors.ts';
import { atRest } from '../outbox/testDeliveries.ts';
import { openOutbox } from '../outbox/testOutbox.ts';

const BOT = '30481126';

const GROUP = '518204736';

const DRAFT: Draft = {
  name: 'hello.md',
  message: { contentType: 'markdown', content: { text: '# Hello' } },
  chats: [{ kind: 'group', id: GROUP }],
  rules: NO_RULES,
};

describe('Sending later', () => {
  const service = useService({ 'service.callsPerSecond': 1000 });
  let open: Awaited<ReturnType<typeof openOutbox>>;
  let host: Host;
  let controller: OutboxController;
  let sender: DraftSender;

  beforeEach(async () => {
    open = await openOutbox(service);
    ({ host, controller } = open);
    sender = new DraftSender(host, controller, new DraftReader(host));
  });
  afterEach(async () => {
    restore();
    service.instead = () => undefined;
    closeDocuments();
    await open.close();
  });

  const sends = () => service.requests.filter(({ pathname }) => pathname.endsWith('/batch_send')).length;
  const pick = (start: string | undefined, meanwhile: () => Promise<unknown> = async () => {}) =>
    onPicker(async (items) => {
      await meanwhile();
      return items.find(({ label }) => start !== undefined && label.startsWith(start));
    });
  /** Presses these buttons in modal dialogs, in order. Returns them, and what other messages say. */
  const press = (...buttons: string[]) => {
    const all = onMessages();
    return { all, asked: onModals((_, at) => buttons[at]) };
  };
  /** Answers modal dialogs. Returns what they show. */
  const pressing = (by: string | (() => Promise<string>)) => {
    onMessages();
    return onModals(() => (typeof by === 'string' ? by : by()));
  };
  const scheduled = () => controller.outbox.scheduled();

  it('stores the confirmed message with its time, and says when it will be sent', async () => {
    const { all } = press('Later…');
    pick('In one hour');
    const before = Date.now();
    await sender.sendDraft(DRAFT);
    const [entry] = await scheduled();
    const { due, status } = entry ?? assert.fail();
    assert.ok(due >= before + 3_600_000 && due <= Date.now() + 3_600_000);
    const { id, at, digest, batches, ...rest } = status.delivery;
    const bot = { id: BOT, name: 'Order Desk' };
    const { name, message } = DRAFT;
    assert.deepEqual(rest, { service: service.sandbox.openApiUrl, bot, name, message, due });
    assert.deepEqual(
      status.recipients().map((one) => one.id),
      [GROUP],
    );
    assert.equal(all.at(-1), `Scheduled for ${formatDateTime(due)}: “Hello”. A VS Code window must be open then.`);
    assert.equal(sends(), 0);
  });

  for (const [button, to, isClosed] of [
    ['Later…', GROUP, true],
    ['Send', GROUP, true],
    // What has reached nobody may have to be sent again.
    ['Send', 'nobody', false],
    ['Test…', GROUP, false],
    ['Send', 'deleted', false],
  ] as const)
    it(`closes a document without a file, whose text the outbox has: ${button} to ${to}`, async () => {
      const text = '# Hello';
      const { uri } = await workspace.openTextDocument({ language: 'markdown', content: text });
      const tab = { input: new TabInputText(uri) };
      const closed: unknown[] = [];
      const close = async (tabs: object[]) => closed.push(...tabs);
      answer('tabGroups', { ...window.tabGroups, all: [{ tabs: [tab] }], close } as unknown as typeof window.tabGroups);
      press(button, 'Send to This Chat');
      answer('showQuickPick', (async ([, chat]: unknown[]) => chat) as never);
      service.instead = async ({ url }) => {
        if (to === 'deleted' && url.includes('/batch_send'))
          await workspace.fs.delete(Uri.file(open.folder), { recursive: true });
        return undefined;
      };
      pick('In one hour');
      await sender.sendDraft({ ...DRAFT, document: text, uri: `${uri}` }, [
        { kind: 'group', id: to === 'deleted' ? GROUP : to },
      ]);
      assert.equal((await scheduled()).length, button === 'Later…' ? 1 : 0);
      assert.deepEqual(closed, isClosed ? [tab] : []);
    });

  it('returns to the confirmation if the time passes while it is typed', async () => {
    const { asked, all } = press('Later…');
    pick('Enter');
    answer('showInputBox', (async (options) => {
      // It was last checked two minutes ago.
      const typed = new Date(Date.now() - 60_000);
      const now = test.mock.method(Date, 'now', () => typed.getTime() - 60_000);
      const pad = (number: number) => `${number}`.padStart(2, '0');
      const text = `${pad(typed.getHours())}:${pad(typed.getMinutes())}`;
      options?.validateInput?.(text);
      now.mock.restore();
      return text;
    }) as typeof window.showInputBox);
    await sender.sendDraft(DRAFT);
    assert.equal(asked.length, 2);
    assert.ok(all.includes('This time has passed.'));
    assert.deepEqual(await scheduled(), []);
  });

  describe('a message that is edited', () => {
    const SOURCE = 'file:///hello.md';
    const EDITED: Draft = {
      name: 'hello.md',
      source: SOURCE,
      message: { contentType: 'markdown', content: { text: '# Hello again' } },
      chats: [],
      rules: NO_RULES,
    };
    /** Schedules a message of a document, and begins to edit it. Resolves to its time. */
    const edit = async (changes: Partial<Draft> = { source: SOURCE }) => {
      press('Later…');
      pick('In one hour');
      await sender.sendDraft({ ...DRAFT, ...changes });
      const [entry = assert.fail()] = await scheduled();
      assert.equal(await controller.outbox.beginEdit(entry), true);
      onPicker(() => assert.fail('asked for recipients or a time'));
      return entry;
    };
    const sentOrScheduled = async () =>
      (await controller.outbox.all())
        .map(atRest)
        .map(({ due, status }) => [
          due,
          'text' in status.delivery.message.content && status.delivery.message.content.text,
          status.recipients().map(({ id }) => id),
        ]);

    it('keeps its recipients and its time, and replaces what was scheduled', async () => {
      const { due } = await edit();
      const { asked } = press(`Send at ${formatShortTime(due, Date.now())}`);
      await sender.sendDraft(EDITED);
      assert.deepEqual(
        asked.map(({ message }) => message),
        ['Send “hello.md” as Order Desk to 1 group?'],
      );
      assert.deepEqual(await sentOrScheduled(), [[due, '# Hello again', [GROUP]]]);
      assert.equal(sends(), 0);
    });

    it('can be sent at once instead, to the recipients that its document names now', async () => {
      await edit();
      press('Send');
      await sender.sendDraft({ ...EDITED, chats: [{ kind: 'group', id: 'big' }] });
      assert.deepEqual(await sentOrScheduled(), [[undefined, '# Hello again', ['big']]]);
      assert.equal(sends(), 1);
    });

    it('is sent to nobody whom the user left out of it, unless they are chosen again or nobody else is named', async () => {
      const nobody = { kind: 'group', id: '99999999' } as const;
      const chats = [{ kind: 'group', id: GROUP } as const, nobody];
      press('Leave Out (1)', 'Later…');
      pick('In one hour');
      await sender.sendDraft({ ...DRAFT, source: SOURCE, chats });
      const [entry = assert.fail()] = await scheduled();
      assert.equal(await controller.outbox.beginEdit(entry), true);
      const asked = pressing('Change Recipients…');
      const lists = onLists('escape');
      await sender.sendDraft({ ...EDITED, chats });
      await sender.sendDraft({ ...EDITED, chats: [nobody] });
      assert.deepEqual(
        asked.map(({ message, buttons }) => [message, buttons.some((one) => one.startsWith('Leave Out'))]),
        [
          ['Send “hello.md” as Order Desk to 1 group?', false],
          ['Send “hello.md” as Order Desk to 1 group?', false],
        ],
      );
      assert.deepEqual(
        lists.map(({ ticked }) => ticked.map(({ label }) => label)),
        [['$(organization) Fern & Kettle: the shop team'], ['$(warning) 99999999']],
      );
    });

    it('is sent once, and not asked about, if another window is still sending another version of it', async () => {
      await edit();
      const other: Draft = { ...EDITED, message: { contentType: 'markdown', content: { text: 'Hello at last' } } };
      let end = () => {};
      const begun = new Promise<void>((resolve) => {
        service.instead = ({ url }) => {
          if (!new URL(url).pathname.endsWith('/batch_send')) return undefined;
          service.instead = () => undefined;
          resolve();
          return new Promise((answered) => {
            end = () => answered(undefined);
          });
        };
      });
      let theirs: Promise<void> | undefined;
      pressing(async () => {
        if (theirs) return 'Send';
        theirs = sender.sendDraft(other);
        await begun;
        assert.deepEqual(await controller.outbox.edited(), []);
        return 'Send';
      });
      await assert.rejects(sender.sendDraft(EDITED), /no longer in the outbox/);
      end();
      await theirs;
      assert.deepEqual(await sentOrScheduled(), [[undefined, 'Hello at last', [GROUP]]]);
    });

    it('begins at its time if the user chooses another one', async () => {
      const { due } = await edit();
      press('Later…');
      onPicker(async ([first]) => {
        assert.equal(first?.description, `scheduled for ${formatDateTime(due)}`);
        return undefined;
      });
      await sender.sendDraft(EDITED);
    });

    it('stays as it is if the user cancels, or sends the document to other chats', async () => {
      const { status } = await edit();
      press();
      await sender.sendDraft(EDITED);
      press('Send');
      await sender.sendDraft(EDITED, [{ kind: 'group', id: 'big' }]);
      const entry = atRest(await controller.entry(status.delivery.id));
      assert.deepEqual([entry.editedDue !== undefined, sends()], [true, 1]);
    });
  });

  it('warns that another version of an open document without a file is scheduled', async () => {
    const untitled = { uri: 'untitled:Untitled-1' };
    press('Later…');
    pick('In one hour');
    await sender.sendDraft({ ...DRAFT, ...untitled });
    const [entry = assert.fail()] = await scheduled();
    const asked = pressing('Cancel');
    const changed: Draft = { ...DRAFT, message: { contentType: 'markdown', content: { text: '# Hello again' } } };
    await sender.sendDraft({ ...changed, ...untitled });
    await sender.sendDraft({ ...changed, uri: 'untitled:Untitled-2' });
    assert.deepEqual(
      asked.map(({ detail }) => detail.includes('Another version of this document is scheduled')),
      [true, false],
    );
    const from = await controller.scheduledFrom(untitled, await open.connection.open());
    assert.equal(from?.status.delivery.id, entry.status.delivery.id);
  });
});
