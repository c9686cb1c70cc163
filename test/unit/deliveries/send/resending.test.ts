import assert from 'node:assert/strict';
import test from 'node:test';
import { type TextDocument, workspace } from 'vscode';
import type { Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import type { Kind } from '../../../../src/service/model.ts';
import { onMessages, onModals } from '../../answers.ts';
import { configure } from '../../test-service.ts';
import { withoutDelays } from '../../withoutDelays.ts';
import { planBatches } from '../outbox/testDeliveries.ts';
import { RECIPIENTS } from '../outbox/testOutbox.ts';
import { useSending } from './testSending.ts';

describe('A delivery that did not reach everyone', () => {
  const sending = useSending();
  withoutDelays();

  const resend = (id: string, how?: { looksUp: boolean }) => sending.sender.resend(id, how);

  it('resends to unreached recipients only, after a confirmation that warns of duplicates', async () => {
    const { delivery } = await sending.open.deliver();
    sending.calls = [];
    const asked = sending.press('Resend');
    await resend(delivery.id);
    assert.match(asked[0]?.detail ?? '', /^⚠ 1 recipient may already have this message/);
    assert.deepEqual(sending.sentTo, ['7850437']);
    assert.equal((await sending.last()).status.delivery.resends, delivery.id);
  });

  it('resends what was sent, and says if the document has changed since, which it can be compared with', async () => {
    const source = 'file:///a.md';
    const { delivery } = await sending.open.deliver({ source, document: 'Hello (1)' });
    let now: string | undefined;
    test.mock.method(workspace, 'openTextDocument', async () => {
      if (now === undefined) throw new Error('deleted');
      return { getText: () => now } as TextDocument;
    });
    for (const [text, isChanged] of [
      [undefined, false],
      ['Hello (1)', false],
      ['Hello (1)\r\n', false],
      ['---\nchat:\n  groups: [big]\n---\nHello (1)', false],
      ['Hello (2)', true],
    ] as const) {
      now = text;
      const asked = sending.press();
      await resend(delivery.id);
      const { detail = '', buttons } = asked[0] ?? {};
      assert.equal(detail.includes('The document has changed since this delivery.'), isChanged, text);
      const offered = ['Check Delivery', 'Resend', 'Change Recipients…'];
      assert.deepEqual(buttons, isChanged ? [...offered, 'Compare'] : offered);
      // Another version that was sent meanwhile doesn't matter.
      await sending.open.deliver({ source, document: 'Hello (3)', digest: 'other' });
    }
    sending.press('Compare');
    await resend(delivery.id);
    assert.deepEqual(sending.open.ran, [['compareWithSent', delivery.id]]);
    sending.press('Resend');
    await resend(delivery.id);
    const again = (await sending.last()).status.delivery;
    assert.deepEqual([again.resends, again.document], [delivery.id, 'Hello (1)']);
  });

  it('checks who has the message instead, which the first button is for', async () => {
    const { delivery } = await sending.open.deliver();
    sending.calls = [];
    onModals(({ buttons }) => buttons[0]);
    await resend(delivery.id);
    assert.deepEqual([sending.calls, sending.open.ran], [[], [['checkDelivery', delivery.id]]]);
  });

  describe('and of whom some don’t exist', () => {
    const nobody: Recipient = { kind: 'user', id: '9990001', name: '9990001' };

    for (const [how, find] of [
      [
        'a check has found that, even long ago,',
        async (id: string) => {
          await sending.open.controller.check(id);
          test.mock.method((await sending.open.connection.open()).directory, 'has', () => false);
        },
      ],
      [
        'they were looked up',
        async () => {
          const { directory } = await sending.open.connection.open();
          await assert.rejects(directory.get('user', nobody.id));
        },
      ],
    ] as const)
      it(`is resent to the others once ${how}, until they are found`, async () => {
        const { delivery } = await sending.open.deliver({ batches: planBatches([...RECIPIENTS, nobody], 1) });
        sending.open.untilListed();
        await find(delivery.id);
        sending.calls = [];
        const asked = sending.press('Resend');
        await resend(delivery.id);
        assert.match(asked[0]?.detail ?? '', /^⊘ Left out, .* \(1\): 9990001\n/);
        assert.deepEqual(sending.sentTo, ['7850437']);
        const { directory } = await sending.open.connection.open();
        const found = await directory.get('user', '7850437');
        const peek = directory.peek.bind(directory);
        test.mock.method(directory, 'peek', (kind: Kind, id: string) => (id === nobody.id ? found : peek(kind, id)));
        sending.press('Resend');
        await resend(delivery.id);
        assert.deepEqual(sending.sentTo.slice(1), ['7850437', nobody.id]);
      });

    it('is resent to nobody if the others are on the Do Not Send list', async () => {
      const { delivery } = await sending.open.deliver({ batches: planBatches([...RECIPIENTS, nobody], 1) });
      await sending.open.controller.check(delivery.id);
      await configure({ 'sending.never': { people: ['7850437'] } });
      try {
        await assert.rejects(resend(delivery.id), /everyone is left out\..*Do Not Send.*didn't exist \(1\): 9990001/);
      } finally {
        await configure({ 'sending.never': undefined });
      }
    });

    for (const [told, ...others] of [
      ["The recipient who wasn't reached doesn't exist."],
      ["The 2 recipients who weren't reached don't exist.", { ...nobody, id: '9990002' }],
    ] as const)
      it(`is resent to nobody else, unless they exist when they are looked up again: ${told}`, async () => {
        const { controller, deliver, untilListed } = sending.open;
        const { requests } = sending.service;
        const { delivery } = await deliver({ batches: planBatches([...RECIPIENTS.slice(0, 2), nobody, ...others], 1) });
        untilListed();
        await controller.check(delivery.id);
        assert.deepEqual((await controller.reported(delivery.id)).actions, ['lookUp', 'remove']);
        const looked = () => requests.splice(0).map(({ pathname }) => pathname.split('/').at(-1));
        const lookups = [nobody, ...others].map(() => 'homepage');
        for (const [looksUp, press, texts, asks] of [
          [false, undefined, [told], []],
          [false, 'Look Up Again', [told, `Looked up again. ${told}`], lookups],
          [true, undefined, [`Looked up again. ${told}`], lookups],
        ] as const) {
          requests.splice(0);
          const said = onMessages(() => press);
          await resend(delivery.id, { looksUp });
          assert.deepEqual([said, looked()], [texts, asks]);
        }
      });
  });

  it('is resent once if two windows resend it, and the other one says what has happened to it', async () => {
    const { delivery } = await sending.open.deliver();
    sending.calls = [];
    let isFirst = true;
    onModals(async () => {
      if (isFirst) {
        isFirst = false;
        await resend(delivery.id);
      }
      return 'Resend';
    });
    await assert.rejects(resend(delivery.id), /has changed/);
    assert.deepEqual(sending.sentTo, ['7850437']);
  });

  it('is resent by its service only, and not if the user connects to none', async () => {
    const { delivery } = await sending.open.deliver({ service: 'https://other.test' });
    await assert.rejects(resend(delivery.id), /belongs to https:\/\/other\.test/);
    const asked = sending.press('Resend');
    sending.open.host.access.openService = async () => undefined;
    await resend(delivery.id);
    assert.deepEqual(asked, []);
  });
});
