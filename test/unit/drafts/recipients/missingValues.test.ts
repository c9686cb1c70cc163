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

  it('are only counted again if the variables change', async () => {
    const rows = await table;
    const counted = missingValues(templateOf('Hi {{order}}'), rows);
    assert.equal(missingValues(templateOf('Good morning {{order}}!'), rows), counted);
    for (const text of ['Hi', '{{order}} {{order}}', '{{order|none}}', '[a]({{order}})']) {
      assert.notEqual(missingValues(templateOf(text), rows), counted, text);
      assert.notEqual(missingValues(templateOf('Hi {{order}}'), rows), counted, text);
    }
  });
});
