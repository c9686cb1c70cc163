import assert from 'node:assert/strict';
import test from 'node:test';
import { type TextDocument, workspace } from 'vscode';
import { DraftReader } from '../../../../src/deliveries/draft/draftReader.ts';
import type { Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import { DraftSender } from '../../../../src/deliveries/send/draftSender.ts';
import type { Kind } from '../../../../src/service/model.ts';
import { onMessages, onModals, restore } from '../../answers.ts';
import { configure, useService } from '../../test-service.ts';
import { withoutDelays } from '../../withoutDelays.ts';
import { planBatches } from '../outbox/testDeliveries.ts';
import { openOutbox, RECIPIENTS } from '../outbox/testOutbox.ts';

describe('A delivery that did not reach everyone', () => {
  const service = useService({ 'service.callsPerSecond': 1000 });
  let open: Awaited<ReturnType<typeof openOutbox>>;
  let sender: DraftSender;
  withoutDelays();

  beforeEach(async () => {
    open = await openOutbox(service);
    sender = new DraftSender(open.host, open.controller, new DraftReader(open.host));
  });
  afterEach(() => {
    test.mock.restoreAll();
    restore();
    open.close();
  });

  /** Answers each confirmation with what `press` chooses of its buttons. Returns those that were asked. */
  const onQuestions = (press: (buttons: string[]) => string | undefined) => onModals(({ buttons }) => press(buttons));

  it('resends to unreached recipients only, after a confirmation that warns of duplicates', async () => {
    const { delivery } = await open.deliver();
    onMessages();
    const questions = onQuestions(() => 'Resend');
    service.requests.splice(0);
    await sender.resend(delivery.id);
    assert.match(questions[0]?.message ?? '', /^Resend “announcement\.md” as Order Desk to 1 person\?$/);
    assert.match(
      questions[0]?.detail ?? '',
      /1 recipient may already have this message\. At worst, they get it twice\./,
    );
    assert.equal(open.sends().length, 1);
    const [again] = await open.outbox.all();
    assert.equal(again?.status.delivery.resends, delivery.id);
    assert.deepEqual(
      again?.status.recipients().map(({ id }) => id),
      ['7850437'],
    );
  });

  it('resends what was sent, and says if the document has changed since, which it can be compared with', async () => {
    const source = 'file:///a.md';
    const { delivery } = await open.deliver({ source, document: 'Hello (1)' });
    let now: string | undefined;
    test.mock.method(workspace, 'openTextDocument', async () => {
      if (now === undefined) throw new Error('deleted');
      return { getText: () => now } as TextDocument;
    });
    let pressed = 'Escape';
    const asked = onQuestions(() => pressed);
    const changed = /The document has changed since this delivery\. The resend sends what was sent then\./;
    const compare = 'Compare';
    for (const [text, isChanged] of [
      [undefined, false],
      ['Hello (1)', false],
      ['Hello (1)\r\n', false],
      ['---\nchat:\n  groups: [big]\n---\nHello (1)', false],
      ['Hello (2)', true],
    ] as const) {
      now = text;
      await sender.resend(delivery.id);
      const { detail = '', buttons } = asked.at(-1) ?? {};
      assert.equal(changed.test(detail), isChanged, text);
      assert.deepEqual(buttons, ['Check Delivery', 'Resend', 'Change Recipients…', ...(isChanged ? [compare] : [])]);
      // Another version that was sent meanwhile doesn't matter.
      await open.deliver({ source, document: 'Hello (3)', digest: 'other' });
    }
    pressed = compare;
    await sender.resend(delivery.id);
    assert.deepEqual(open.ran, [['compareWithSent', delivery.id]]);
    pressed = 'Resend';
    await sender.resend(delivery.id);
    const [{ status: again } = assert.fail()] = await open.outbox.all();
    assert.deepEqual([again.delivery.resends, again.delivery.document], [delivery.id, 'Hello (1)']);
  });

  it('checks who has the message instead, which the first button is for', async () => {
    const { delivery } = await open.deliver();
    onQuestions(([first]) => first);
    service.requests.splice(0);
    await sender.resend(delivery.id);
    assert.deepEqual([open.sends(), open.ran], [[], [['checkDelivery', delivery.id]]]);
  });

  describe('and of whom some don’t exist', () => {
    const nobody: Recipient = { kind: 'user', id: '9990001', name: '9990001' };

    for (const [how, find] of [
      [
        'a check has found that, even long ago,',
        async (id: string) => {
          await open.controller.check(id);
          test.mock.method((await open.connection.open()).directory, 'has', () => false);
        },
      ],
      [
        'they were looked up',
        async () => void (await (await open.connection.open()).directory.get('user', nobody.id).catch(() => {})),
      ],
    ] as const)
      it(`is resent to the others once ${how}, until they are found`, async () => {
        const { delivery } = await open.deliver({ batches: planBatches([...RECIPIENTS, nobody], 1) });
        open.untilListed();
        onMessages();
        await find(delivery.id);
        const asked = onQuestions((buttons) => buttons.find((one) => one === 'Resend'));
        await sender.resend(delivery.id);
        assert.match(
          asked[0]?.detail ?? '',
          /^⊘ Left out, because they had this message or didn't exist \(1\): 9990001\n/,
        );
        const { directory } = await open.connection.open();
        const found = await directory.get('user', '7850437');
        const peek = directory.peek.bind(directory);
        test.mock.method(directory, 'peek', (kind: Kind, id: string) => (id === nobody.id ? found : peek(kind, id)));
        await sender.resend(delivery.id);
        assert.deepEqual(
          asked.map(({ message }) => message),
          [
            'Resend “announcement.md” as Order Desk to 1 person?',
            'Resend “announcement.md” as Order Desk to 2 people?',
          ],
        );
      });

    it('is resent to nobody if the others are on the Do Not Send list', async () => {
      const { delivery } = await open.deliver({ batches: planBatches([...RECIPIENTS, nobody], 1) });
      await open.controller.check(delivery.id);
      await configure({ 'sending.never': { people: ['7850437'] } });
      try {
        await assert.rejects(
          sender.resend(delivery.id),
          /everyone is left out\..*Do Not Send.*didn't exist \(1\): 9990001/,
        );
      } finally {
        await configure({ 'sending.never': undefined });
      }
    });

    for (const [told, ...others] of [
      ["The recipient who wasn't reached doesn't exist."],
      ["The 2 recipients who weren't reached don't exist.", { ...nobody, id: '9990002' }],
    ] as const)
      it(`is resent to nobody else, unless they exist when they are looked up again: ${told}`, async () => {
        const { delivery } = await open.deliver({
          batches: planBatches([...RECIPIENTS.slice(0, 2), nobody, ...others], 1),
        });
        open.untilListed();
        const checked = onMessages();
        const offers: string[][] = [];
        onMessages((message, buttons) => {
          checked.push(message);
          offers.push([...buttons]);
          return message === told && service.requests.length === 0 ? 'Look Up Again' : undefined;
        });
        await open.controller.check(delivery.id);
        assert.deepEqual(offers, [['Open Report']]);
        assert.deepEqual((await open.controller.reported(delivery.id)).actions, ['lookUp', 'remove']);
        for (const [looksUp, texts] of [
          [false, [told, `Looked up again. ${told}`]],
          [true, [`Looked up again. ${told}`]],
        ] as const) {
          checked.splice(0);
          service.requests.splice(0);
          await sender.resend(delivery.id, ...(looksUp ? [{ looksUp }] : []));
          assert.deepEqual(checked, texts);
          assert.deepEqual(
            service.requests.map(({ pathname }) => pathname.split('/').at(-1)),
            [nobody, ...others].map(() => 'homepage'),
          );
        }
      });
  });

  it('is resent once if two windows resend it, and the other one says what has happened to it', async () => {
    const { delivery } = await open.deliver();
    let theirs: Promise<void> | undefined;
    const asked = onModals(async () => {
      if (theirs) return 'Resend';
      theirs = sender.resend(delivery.id);
      await theirs;
      return 'Resend';
    });
    service.requests.splice(0);
    await assert.rejects(sender.resend(delivery.id), /has changed/);
    assert.deepEqual([open.sends().length, asked.length], [1, 2]);
  });

  it('is resent by its service only, and not if the user connects to none', async () => {
    const { delivery } = await open.deliver({ service: 'https://other.test' });
    await assert.rejects(sender.resend(delivery.id), /belongs to https:\/\/other\.test/);
    const asked = onQuestions(() => 'Resend');
    open.host.access.openService = async () => undefined;
    await sender.resend(delivery.id);
    assert.deepEqual(asked, []);
  });
});
