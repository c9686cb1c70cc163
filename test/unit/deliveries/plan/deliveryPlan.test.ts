import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseRecipientTable } from '../../../../src/deliveries/draft/recipients/recipientTable.ts';
import { DeliveryMessages } from '../../../../src/deliveries/outbox/deliveryMessages.ts';
import {
  planDelivery,
  plannedValues,
  type Recipient,
  valuesFrom,
} from '../../../../src/deliveries/plan/deliveryPlan.ts';
import type { Outgoing } from '../../../../src/service/message.ts';
import type { Chat } from '../../../../src/service/model.ts';
import { planBatches } from '../outbox/testDeliveries.ts';

const directory = { peek: () => undefined } as unknown as Parameters<typeof valuesFrom>[1];

const named = ({ kind, id }: Chat) => ({ kind, id, name: id });

const markdown = (text: string): Outgoing => ({ contentType: 'markdown', content: { text } });

describe('The plan of a delivery', () => {
  const plan = async (text: string, csv: string, variables: string[], batchSize = 200) => {
    const table = await parseRecipientTable(csv, 'user');
    const recipients = Array.from(table.rows.values(), ({ chat }) => named(chat));
    const message = markdown(text);
    return planDelivery({ message, variables }, recipients, batchSize, valuesFrom({ table }, directory));
  };

  it('sends the same message to several recipients in one call, and others one by one', async () => {
    const { batches, messages } = await plan('{{a|x}}', 'id,a,b\n1,x,1\n2,,2\n3,y,3\n4, x ,4\n5,y,5', ['a'], 2);
    assert.deepEqual(
      batches.map(({ recipients, values }) => [recipients.map(({ id }) => id).join(), values]),
      [
        ['1,2', ['x']],
        ['3,5', ['y']],
        ['4', ['x']],
      ],
    );
    assert.equal(messages, 2);
  });

  it('tells which marks stay around a value that is missing', async () => {
    const marksOf = async (text: string) => (await plan(text, 'id,a\n1,', ['a'])).empty[0]?.marks;
    assert.equal(await marksOf('Hi **{{a}}**'), '****');
    assert.equal(await marksOf('_{{a}}_!'), '__');
    assert.equal(await marksOf('~~{{a}}~~'), '~~~~');
    for (const text of ['**Hi {{a}}**', '* {{a}}', '**{{a}}', '{{a}}**']) assert.equal(await marksOf(text), undefined);
  });

  it('counts what is missing, and shows three messages', async () => {
    const found = await plan('Hi {{a}} {{b|-}}', 'id,a,b\n1,Ann,1\n2,,2\n3,Christopher,3\n4,,4', ['a', 'b']);
    assert.deepEqual(found.empty, [{ name: 'a', count: 2, first: named({ kind: 'user', id: '2' }) }]);
    assert.equal(found.longest, 'Hi Christopher 3'.length);
    assert.deepEqual(
      found.samples.map(({ recipient, message }) => [recipient.id, 'text' in message.content && message.content.text]),
      [
        ['2', 'Hi  2'],
        ['3', 'Hi Christopher 3'],
        ['1', 'Hi Ann 1'],
      ],
    );
  });

  it('shows the first three messages if none lacks a value and none is longer', async () => {
    const { samples } = await plan('Hi {{a}}', 'id,a\n1,Ann\n2,Bob\n3,Cyd\n4,Dan', ['a']);
    assert.deepEqual(
      samples.map(({ recipient }) => recipient.id),
      ['1', '2', '3'],
    );
  });

  it('has one message, that of the first recipient, if nothing is inserted', async () => {
    const one = await plan('Hi', 'id\n1\n2', []);
    assert.deepEqual(one, {
      batches: [{ recvType: 'user', recipients: [named({ kind: 'user', id: '1' }), named({ kind: 'user', id: '2' })] }],
      messages: 1,
      empty: [],
      notAddress: [],
      forbidden: [],
      hosts: new Map(),
      longest: 2,
      samples: [{ recipient: named({ kind: 'user', id: '1' }), message: markdown('Hi') }],
    });
    const image: Outgoing = { contentType: 'image', content: { imageKey: 'a.png' } };
    const { samples, longest } = await planDelivery({ message: image }, [], 200, () => () => '');
    assert.deepEqual(samples, []);
    assert.equal(longest, 0);
  });

  it('keeps the user’s own names for itself', async () => {
    const recipient = { ...named({ kind: 'user', id: '1' }), label: 'Boss' };
    const { batches } = await planDelivery({ message: markdown('Hi') }, [recipient], 200, () => () => '');
    assert.deepEqual(batches[0]?.recipients, [named({ kind: 'user', id: '1' })]);
  });

  it('has the values of a delivery that was planned before', async () => {
    const valuesOf = await plannedValues(
      ['a', 'b'],
      [
        { recvType: 'user', recipients: [user('1'), user('2')], values: ['x', 'y'] },
        { recvType: 'group', recipients: [group('3')] },
      ],
    );
    const valueFor = (chat: Chat, name: string) => valuesOf(chat)(name);
    assert.equal(valueFor(user('1'), 'a'), 'x');
    assert.equal(valueFor(user('2'), 'b'), 'y');
    for (const [chat, name] of [
      [user('1'), 'c'],
      [group('3'), 'a'],
      [user('4'), 'a'],
    ] as const)
      assert.equal(valueFor(chat, name), '');
  });

  it('finds values that aren’t the addresses they should be', async () => {
    const { notAddress, hosts } = await plan('[x]({{a}})', 'id,a\n1,https://a.test\n2,\n3,ftp://a.test', ['a']);
    assert.deepEqual(notAddress, [{ name: 'a', count: 2, first: named({ kind: 'user', id: '2' }) }]);
    assert.deepEqual(hosts, new Map([['a', new Set(['a.test'])]]));
  });

  it('has every row exactly once, with its own text', async () => {
    const cell = fc.string({ maxLength: 4 }).map((text) => text.replace(/["'\r\n,;\t]/g, ''));
    const rows = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 400 }), cell, cell), {
      selector: ([id]) => id,
      maxLength: 60,
    });
    const text = fc.constantFrom('{{a}}', '{{a}} {{b}}', '{{b|x}}{{a}}', 'https://a.test/{{a}}', 'none');
    await fc.assert(
      fc.asyncProperty(rows, text, fc.integer({ min: 1, max: 5 }), async (rows, template, batchSize) => {
        const csv = ['id,a,b', ...rows.map(([id, a, b]) => `${id},"${a}","${b}"`)].join('\n');
        const table = await parseRecipientTable(csv, 'user');
        assert.deepEqual(table.problems, []);
        const variables = ['a', 'b'].filter((name) => template.includes(`{{${name}`));
        const recipients = Array.from(table.rows.values(), ({ chat }) => named(chat));
        const message = markdown(template);
        const valuesOf = valuesFrom({ table }, directory);
        const { batches, messages } = await planDelivery({ message, variables }, recipients, batchSize, valuesOf);

        const all = batches.flatMap((batch) => batch.recipients.map(({ id }) => id));
        assert.deepEqual(all.toSorted(), rows.map(([id]) => String(id)).toSorted());
        assert.ok(batches.every((batch) => batch.recipients.length <= batchSize));
        const stored = new DeliveryMessages({
          message,
          batches: [...batches],
          ...(variables.length > 0 && { variables }),
        });
        // What a recipient gets is what this row alone would get.
        const expected = new Map<string, string>();
        for (const [id, a, b] of rows) {
          const [only] = (
            await planDelivery(
              { message, variables },
              [named({ kind: 'user', id: String(id) })],
              batchSize,
              () => (name) => (name === 'a' ? a : b).trim(),
            )
          ).samples;
          expected.set(String(id), JSON.stringify(only?.message));
        }
        for (const batch of batches)
          for (const { id } of batch.recipients) assert.equal(JSON.stringify(stored.of(batch)), expected.get(id));
        if (rows.length > 0) assert.equal(messages, new Set(expected.values()).size);
      }),
    );
  });
});

