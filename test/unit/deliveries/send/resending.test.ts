import assert from 'node:assert/strict';
import test from 'node:test';
import { type TextDocument, type window, workspace } from 'vscode';
import { DraftReader } from '../../../../src/deliveries/draft/draftReader.ts';
import { resumeDelivery } from '../../../../src/deliveries/outbox/runDelivery.ts';
import type { Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import { DraftSender } from '../../../../src/deliveries/send/draftSender.ts';
import type { Kind } from '../../../../src/service/model.ts';
import { answer, onMessages, onModals, restore } from '../../answers.ts';
import { configure, type TestService, useService } from '../../test-service.ts';
import { withoutDelays } from '../../withoutDelays.ts';
import { planBatches } from '../outbox/testDeliveries.ts';
import { openOutbox, RECIPIENTS } from '../outbox/testOutbox.ts';

describe('A delivery that did not reach everyone', () => {
  let service: TestService;
  let open: Awaited<ReturnType<typeof openOutbox>>;
  let sender: DraftSender;
  let restoreClock: () => void;

  before(async () => {
    service = await useService({ 'service.callsPerSecond': 1000 });
  });
  after(() => service.close());
  beforeEach(async () => {
    restoreClock = withoutDelays();
    open = await openOutbox(service);
    sender = new DraftSender(open.host, open.controller, new DraftReader(open.host));
  });
  afterEach(() => {
    test.mock.restoreAll();
    restore();
    open.close();
    restoreClock();
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
    const told = "The recipient who wasn't reached doesn't exist.";

    for (const [how, find] of [
      ['a check has found that', (id: string) => open.controller.check(id)],
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

    it('is resent to nobody else, unless they exist when they are looked up again', async () => {
      const { delivery } = await open.deliver({ batches: planBatches([...RECIPIENTS.slice(0, 2), nobody], 1) });
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
          ['homepage'],
        );
      }
    });
  });

  it('reports the result once', async () => {
    const { delivery } = await open.deliver();
    const shown = onMessages((_, offered) => offered.find((button) => button === 'Resend'));
    await sender.resend(delivery.id);
    assert.equal(shown.filter((text) => text.startsWith('0 of 1 reached.')).length, 1);
    assert.equal(shown.length, 2);
  });

  it('says what has happened to a delivery while the user thought about resending it', async () => {
    const { delivery } = await open.deliver();
    answer('showWarningMessage', (async () => {
      await open.outbox.remove(delivery.id);
      return 'Resend';
    }) as unknown as typeof window.showWarningMessage);
    service.requests.splice(0);
    await assert.rejects(sender.resend(delivery.id), /no longer in the outbox/);
    assert.deepEqual(open.sends(), []);
  });

  it('refuses to act on a delivery of another service, and says so', async () => {
    onMessages((_, offered) => (offered.includes('Resume') ? 'Resume' : undefined));
    const cases = [
      [{ fault: 'missing' }, (id: string) => sender.resend(id)],
      [{ fault: 'reset', work: 'done' }, (id: string) => open.controller.check(id)],
      [{ fault: 'code', code: 1003 }, (id: string) => resumeDelivery(id, open.controller, open.host)],
    ] as const;
    for (const [fault, act] of cases) {
      service.sandbox.setFaults({ faults: [{ on: 'batch_send', times: 1, ...fault }] });
      const { delivery } = await open.deliver({ service: 'https://other.test' });
      service.requests.splice(0);
      await assert.rejects(act(delivery.id), /belongs to https:\/\/other\.test/);
      assert.deepEqual(service.requests, []);
    }
  });
});
