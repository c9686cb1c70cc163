import assert from 'node:assert/strict';
import {
  ChangedMessageError,
  DeliveryMessages,
  normalForm,
  textsOf,
  withDigests,
} from '../../../../src/deliveries/outbox/deliveryMessages.ts';
import { digestOf } from '../../../../src/deliveries/outbox/record.ts';
import type { Batch } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import type { Outgoing, OutgoingButton } from '../../../../src/service/message.ts';
import { deliveryOf } from './testDeliveries.ts';

const markdown = (text: string, buttons?: OutgoingButton[][]): Outgoing => ({
  contentType: 'markdown',
  content: { text, ...(buttons && { buttons }) },
});

const to = (id: string, values?: string[], recvType: Batch['recvType'] = 'user'): Batch => ({
  recvType,
  recipients: [{ kind: recvType, id, name: id }],
  ...(values && { values }),
});

const opens = (text: string, url: string): OutgoingButton => ({ text, actionType: 1, url });

const ANN = { kind: 'user', id: '1' } as const;

/** A delivery of a message with variables. */
const personal = (message: Outgoing, ...batches: Batch[]) => ({
  ...deliveryOf(batches, { message }),
  variables: ['name', 'order'],
});

describe('The messages of a delivery', () => {
  it('are the same for all if it has no variables, with braces as they are', () => {
    const message = markdown('Dear {{name}}');
    const messages = new DeliveryMessages(deliveryOf([to('1')], { message }));
    assert.deepEqual([messages.of({}), messages.ofChat({ kind: 'group', id: 'x' })], [message, message]);
  });

  it('have the values of their batch', () => {
    const message = markdown('Dear {{name}}, order {{order}}');
    const batches = [to('1', ['Ann', '17']), to('2', ['Bo']), to('1', ['Group', '0'], 'group')];
    const messages = new DeliveryMessages(personal(message, ...batches));
    const textFor = (kind: 'user' | 'group', id: string) => {
      const { content } = messages.ofChat({ kind, id }) ?? {};
      return content && 'text' in content ? content.text : undefined;
    };
    assert.deepEqual(
      [textFor('user', '1'), textFor('user', '2'), textFor('group', '1'), textFor('group', '2')],
      ['Dear Ann, order 17', 'Dear Bo, order ', 'Dear Group, order 0', undefined],
    );
    assert.deepEqual(messages.of({}).content, { text: 'Dear , order ' });
  });

  it('are sent only as they were confirmed', async () => {
    const messages = new DeliveryMessages(personal(markdown('Dear {{name}}')));
    const sent = markdown('Dear Ann');
    const batch = { ...to('1', ['Ann']), digest: await digestOf(sent) };
    assert.deepEqual(await messages.verified(batch), sent);
    assert.deepEqual(await messages.verified(to('1', ['Bo'])), markdown('Dear Bo'));
    await assert.rejects(messages.verified({ ...batch, values: ['Bo'] }), ChangedMessageError);
  });

  it('have digests of their own only if they have variables, each that of its batch, however many there are', async () => {
    const plain = [to('1'), to('2')];
    assert.deepEqual(await withDigests({ message: markdown('Hi'), batches: plain }), plain);
    const batches = Array.from({ length: 101 }, (_, at) => to(`${at}`, [`${at}`]));
    const done = await withDigests(personal(markdown('Dear {{name}}'), ...batches));
    const expected: Batch[] = [];
    for (const [at, batch] of batches.entries())
      expected.push({ ...batch, digest: await digestOf(markdown(`Dear ${at}`)) });
    assert.deepEqual(done, expected);
  });

  it('share the buttons in which everyone has the same values', () => {
    const buttons = [
      [opens('Shop', 'https://a.test'), opens('Hi {{name}}', 'https://a.test')],
      [opens('Order {{order}}', 'https://a.test')],
    ];
    const message = markdown('', buttons);
    const shared = (...batches: Batch[]) =>
      new DeliveryMessages(personal(message, ...batches)).sharedButtons().map(({ text }) => text);
    assert.deepEqual(shared(to('1', ['Ann', '7']), to('2', ['Bo', '7'])), ['Shop', 'Order 7']);
    assert.deepEqual(shared(to('1', ['Ann', '7']), to('2')), ['Shop']);
    assert.deepEqual(shared(), ['Shop', 'Hi {{name}}', 'Order {{order}}']);
    const unvaried = new DeliveryMessages(deliveryOf([to('1'), to('2')], { message }));
    assert.deepEqual(unvaried.sharedButtons(), buttons.flat());
    assert.deepEqual(new DeliveryMessages(personal(markdown('Hi'), to('1'))).sharedButtons(), []);
  });

  it('are the same to their recipients whatever their line ends, and the white space around them', () => {
    const buttons = [[opens('Shop', 'https://a.test')]];
    assert.deepEqual(normalForm(markdown(' One\r\nTwo\rThree\n\n', buttons)), markdown('One\nTwo\nThree', buttons));
    assert.deepEqual(normalForm(markdown('One \n\nTwo')), markdown('One \n\nTwo'));
    const image: Outgoing = { contentType: 'image', content: { imageKey: ' k ' } };
    const file: Outgoing = { contentType: 'file', content: { fileName: ' a ', fileUrl: ' u ' } };
    assert.deepEqual([normalForm(image), normalForm(file)], [image, file]);
  });

  it('are listed by what some recipients read of them, if they have variables', async () => {
    const batches = [to('1', ['Ann']), to('2', ['Bo']), to('1', ['Group'], 'group')];
    const textsIn = async (message: Outgoing) => [...(await textsOf(personal(message, ...batches), [ANN])).values()];
    assert.deepEqual(await textsIn(markdown('Dear {{name}}')), ['Dear Ann']);
    assert.deepEqual(await textsIn({ contentType: 'image', content: { imageKey: 'k' } }), ['k']);
    assert.deepEqual(await textsIn({ contentType: 'file', content: { fileName: 'a.pdf', fileUrl: 'u' } }), ['a.pdf']);
    assert.equal((await textsOf(deliveryOf(batches), [ANN])).size, 0);
  });
});
