import assert from 'node:assert/strict';
import { missingValues } from '../../../../../src/deliveries/draft/recipients/missingValues.ts';
import { parseRecipientTable } from '../../../../../src/deliveries/draft/recipients/recipientTable.ts';
import { MessageTemplate } from '../../../../../src/markup/messageTemplate.ts';

describe('Missing values of recipients', () => {
  const templateOf = (text: string) => new MessageTemplate({ contentType: 'markdown', content: { text } });
  const table = parseRecipientTable(
    ['id,order,link', '1,A-1,https://a.example', '2,,https://a.example', '3,A-3,none', '4, ,none'].join('\n'),
    'user',
  );

  const linesOf = (missing: Awaited<ReturnType<typeof missingValues>>['empty']) =>
    Array.from(missing, ([name, { count, first }]) => ({ name, count, line: first.line }));

  const idsOf = (chats: Iterable<{ id: string }>) => Array.from(chats, ({ id }) => id).join();

  it('are counted for each variable, with the line of the first', async () => {
    const template = templateOf('{{order}} [a]({{link}}) {{nickname}} {{ordr}}');
    const { empty, notAddress, chats } = await missingValues(template, await table);
    assert.deepEqual(linesOf(empty), [{ name: 'order', count: 2, line: 3 }]);
    assert.deepEqual(linesOf(notAddress), [{ name: 'link', count: 2, line: 4 }]);
    assert.equal(idsOf(chats), '2,3,4');
  });

  it('are no values with line breaks, which are counted, too', async () => {
    const file = 'id,address\n1,"1 Main Street\nRiverside"\n2," one line\n"\n3,"2 Main Street\r\nBern"';
    const { severalLines, empty, chats } = await missingValues(
      templateOf('{{address}} {{name}}'),
      await parseRecipientTable(file, 'user'),
    );
    assert.deepEqual([...linesOf(severalLines), ...linesOf(empty)], [{ name: 'address', count: 2, line: 2 }]);
    assert.equal(idsOf(chats), '1,3');
  });

  it('have a default, or not', async () => {
    const { empty } = await missingValues(templateOf('{{order|none}}'), await table);
    assert.deepEqual([...empty], []);
  });

  it('are known at once while the variables stay the same, and counted for others', async () => {
    const rows = await table;
    const counts = async (text: string) => {
      const { empty, notAddress } = await missingValues(templateOf(text), rows);
      return [...empty, ...notAddress].map(([name, { count }]) => `${name} ${count}`);
    };
    const isKnown = async (text: string) =>
      (await Promise.race([missingValues(templateOf(text), rows), undefined])) !== undefined;
    assert.deepEqual(await counts('Hi {{order}}'), ['order 2']);
    assert.equal(await isKnown('Good morning {{order}}!'), true);
    for (const [text, expected] of [
      ['Hi', []],
      ['{{order}} {{order}}', ['order 2']],
      ['{{order|none}}', []],
      ['[a]({{order}})', ['order 4']],
    ] as const) {
      assert.equal(await isKnown(text), false, text);
      assert.deepEqual(await counts(text), expected, text);
      assert.deepEqual(await counts('Hi {{order}}'), ['order 2']);
    }
  });
});