const group = (id: string): Recipient => ({ kind: 'group', id, name: `group ${id}` });

const user = (id: string): Recipient => ({ kind: 'user', id, name: `user ${id}` });

const anyone = fc.record({
  kind: fc.constantFrom('group' as const, 'user' as const),
  // Few IDs, so that there are duplicates, and unusual ones.
  id: fc.oneof(fc.integer({ min: 1, max: 30 }).map(String), fc.constantFrom('big', '', '__proto__')),
  name: fc.string(),
});

const everyone = fc.array(anyone, { maxLength: 60 });

const sizes = fc.integer({ min: 1, max: 70 });

const keyOf = ({ kind, id }: Recipient) => `${kind} ${id}`;

const unique = (keys: string[]) => [...new Set(keys)];

/** Asserts a property for any recipients and any batch size. */
function assertAlways(property: (recipients: Recipient[], size: number) => void): void {
  fc.assert(fc.property(everyone, sizes, property));
}

describe('Batches', () => {
  it('are filled one after the other', () => {
    const users = ['1', '2', '3', '4', '5'].map(user);
    const recipients = [group('1'), ...users];
    assert.deepEqual(
      planBatches(recipients, 2).map((batch) => batch.recipients.map(({ id }) => id)),
      [['1'], ['1', '2'], ['3', '4'], ['5']],
    );
  });

  it('are never empty or too large, of one type each, and no more than needed', () => {
    assertAlways((recipients, size) => {
      const batches = planBatches(recipients, size);
      for (const { recvType, recipients } of batches) {
        assert.ok(recipients.length >= 1 && recipients.length <= size);
        for (const { kind } of recipients) assert.equal(kind, recvType);
      }
      const keys = unique(recipients.map(keyOf));
      const needed = ['group ', 'user '].map((type) => keys.filter((key) => key.startsWith(type)).length / size);
      assert.equal(
        batches.length,
        needed.reduce((sum, part) => sum + Math.ceil(part), 0),
      );
    });
  });

  it('keep the order in which recipients of a type were chosen', () => {
    assertAlways((recipients, size) => {
      const planned = planBatches(recipients, size).flatMap((batch) => batch.recipients.map(keyOf));
      const chosen = unique(recipients.map(keyOf));
      const groupsFirst = [
        ...chosen.filter((key) => key.startsWith('g')),
        ...chosen.filter((key) => key.startsWith('u')),
      ];
      assert.deepEqual(planned, groupsFirst);
    });
  });
});
