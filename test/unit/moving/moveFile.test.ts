import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isMoved, type MovedPart, readMoved, writeMoved } from '../../../src/moving/moveFile.ts';
import { addChecksum } from '../../../src/platform/checkedLines.ts';
import { all, each } from '../deferred.ts';

const linesOf = (parts: readonly MovedPart[]) => all(writeMoved(each(parts)));
const read = (lines: Iterable<string>) => all(readMoved(each(lines)));

const DAMAGED = { name: 'MoveError', problem: 'damaged' };
const BOT_CHAT = { service: 'https://chat.example', kind: 'group', id: 'big', botId: '30481126' } as const;
const MADE = { what: 'made', at: 5, deliveries: 2, chats: 2, messages: 1 } as const;
const DELIVERY: MovedPart = {
  what: 'delivery',
  delivery: { id: 'a', lines: ['1'], claims: ['2'], journal: ['3', '4'], replies: ['5'], due: 7 },
};
const PARTS: MovedPart[] = [
  MADE,
  DELIVERY,
  { what: 'delivery', delivery: { id: 'b', lines: ['1'], claims: [], journal: [], replies: [], due: undefined } },
  { what: 'chat', chat: { botChat: BOT_CHAT, since: 1, checkedAt: 2, name: 'Big', botName: 'Order Desk' } },
  { what: 'page', page: { jsons: ['{"msgId":"m"}'], isFirst: true, isApart: false } },
  { what: 'ended' },
  { what: 'chat', chat: { botChat: { ...BOT_CHAT, id: '2' }, name: '', botName: '' } },
  { what: 'ended' },
];

