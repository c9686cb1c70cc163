import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { Client, type Page } from '../../../src/service/client.ts';
import type { Outgoing } from '../../../src/service/message.ts';

const group = { kind: 'group', id: '518204736' } as const;

/** A client of a sandbox in memory, and the IDs of all messages in one of its chats, oldest first. */
async function chatOf(length: number, sent: number) {
  const { fetch, token, ...addresses } = createSandbox({
    origin: 'https://chat.example',
    messages: length,
    now: () => 0,
  });
  const client = new Client({ ...addresses, fetch: (input, init) => fetch(new Request(input, init)) });
  const by = token('30481126') ?? '';
  const ids = async (page: Page) => {
    const list = await client.messages(by, group, page);
    return list.map((entry) => (entry.readable ? entry.message.msgId : assert.fail('unreadable')));
  };
  const message: Outgoing = { contentType: 'text', content: { text: 'Hello' } };
  for (let number = 0; number < sent; number++) await client.batchSend(by, 'group', [group.id], message);
  // One by one, so that the model depends only on rule 2.
  const chat = await ids({ latest: 1 });
  while (chat.length > 0 && chat.length < length + sent) {
    const [, older] = await ids({ anchor: chat[0] ?? '', before: 1 });
    chat.unshift(older ?? assert.fail('The chat is too short.'));
  }
  assert.equal(new Set(chat).size, length + sent);
  return { chat, ids };
}

describe('Pages of messages (4.4)', () => {
  const count = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 50 }), fc.constant(1_000_000));
  const counts = fc.record({ before: count, after: count }, { requiredKeys: [] });
  const lengths = fc.record({ length: fc.nat({ max: 24 }), sent: fc.nat({ max: 4 }) });

  it('contain the latest messages without an anchor, newest first (rules 1 and 6)', () =>
    fc.assert(
      fc.asyncProperty(lengths, fc.array(count, { minLength: 1, maxLength: 6 }), async ({ length, sent }, asked) => {
        const { chat, ids } = await chatOf(length, sent);
        for (const latest of asked) assert.deepEqual(await ids({ latest }), chat.toReversed().slice(0, latest));
      }),
    ));

  it('contain the anchor and the messages before and after it (rules 2 to 6)', () =>
    fc.assert(
      fc.asyncProperty(
        lengths.filter(({ length, sent }) => length + sent > 0),
        fc.array(fc.tuple(fc.nat(), counts), { minLength: 1, maxLength: 8 }),
        async ({ length, sent }, asked) => {
          const { chat, ids } = await chatOf(length, sent);
          for (const [number, page] of asked) {
            const at = number % chat.length;
            const { before = 0, after = 0 } = page;
            const around = chat.filter((_, place) => place >= at - before && place <= at + after);
            assert.deepEqual(await ids({ anchor: chat[at] ?? '', ...page }), around.toReversed());
          }
        },
      ),
    ));

  it('cover the whole chat from the newest to the oldest', () =>
    fc.assert(
      fc.asyncProperty(lengths, fc.integer({ min: 1, max: 9 }), async ({ length, sent }, size) => {
        const { chat, ids } = await chatOf(length, sent);
        const read = await ids({ latest: size });
        for (let more = read.length; more > 0; ) {
          const [, ...older] = await ids({ anchor: read.at(-1) ?? '', before: size });
          read.push(...older);
          more = older.length;
        }
        assert.deepEqual(read, chat.toReversed());
      }),
    ));
});
