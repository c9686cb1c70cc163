import assert from 'node:assert/strict';
import { TabInputText, Uri, window, workspace } from 'vscode';
import type { Draft } from '../../../../src/deliveries/draft/draftReader.ts';
import { scheduledText } from '../../../../src/deliveries/outbox/deliveryTexts.ts';
import { formatDateTime, formatShortTime } from '../../../../src/presentation/formats.ts';
import { answer, onLists, onPicker } from '../../answers.ts';
import { deferred } from '../../deferred.ts';
import { AT, BOT } from '../outbox/testDeliveries.ts';
import { draftOf } from './testJourney.ts';
import { onChoice, useSending } from './testSending.ts';

const SHOP = { kind: 'group', id: '518204736' } as const;

const TOWN = { kind: 'group', id: 'big' } as const;

const MINUTE = 60_000;

/** In an hour. */
const DUE = AT + 60 * MINUTE;

const DRAFT = draftOf('# Hello', { chats: [SHOP] });

describe('Sending later', () => {
  const sending = useSending();

  const pick = (start: string) => onPicker(async (items) => items.find(({ label }) => label.startsWith(start)));
  /** Schedules a draft in an hour. */
  async function schedule(draft: Draft, ...before: string[]) {
    sending.press(...before, 'Later…');
    pick('In one hour');
    await sending.sender.sendDraft(draft);
    return sending.scheduled();
  }

  it('stores the confirmed message with its time, and says when it will be sent', async () => {
    const { due, status } = await schedule(DRAFT);
    assert.equal(due, DUE);
    const { id, at, digest, batches, ...rest } = status.delivery;
    const bot = { id: BOT, name: 'Order Desk' };
    const { name, message } = DRAFT;
    assert.deepEqual(rest, { service: sending.service.sandbox.openApiUrl, bot, name, message, due });
    assert.deepEqual(
      status.recipients().map((one) => one.id),
      [SHOP.id],
    );
    assert.deepEqual(sending.said, [scheduledText(status.delivery, due)]);
    assert.deepEqual(sending.calls, []);
  });

  it('offers to change the time once it is scheduled', async () => {
    sending.press('Later…');
    pick('In one hour');
    answer('showInformationMessage', (async (_: string, ...buttons: string[]) =>
      buttons.find((one) => one === 'Change Time…')) as never);
    await sending.sender.sendDraft(DRAFT);
    const { id } = (await sending.scheduled()).status.delivery;
    assert.deepEqual(sending.open.ran, [['rescheduleDelivery', id]]);
  });

  for (const [button, to, isClosed] of [
    ['Later…', SHOP.id, true],
    ['Send', SHOP.id, true],
    // What has reached nobody may have to be sent again.
    ['Send', 'nobody', false],
    ['Test…', SHOP.id, false],
    ['Send', 'deleted', false],
  ] as const)
    it(`closes a document without a file, whose text the outbox has: ${button} to ${to}`, async () => {
      const text = '# Hello';
      const { uri } = await workspace.openTextDocument({ language: 'markdown', content: text });
      const tab = { input: new TabInputText(uri) };
      const closed: unknown[] = [];
      const close = async (tabs: object[]) => closed.push(...tabs);
      answer('tabGroups', { ...window.tabGroups, all: [{ tabs: [tab] }], close } as unknown as typeof window.tabGroups);
      sending.press(button, 'Send to This Chat');
      onChoice(([, chat]) => chat);
      pick('In one hour');
      sending.answerCall = async () => {
        if (to === 'deleted') await workspace.fs.delete(Uri.file(sending.open.folder), { recursive: true });
        return undefined;
      };
      const id = to === 'deleted' ? SHOP.id : to;
      await sending.sender.sendDraft({ ...DRAFT, document: text, uri: `${uri}` }, [{ kind: 'group', id }]);
      assert.equal((await sending.open.outbox.scheduled()).length, button === 'Later…' ? 1 : 0);
      assert.deepEqual(closed, isClosed ? [tab] : []);
    });

  it('returns to the confirmation if the time passes while it is typed', async () => {
    const asked = sending.press('Later…');
    pick('Enter');
    answer('showInputBox', (async (options) => {
      const inAMinute = new Date(AT + MINUTE).toTimeString().slice(0, 5);
      options?.validateInput?.(inAMinute);
      sending.clock.now += 2 * MINUTE;
      return inAMinute;
    }) as typeof window.showInputBox);
    await sending.sender.sendDraft(DRAFT);
    assert.equal(asked.length, 2);
    assert.deepEqual(sending.said, ['This time has passed.']);
    assert.deepEqual(await sending.open.outbox.scheduled(), []);
  });

  describe('a message that is edited', () => {
    const source = 'file:///hello.md';
    const EDITED = draftOf('# Hello again', { source });
    /** Schedules a message of a document, and begins to edit it. */
    const edit = async (draft = { ...DRAFT, source }, ...before: string[]) => {
      const entry = await schedule(draft, ...before);
      assert.equal(await sending.open.outbox.beginEdit(entry), true);
      onPicker(() => assert.fail('asked for recipients or a time'));
      return entry;
    };
    const scheduled = async () =>
      (await sending.open.outbox.scheduled()).map(({ due, status }) => [
        due,
        status.delivery.message,
        status.recipients().map(({ id }) => id),
      ]);

    it('keeps its recipients and its time, and replaces what was scheduled', async () => {
      await edit();
      const asked = sending.press(`Send at ${formatShortTime(DUE, AT)}`);
      await sending.sender.sendDraft(EDITED);
      assert.deepEqual(await scheduled(), [[DUE, EDITED.message, [SHOP.id]]]);
      assert.equal((await sending.open.outbox.all()).length, 1);
      assert.deepEqual([asked.length, sending.calls], [1, []]);
    });

    it('can be sent at once instead, to the recipients that its document names now', async () => {
      await edit();
      sending.press('Send');
      await sending.sender.sendDraft({ ...EDITED, chats: [TOWN] });
      assert.deepEqual([sending.sentTo, await scheduled()], [[TOWN.id], []]);
      assert.equal(sending.calls[0]?.content.text, '# Hello again');
    });

    it('is sent to nobody whom the user left out of it, unless they are chosen again or nobody else is named', async () => {
      const nobody = { kind: 'group', id: '99999999' } as const;
      const chats = [SHOP, nobody];
      await edit({ ...DRAFT, source, chats }, 'Leave Out (1)');
      const lists = onLists('escape');
      for (const [named, ticked] of [
        [chats, 'Fern & Kettle: the shop team'],
        [[nobody], nobody.id],
      ] as const) {
        lists.splice(0);
        const asked = sending.press('Change Recipients…');
        await sending.sender.sendDraft({ ...EDITED, chats: named });
        assert.equal(asked[0]?.detail.match(/^• /gm)?.length, 1);
        assert.ok(!asked[0]?.buttons.some((one) => one.startsWith('Leave Out')));
        assert.deepEqual(
          lists[0]?.ticked.map(({ label }) => label.replace(/^\S+ /, '')),
          [ticked],
        );
      }
    });

    it('is sent once, and not asked about, if another window is still sending another version of it', async () => {
      await edit();
      const call = deferred<void>();
      const answered = deferred<undefined>();
      sending.answerCall = () => {
        call.resolve();
        return answered.promise;
      };
      let theirs: Promise<void> | undefined;
      sending.press(async () => {
        theirs = sending.sender.sendDraft({ ...EDITED, message: draftOf('Hello at last').message });
        await call.promise;
        assert.deepEqual(await sending.open.outbox.edited(), []);
        return 'Send';
      }, 'Send');
      await assert.rejects(sending.sender.sendDraft(EDITED), /no longer in the outbox/);
      answered.resolve(undefined);
      await theirs;
      assert.deepEqual(
        sending.calls.map(({ content }) => content.text),
        ['Hello at last'],
      );
    });

    it('begins at its time if the user chooses another one', async () => {
      await edit();
      sending.press('Later…');
      let first: string | undefined;
      onPicker(async ([item]) => {
        first = item?.description;
        return undefined;
      });
      await sending.sender.sendDraft(EDITED);
      assert.equal(first, `scheduled for ${formatDateTime(DUE)}`);
    });

    it('stays as it is if the user cancels, or sends the document to other chats', async () => {
      const { status } = await edit();
      sending.press();
      await sending.sender.sendDraft(EDITED);
      sending.press('Send');
      await sending.sender.sendDraft(EDITED, [TOWN]);
      const edited = await sending.open.outbox.edited();
      assert.deepEqual(
        edited.map((one) => one.status.delivery.id),
        [status.delivery.id],
      );
      assert.deepEqual(sending.sentTo, [TOWN.id]);
    });
  });

  it('warns that another version of an open document without a file is scheduled', async () => {
    const uri = 'untitled:Untitled-1';
    const { status } = await schedule({ ...DRAFT, uri });
    const asked = sending.press();
    const changed = draftOf('# Hello again', { chats: [SHOP] });
    for (const one of [uri, 'untitled:Untitled-2']) await sending.sender.sendDraft({ ...changed, uri: one });
    assert.deepEqual(
      asked.map(({ detail }) => detail.includes('Another version of this document is scheduled')),
      [true, false],
    );
    const { controller, connection } = sending.open;
    const from = await controller.scheduledFrom({ uri }, await connection.open());
    assert.equal(from?.status.delivery.id, status.delivery.id);
  });
});