describe('A moved file', () => {
  it('has all that was written, and in which line a chat is', async () => {
    const lines = await linesOf(PARTS);
    assert.equal(lines[0], 'bot-chats 1');
    assert.ok(!lines.join('').includes('\n'));
    const line = (what: string) => lines.findIndex((one) => one.startsWith(`${what} `)) + 1;
    const [made, one, other, chat, page, ...rest] = await read(lines);
    assert.deepEqual([made, one, other], PARTS.slice(0, 3));
    assert.deepEqual(
      [chat, page],
      [
        { ...PARTS[3], line: line('chat') },
        { ...PARTS[4], line: line('page') },
      ],
    );
    assert.equal(rest.length, 3);
  });

  it('has chats and deliveries with any IDs and names, in any number', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 });
    const line = fc.string({ unit: 'grapheme' }).map((json) => JSON.stringify(json));
    const delivery = fc.tuple(text, fc.array(line, { maxLength: 2 }), fc.option(fc.nat(), { nil: undefined }));
    const id = fc.stringMatching(/^[\p{L}\p{N}_-]{1,20}$/u);
    const chat = fc.tuple(text, fc.constantFrom('group', 'user'), id, id);
    await fc.assert(
      fc.asyncProperty(fc.array(delivery, { maxLength: 3 }), fc.array(chat, { maxLength: 2 }), async (some, chats) => {
        const deliveries = some.map(([id, lines, due]) => ({
          id,
          lines,
          claims: lines,
          journal: [],
          replies: lines,
          due,
        }));
        const parts: MovedPart[] = [
          MADE,
          ...deliveries.map((delivery) => ({ what: 'delivery', delivery }) as const),
          ...chats.flatMap(([name, kind, id, botId]): MovedPart[] => [
            { what: 'chat', chat: { botChat: { service: name, kind, id, botId }, name, botName: name } },
            { what: 'ended' },
          ]),
        ];
        const back = (await read(await linesOf(parts))) as { line?: number }[];
        assert.deepEqual(
          back.map(({ line: _, ...part }) => part),
          parts,
        );
      }),
    );
  });

  it('is damaged if any line is missing, there twice, changed or in another place, or the file ends early', async () => {
    const lines = await linesOf(PARTS);
    for (let at = 1; at < lines.length; at++) {
      const line = lines[at] ?? '';
      await assert.rejects(read(lines.toSpliced(at, 1)), DAMAGED, `without ${line}`);
      await assert.rejects(read(lines.slice(0, at)), DAMAGED, `until ${line}`);
      if (!line.startsWith('end ')) await assert.rejects(read(lines.toSpliced(at, 0, line)), DAMAGED, `${line} twice`);
      await assert.rejects(read(lines.with(at, `odd${line}`)), DAMAGED, `odd${line}`);
      // The lines of a delivery have checksums of their own.
      if (!/^(delivery|claim|journal|reply) /.test(line))
        await assert.rejects(read(lines.with(at, line.replace('}', ',"more":1}'))), DAMAGED, `changed ${line}`);
    }
    for (const what of ['stored', 'chat', 'page', 'ended', 'end']) {
      const at = lines.findLastIndex((line) => line.startsWith(`${what} `));
      const [before = '', line = ''] = lines.slice(at - 1);
      await assert.rejects(read(lines.toSpliced(at - 1, 2, line, before)), DAMAGED, `${line} before ${before}`);
    }
    const amidChat = PARTS.findIndex(({ what }) => what === 'page');
    await assert.rejects(
      read(await linesOf(PARTS.toSpliced(amidChat, 0, DELIVERY))),
      DAMAGED,
      'a delivery amid a chat',
    );
  });

  it('is a moved file by its first line, of this version', async () => {
    const [, ...rest] = await linesOf(PARTS);
    for (const first of ['bot-chats', 'bot-chats x', 'bot-chats 1 x', ' bot-chats 1', '{"msgId":"m"}', '']) {
      assert.equal(isMoved(first), false, first);
      await assert.rejects(read([first, ...rest]), { problem: 'foreign' }, first);
    }
    await assert.rejects(read([]), { problem: 'foreign' });
    assert.equal(isMoved('bot-chats 12'), true);
    await assert.rejects(read(['bot-chats 2', ...rest]), { problem: 'newer' });
  });

  it('has no time that can’t be shown, no odd count and no ID that looks like another one, whatever its checksum', async () => {
    const lines = await linesOf(PARTS);
    const forged = async (what: string, fields: object) => {
      const at = lines.findIndex((line) => line.startsWith(`${what} `));
      const [, , ...json] = (lines[at] ?? '').split(' ');
      return lines.with(at, `${what} ${await addChecksum({ ...JSON.parse(json.join(' ')), ...fields })}`);
    };
    assert.equal((await read(await forged('chat', { name: 'Forged' }))).length, PARTS.length);
    const [id, botId] = ['big\u202e', '30481126\n'];
    for (const [what, fields] of [
      ['made', { at: 9e15 }],
      ['made', { messages: -1 }],
      ['stored', { due: -9e15 }],
      ['chat', { checkedAt: 9e15 }],
      ['chat', { since: 0.5 }],
      ['chat', { botChat: { ...BOT_CHAT, id } }],
      ['chat', { botChat: { ...BOT_CHAT, botId } }],
      ['chat', { botChat: { ...BOT_CHAT, kind: 'bot' } }],
      ['page', { jsons: [1] }],
    ] as const)
      await assert.rejects(read(await forged(what, fields)), DAMAGED, JSON.stringify(fields));
  });

  it('has no line with too many values, and no delivery that takes too much memory', async () => {
    const [first = '', made = '', ...rest] = await linesOf(PARTS);
    const many = `page ${await addChecksum({ jsons: Array<string>(60_001).fill('') })}`;
    await assert.rejects(read([first, made, many]), { problem: 'largeLine', line: 3 });
    for (const line of [`claim ${'x'.repeat(854)}`, `journal ${'x'.repeat(852)}`, `reply 张${'x'.repeat(450_000)}`]) {
      const memory = 140 + line.length * (line.includes('张') ? 2 : 1);
      const lines = function* () {
        yield* [first, made, `delivery ${'x'.repeat(100)}`];
        for (let left = Math.ceil(200_000_000 / memory); left > 0; left--) yield line;
        yield* rest;
      };
      await assert.rejects(read(lines()), { problem: 'largeDelivery' });
    }
  });
});
