import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createSandbox } from '../../../src/sandbox/index.ts';

interface Asked {
  readonly before: number;
  readonly after: number;
}
interface Message {
  readonly msgId: string;
}

/** A sandbox in process whose first group has initial and sent messages. */
async function chatOf(length: number, sent: number) {
  const sandbox = createSandbox({ messages: length, now: () => 0 });
  const query = { token: sandbox.token('30481126') ?? '', 'chat-id': '518204736', 'chat-type': 'group' };
  const url = `${sandbox.openApiUrl}/open-apis/v1/bot`;
  const list = async (asked: Record<string, string>): Promise<Message[]> => {
    const request = new Request(`${url}/messages?${new URLSearchParams({ ...query, ...asked })}`);
    const { data } = (await (await sandbox.fetch(request)).json()) as { data: { list: Message[]; total: number } };
    assert.equal(data.total, data.list.length);
    return data.list;
  };
  for (let number = 0; number < sent; number++) {
    const body = { recvIds: ['518204736'], recvType: 'group', contentType: 'text', content: { text: `${number}` } };
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
    await sandbox.fetch(new Request(`${url}/batch_send?token=${query.token}`, init));
  }
  // Oldest first, one by one, so that the model depends only on rule 2.
  const chat = await list({ before: '1' });
  while (chat.length > 0 && chat.length < length + sent) {
    const [, older] = await list({ 'message-id': chat[0]?.msgId ?? '', before: '1' });
    chat.unshift(older ?? assert.fail('The chat is too short.'));
  }
  return { chat, list };
}

const texts = ({ before, after }: Asked) => ({ before: String(before), after: String(after) });

describe('Sandbox paging (4.4)', () => {
  const count = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 50 }), fc.constant(1_000_000));
  const asked = fc.record({ before: count, after: count });
  const chats = fc.record({ length: fc.nat({ max: 24 }), sent: fc.nat({ max: 6 }) });

  it('rules 1 and 6: without an anchor the latest `before` messages, newest first', () =>
    fc.assert(
      fc.asyncProperty(chats, fc.array(asked, { minLength: 1, maxLength: 8 }), async ({ length, sent }, questions) => {
        const { chat, list } = await chatOf(length, sent);
        assert.equal(chat.length, length + sent);
        for (const question of questions) {
          const latest = question.before === 0 ? [] : chat.slice(-question.before);
          assert.deepEqual(await list(texts(question)), latest.toReversed());
        }
      }),
      { numRuns: 40 },
    ));

  it('rules 2 to 6: around an anchor, those before it, itself and those after it, or nothing for 0 and 0', () =>
    fc.assert(
      fc.asyncProperty(
        chats.filter(({ length, sent }) => length + sent > 0),
        fc.array(fc.tuple(fc.nat(), asked), { minLength: 1, maxLength: 8 }),
        async ({ length, sent }, questions) => {
          const { chat, list } = await chatOf(length, sent);
          for (const [number, question] of questions) {
            const at = number % chat.length;
            const { before, after } = question;
            const around = chat.filter((_, place) => place >= at - before && place <= at + after);
            const expected = before === 0 && after === 0 ? [] : around.toReversed();
            assert.deepEqual(await list({ ...texts(question), 'message-id': chat[at]?.msgId ?? '' }), expected);
          }
        },
      ),
      { numRuns: 40 },
    ));
});
