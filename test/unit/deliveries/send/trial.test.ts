import assert from 'node:assert/strict';
import { type QuickPickItem, QuickPickItemKind } from 'vscode';
import type { Chat } from '../../../../src/service/model.ts';
import { type } from '../../answers.ts';
import { draftOf } from './testJourney.ts';
import { onChoice, useSending } from './testSending.ts';

const SHOP: Chat = { kind: 'group', id: '518204736' };

const TOWN: Chat = { kind: 'group', id: 'big' };

const ALICE: Chat = { kind: 'user', id: '7058314' };

/** Takes no messages of bots. */
const NORA: Chat = { kind: 'user', id: '7850437' };

/** The buttons that send to one chat first, and to that which was chosen. */
const TRY = ['Test…', 'Send to This Chat'] as const;

describe('Sending to one chat first', () => {
  const sending = useSending({ groups: ['524317890'], people: [ALICE.id, NORA.id] });
  let lists: (readonly QuickPickItem[])[];

  /** Chooses the item with this text in each list, or presses Escape for `undefined`. */
  const choose = (...texts: (string | undefined)[]) => {
    lists = [];
    onChoice((items, at) => {
      lists.push(items);
      const text = texts[at];
      return text === undefined ? text : items.find((one) => `${one.label} ${one.description}`.includes(text));
    });
  };
  const send = (...chats: Chat[]) => sending.sender.sendDraft(draftOf('Hi'), chats);
  const labels = () =>
    lists.at(-1)?.map(({ label, kind }) => (kind === QuickPickItemKind.Separator ? `— ${label}` : label));
  const notesOf = (asked: readonly { detail: string }[]) =>
    asked.map(({ detail }) =>
      (detail.match(/^[⚠✓] .*/gm) ?? []).map((note) => note.replace(/: [A-Z].. \d.*/, ': TIME')),
    );

  it('asks for a chat and a confirmation of its own, and returns to the same confirmation with the result', async () => {
    const asked = sending.press(...TRY, 'Send');
    choose(SHOP.id);
    await send(SHOP, TOWN);
    assert.deepEqual(
      asked.map(({ detail }) => detail.match(/^• .*/gm)),
      [
        ['• Fern & Kettle: the shop team (518204736)', '• Riverside Town 河畔小镇 (big)'],
        ['• Fern & Kettle: the shop team (518204736) · 342 members'],
        ['• Fern & Kettle: the shop team (518204736)', '• Riverside Town 河畔小镇 (big)'],
      ],
    );
    const large = '⚠ Large number of members: 182,340, in Riverside Town 河畔小镇.';
    assert.deepEqual(notesOf(asked), [
      [large],
      [],
      [
        '✓ Tested with Fern & Kettle: the shop team (518204736): reached.',
        '⚠ This message was already sent to Fern & Kettle: the shop team (518204736): TIME',
        large,
      ],
    ]);
    assert.deepEqual(sending.sentTo, [SHOP.id, SHOP.id, TOWN.id]);
    const isTest = (await sending.open.outbox.all()).map(({ status }) => status.delivery.isTest);
    assert.deepEqual(isTest, [undefined, true]);
  });

  it('asks again if the same message was sent meanwhile', async () => {
    choose(SHOP.id);
    const asked = sending.press(
      'Test…',
      async () => {
        await send(SHOP);
        return 'Send to This Chat';
      },
      'Send',
    );
    await send(SHOP, TOWN);
    assert.deepEqual(notesOf(asked)[3], [
      '⚠ This message was already sent to Fern & Kettle: the shop team (518204736): TIME',
    ]);
    assert.deepEqual([asked.length, sending.sentTo], [5, [SHOP.id]]);
  });

  it('offers the recipients first, then the other chats of the sidebar', async () => {
    sending.press('Test…');
    choose(undefined);
    await send(TOWN, ALICE);
    assert.deepEqual(labels(), [
      '— Recipients',
      '$(organization) Riverside Town 河畔小镇',
      '$(account) Alice Fernhollow',
      '— Groups',
      '$(organization) 524317890',
      '— People',
      `$(account) ${NORA.id}`,
      '— ',
      '$(clippy) Paste an ID…',
    ]);
  });

  it('offers the last test chat of this service first, once', async () => {
    sending.press(...TRY, 'Test…');
    choose(ALICE.id, undefined);
    await send(TOWN);
    const alice = ['— Last Test Chat', '$(account) Alice Fernhollow'];
    const town = ['— Recipients', '$(organization) Riverside Town 河畔小镇'];
    assert.deepEqual(labels()?.slice(0, 5), [...alice, ...town, '— Groups']);
    assert.equal(labels()?.filter((label) => label === alice[1]).length, 1);
    // It may be a recipient, too, or the only one.
    for (const [chats, shown] of [
      [
        [TOWN, ALICE],
        [...alice, ...town, '— Groups'],
      ],
      [[ALICE], [...alice, '— Groups']],
    ] as const) {
      sending.press('Test…');
      choose(undefined);
      await send(...chats);
      assert.deepEqual(labels()?.slice(0, shown.length), shown);
    }
  });

  it('accepts a pasted ID, and offers several to choose from', async () => {
    sending.press(...TRY);
    choose('Paste', 'Paste', '531048827');
    type('531048827 7102649', '531048827 7102649');
    await send(TOWN);
    assert.equal(lists[2]?.filter(({ description }) => /531048827|7102649/.test(description ?? '')).length, 2);
    sending.press(...TRY);
    choose('Paste');
    type('7102649');
    await send(TOWN);
    assert.deepEqual(sending.sentTo, ['531048827', '7102649']);
  });

  it('says if the chat wasn’t reached, and shows all results in order', async () => {
    const asked = sending.press(...TRY, ...TRY);
    choose(NORA.id, ALICE.id);
    await send(SHOP, TOWN);
    const [, first, , second, last] = notesOf(asked);
    assert.match(last?.[0] ?? '', /^⚠ Tested with Nora Quietwood .* \(7850437\): not confirmed\. The service didn't /);
    assert.equal(last?.[1], '✓ Tested with Alice Fernhollow (7058314): reached.');
    // The question of a trial doesn't have the results of others.
    assert.deepEqual([first, second], [[], []]);
  });

  it('keeps the recipients if the delivery can’t be stored', async () => {
    const asked = sending.press(...TRY);
    choose(TOWN.id);
    sending.open.outbox.start = async () => {
      throw new Error('disk\n\nTo: full');
    };
    await send(SHOP, TOWN);
    assert.equal(
      notesOf(asked)[2]?.[0],
      '⚠ Tested with Riverside Town 河畔小镇 (big): not sent. Something went wrong: disk To: full',
    );
    assert.equal(asked[2]?.message, asked[0]?.message);
  });
});
