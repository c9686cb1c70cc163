import assert from 'node:assert/strict';
import { type QuickPickItem, QuickPickItemKind, type window } from 'vscode';
import { DraftReader } from '../../../../src/deliveries/draft/draftReader.ts';
import { NO_RULES } from '../../../../src/deliveries/draft/leaveOut.ts';
import { DraftSender } from '../../../../src/deliveries/send/draftSender.ts';
import type { Chat } from '../../../../src/service/model.ts';
import { answer, type Modal, onMessages, onModals, restore, type } from '../../answers.ts';
import { useService } from '../../test-service.ts';
import { openOutbox } from '../outbox/testOutbox.ts';

const BOT = '30481126';

const SHOP: Chat = { kind: 'group', id: '518204736' };

const TOWN: Chat = { kind: 'group', id: 'big' };

const ALICE = '7058314';

const REFUSING = '7850437';

const FIRST = 'Test…';

const THIS_CHAT = 'Send to This Chat';

describe('Sending to one chat first', () => {
  const service = useService({ groups: ['524317890'], people: [ALICE, REFUSING], 'service.callsPerSecond': 1000 });
  let open: Awaited<ReturnType<typeof openOutbox>>;
  let sender: DraftSender;
  let dialogs: Modal[];
  let lists: readonly QuickPickItem[][];

  beforeEach(async () => {
    open = await openOutbox(service);
    open.controller.entryFor = () => assert.fail('nothing is resent');
    sender = new DraftSender(open.host, open.controller, new DraftReader(open.host));
    onMessages();
  });

  afterEach(() => {
    restore();
    service.instead = () => undefined;
    return open.close();
  });

  /** Presses these buttons in the dialogs, one after the other, then Escape. */
  const press = (...buttons: string[]) => {
    dialogs = onModals((_, at) => buttons[at]);
  };
  /** Chooses the item with this text in each list, or presses Escape for `undefined`. */
  const choose = (...texts: (string | undefined)[]) => {
    const shown: QuickPickItem[][] = [];
    lists = shown;
    answer('showQuickPick', (async (items: QuickPickItem[]) => {
      const text = texts[shown.push(items) - 1];
      return text && items.find((item) => `${item.label} ${item.description}`.includes(text));
    }) as unknown as typeof window.showQuickPick);
  };
  const send = (...chats: Chat[]) =>
    sender.sendDraft(
      { name: 'a.md', message: { contentType: 'text', content: { text: 'Hi' } }, chats: [], rules: NO_RULES },
      chats,
    );
  const titles = () => dialogs.map(({ message }) => message);
  const notes = () => dialogs.map(({ detail }) => (detail.match(/^[⚠✓] .*/gm) ?? []).map(withoutTime));
  const withoutTime = (note: string) => note.replace(/: [A-Z][a-z]{2} \d.*/, ': TIME');
  const sentTo = async () =>
    (await open.outbox.all())
      .map(({ status }) =>
        status
          .recipients()
          .map(({ id }) => id)
          .join(),
      )
      .reverse();

  it('asks for a chat and a confirmation of its own, and returns to the same confirmation with the result', async () => {
    press(FIRST, THIS_CHAT, 'Send');
    choose('518204736');
    await send(SHOP, TOWN);
    const whole = 'Send “a.md” as Order Desk to 2 groups?';
    assert.deepEqual(titles(), [whole, 'Send “a.md” as Order Desk to Fern & Kettle: the shop team first?', whole]);
    assert.equal(
      dialogs[1]?.detail,
      [
        `Bot: Order Desk (${BOT})\nService: ${service.sandbox.openApiUrl}`,
        'To:\n• Fern & Kettle: the shop team (518204736) · 342 members',
        'Text, 2 characters:\n│ Hi',
      ].join('\n\n'),
    );
    const large = '⚠ Large number of members: 182,340, in Riverside Town 河畔小镇.';
    assert.deepEqual(notes(), [
      [large],
      [],
      [
        '✓ Tested with Fern & Kettle: the shop team (518204736): reached.',
        '⚠ This message was already sent to Fern & Kettle: the shop team (518204736): TIME',
        large,
      ],
    ]);
    assert.deepEqual(await sentTo(), ['518204736', '518204736,big']);
    const isTest = (await open.outbox.all()).map(({ status }) => status.delivery.isTest);
    assert.deepEqual(isTest, [undefined, true]);
  });

  it('asks again if the same message was sent meanwhile', async () => {
    choose('518204736');
    dialogs = onModals(async (_, at) => {
      if (at === 1) await send(SHOP);
      return [FIRST, THIS_CHAT, 'Send'][at];
    });
    await send(SHOP, TOWN);
    assert.deepEqual(
      titles().map((title) => title.endsWith('first?')),
      [false, true, false, true, false],
    );
    assert.deepEqual(notes()[3], ['⚠ This message was already sent to Fern & Kettle: the shop team (518204736): TIME']);
    assert.deepEqual(await sentTo(), ['518204736']);
  });

  it('offers the recipients first, then the other chats of the sidebar', async () => {
    press(FIRST);
    choose(undefined);
    await send(TOWN, { kind: 'user', id: ALICE });
    const shown = lists[0]?.map(({ label, kind }) => (kind === QuickPickItemKind.Separator ? `— ${label}` : label));
    assert.deepEqual(shown, [
      '— Recipients',
      '$(organization) Riverside Town 河畔小镇',
      '$(account) Alice Fernhollow',
      '— Groups',
      '$(organization) 524317890',
      '— People',
      `$(account) ${REFUSING}`,
      '— ',
      '$(clippy) Paste an ID…',
    ]);
  });

  it('offers the last test chat of this service first, once', async () => {
    press(FIRST, THIS_CHAT, FIRST);
    choose(ALICE, undefined);
    await send(TOWN);
    const offered = () => lists.at(-1)?.map(({ label }) => label);
    const others = [
      'Groups',
      '$(organization) 524317890',
      'People',
      `$(account) ${REFUSING}`,
      '',
      '$(clippy) Paste an ID…',
    ];
    const alice = ['Last Test Chat', '$(account) Alice Fernhollow'];
    assert.deepEqual(offered(), [...alice, 'Recipients', '$(organization) Riverside Town 河畔小镇', ...others]);
    // It may be a recipient, too, or the only one.
    press(FIRST);
    choose(undefined);
    await send({ kind: 'user', id: ALICE });
    assert.deepEqual(offered(), [...alice, ...others]);
  });

  it('accepts a pasted ID, and offers several to choose from', async () => {
    press(FIRST, THIS_CHAT);
    choose('Paste', 'Paste', '531048827');
    const boxes = type('531048827 7102649', '531048827 7102649');
    await send(TOWN);
    assert.equal(boxes[0]?.value, '');
    assert.deepEqual(lists[2]?.filter(({ description }) => /531048827|7102649/.test(description ?? '')).length, 2);
    assert.deepEqual(await sentTo(), ['531048827']);
    restore();
    onMessages();
    press(FIRST, THIS_CHAT);
    choose('Paste');
    type('7102649');
    await send(TOWN);
    assert.deepEqual(await sentTo(), ['531048827', '7102649']);
  });

  it('says if the chat wasn’t reached, and shows all results in order', async () => {
    press(FIRST, THIS_CHAT, FIRST, THIS_CHAT);
    choose(REFUSING, ALICE);
    await send(SHOP, TOWN);
    assert.deepEqual(notes().at(-1)?.slice(0, 2), [
      `⚠ Tested with Nora Quietwood (no bots, please) (${REFUSING}): not confirmed. The service didn't confirm delivery to this recipient, who may have the message.`,
      `✓ Tested with Alice Fernhollow (${ALICE}): reached.`,
    ]);
    // The second trial's own question doesn't have the first one's result.
    assert.doesNotMatch(dialogs.filter(({ message }) => message.endsWith('first?')).at(-1)?.detail ?? '', /Tested/);
  });

  it('keeps the recipients if the delivery can’t be stored', async () => {
    press(FIRST, THIS_CHAT);
    choose('big');
    open.outbox.start = async () => {
      throw new Error('disk\n\nTo: full');
    };
    await send(SHOP, TOWN);
    assert.deepEqual(notes().at(-1)?.slice(0, 1), [
      '⚠ Tested with Riverside Town 河畔小镇 (big): not sent. Something went wrong: disk To: full',
    ]);
    assert.equal(titles().at(-1), titles()[0]);
  });
});
