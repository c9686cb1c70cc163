import assert from 'node:assert/strict';
import { PersonalMessage } from '../../../../../src/deliveries/draft/preview/personalMessage.ts';
import { parseRecipientTable } from '../../../../../src/deliveries/draft/recipients/recipientTable.ts';
import type { Chat, Found } from '../../../../../src/service/model.ts';

describe('A message that varies', () => {
  const user = (id: string): Chat => ({ kind: 'user', id });
  const table = parseRecipientTable(
    ['id,name,order,link', '1,Ann,A-1,https://a.example/1', '2,,,none', '3,Cy, ,https://a.example/3'].join('\n'),
    'user',
  );
  const messageOf = async (text: string) =>
    new PersonalMessage({ contentType: 'markdown', content: { text } }, await table);
  /** Knows that 2 is Bo, and that there is no 4. */
  const directory = {
    has: (_: string, id: string) => ['2', '4'].includes(id),
    peek: (_: string, id: string) =>
      id === '2' ? ({ kind: 'user', resource: { userId: '2', nickname: 'Bo' } } as Found) : undefined,
  };

  it('has the values of a recipient, from the file or from the directory', async () => {
    const message = await messageOf('{{name}} {{nickname}}: {{order|none}}');
    const text = (id: string) => message.of(user(id), directory).content;
    assert.deepEqual(text('1'), { text: 'Ann : A-1' });
    assert.deepEqual(text('2'), { text: ' Bo: none' });
    assert.deepEqual(text('4'), { text: ' : none' });
  });

  it('names recipients as the file does, or as the directory does', async () => {
    const nameOf = (await messageOf('{{order}}')).namesIn(directory);
    assert.deepEqual(['1', '2', '4'].map(user).map(nameOf), ['Ann', 'Bo', '']);
  });

  it('says what a recipient lacks, as far as it’s known', async () => {
    const message = await messageOf('{{name}} {{nickname}} {{order}} [a]({{link}}) {{ordr}}');
    const lacking = (id: string, known?: typeof directory) => {
      const { empty, notAddress } = message.lackingOf(user(id), known);
      return { empty, notAddress };
    };
    assert.deepEqual(lacking('1', directory), { empty: [], notAddress: [] });
    assert.deepEqual(lacking('2', directory), { empty: ['name', 'order'], notAddress: ['link'] });
    // It isn't in the file, so the directory has its name. Nobody has an order.
    assert.deepEqual(lacking('4'), { empty: ['order'], notAddress: ['link'] });
    assert.deepEqual(lacking('4', directory), { empty: ['name', 'nickname', 'order'], notAddress: ['link'] });
  });

  it('counts recipients that lack a value, and knows their number at once while its variables stay the same', async () => {
    const rows = Array.from((await table).rows.values(), ({ chat }) => chat);
    const chats = [user('4'), user('1'), ...rows.slice(1)];
    const found = async (text: string, among = chats) =>
      Array.from(await (await messageOf(text)).withProblemsIn(among), ({ id }) => id).join();
    assert.equal(await found('Hi {{order}}'), '4,2,3');
    const reworded = (await messageOf('Hello {{order}}')).withProblemsIn(chats);
    assert.deepEqual(await Promise.race([reworded, 'not yet']), await reworded);
    assert.equal(await found('Hi {{order|none}}'), '');
    assert.equal(await found('[a]({{link}})'), '4,2');
    assert.equal(await found('Hi {{order}}', rows), '2,3');
    assert.equal(await found('Hi {{nickname}} {{ordr}}'), '');
  });
});
