import assert from 'node:assert/strict';
import { missingValues } from '../../../../src/drafts/recipients/missingValues.ts';
import { parseRecipientTable } from '../../../../src/drafts/recipients/recipientTable.ts';
import { MessageTemplate } from '../../../../src/markup/messageTemplate.ts';

describe('Missing values of recipients', () => {
  const templateOf = (text: string) => new MessageTemplate({ contentType: 'markdown', content: { text } });
  const table = parseRecipientTable(
    ['id,order,link', '1,A-1,https://a.example', '2,,https://a.example', '3,A-3,none', '4, ,none'].join('\n'),
    'user',
  );

  it('are counted for each variable, with the line of the first', async () => {
    const template = templateOf('{{order}} [a]({{link}}) {{nickname}} {{ordr}}');
    const { empty, notAddress, chats } = await missingValues(template, await table);
    assert.deepEqual([...empty], [['order', { count: 2, line: 3 }]]);
    assert.deepEqual([...notAddress], [['link', { count: 2, line: 4 }]]);
    assert.deepEqual(
      Array.from(chats, ({ id }) => id),
      ['2', '3', '4'],
    );
  });

  it('have a default, or not', async () => {
    const { empty } = await missingValues(templateOf('{{order|none}}'), await table);
    assert.deepEqual([...empty], []);
  });

  it('are those of the variables that the message has now', async () => {
    const counts = async (text: string) => {
      const { empty, notAddress } = await missingValues(templateOf(text), await table);
      return [...empty, ...notAddress].map(([name, { count }]) => `${name} ${count}`);
    };
    for (const [text, ...expected] of [
      ['Hi {{order}}', 'order 2'],
      ['Good morning {{order}}!', 'order 2'],
      ['Hi'],
      ['{{order|none}}'],
      ['[a]({{order}})', 'order 4'],
      ['Hi {{order}}', 'order 2'],
    ])
      assert.deepEqual(await counts(text ?? ''), expected, text);
  });
});
