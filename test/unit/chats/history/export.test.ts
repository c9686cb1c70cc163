import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { ExportError, newProgress } from '../../../../src/chats/history/commands/exportProgress.ts';
import { readToBeginning } from '../../../../src/chats/history/commands/readHistory.ts';
import { assemble } from '../../../../src/chats/history/commands/writeExport.ts';
import type { Json } from '../../../../src/markup/safeText.ts';
import { ServiceError } from '../../../../src/service/errors.ts';
import type { Listed } from '../../../../src/service/message.ts';
import { settled } from '../../deferred.ts';
import { FakeChat, upTo } from './chat.ts';
import { assembled, botChat, MemoryStore, read, verbatim } from './export-chat.ts';

const rejection = (code: number) => new ServiceError({ kind: 'rejected', code, text: '消息不存在', status: 200 });

/** Three pages, each with its anchor. */
const MOST_HELD = 3 * 101;

describe('An export', () => {
  let store: MemoryStore;

  beforeEach(() => {
    store = new MemoryStore();
  });

  it('contains every message once, oldest first, of any chat, however the service lists it', () => {
    const part = fc.record({ count: fc.nat(160), isReadable: fc.boolean() });
    /** How the pages before a message are listed: newest first, or otherwise. */
    const listing = fc.constantFrom('newest first', 'oldest first', 'with newer ones', 'while others arrive');
    return fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 5 }),
        fc.array(listing, { minLength: 1, maxLength: 3 }),
        async (parts, listings) => {
          const marks = parts.flatMap(({ count, isReadable }) => Array<boolean>(count).fill(isReadable));
          const names = marks.map((isReadable, at) => (isReadable ? at + 1 : 'odd'));
          const chat = new FakeChat([...names]);
          chat.override = (page) => {
            if ('latest' in page) return undefined;
            const how = listings[chat.pages.length % listings.length];
            chat.reversed = how === 'oldest first';
            if (how === 'while others arrive') chat.names.push(10_000 + chat.names.length);
            const goesOn = how === 'with newer ones' && !names.includes('odd');
            return chat.answer({ ...page, after: goesOn ? 40 : 0 });
          };
          const ownStore = new MemoryStore();
          const progress = await read(chat, ownStore);
          assert.deepEqual(await assembled(progress, ownStore), names);
          assert.equal(progress.messages, names.length);
        },
      ),
    );
  });

  it('reads pages of 100 messages, each before the oldest message so far', async () => {
    const chat = new FakeChat(upTo(250));
    await read(chat, store);
    assert.deepEqual(chat.pages, [
      { latest: 100 },
      { anchor: '151', before: 100 },
      { anchor: '51', before: 100 },
      { anchor: '1', before: 100 },
    ]);
    assert.deepEqual([...store.parts.keys()], [1, 2, 3]);
  });

  it('determines the order by the position of the anchor rather than by time', async () => {
    for (const timeOf of [() => 7, (name: number) => 1000 - name]) {
      for (const reversed of [false, true]) {
        store = new MemoryStore();
        const chat = new FakeChat(upTo(250));
        chat.override = (page) => {
          if ('latest' in page) return undefined;
          chat.reversed = reversed;
          return chat.answer(page).map((entry) => {
            if (entry.readable) entry.message.sendTime = timeOf(Number(entry.message.msgId));
            return entry;
          });
        };
        assert.deepEqual(await assembled(await read(chat, store), store), upTo(250));
      }
    }
  });

  it('works with a service that lists fewer messages than requested', async () => {
    const chat = new FakeChat(upTo(250));
    chat.limit = 30;
    chat.override = (page) => ('latest' in page ? chat.answer({ latest: 30 }) : undefined);
    assert.deepEqual(await assembled(await read(chat, store), store), upTo(250));
  });

  it('continues from the next message if the oldest one was deleted, whether it is rejected or not listed', async () => {
    for (const lost of ['rejects', 'empty'] as const) {
      store = new MemoryStore();
      const chat = new FakeChat(upTo(250));
      chat.lost = lost;
      chat.override = () => {
        // Deletes the oldest three messages after they were read.
        if (chat.pages.length === 2) chat.names = chat.names.filter((name) => ![151, 152, 153].includes(Number(name)));
        return undefined;
      };
      assert.deepEqual(await assembled(await read(chat, store), store), upTo(250));
      const [, ...asked] = chat.pages.map((page) => 'anchor' in page && [page.anchor, page.before]);
      assert.deepEqual(asked.slice(0, 5), [
        ['151', 100],
        ['152', 101],
        ['153', 102],
        ['154', 103],
        ['48', 100],
      ]);
    }
  });

  it('fails if the five oldest messages were deleted, and saves its progress', async () => {
    for (const [answer, expected] of [
      [() => [], new ExportError('anchorLost')],
      [
        () => {
          throw rejection(-1);
        },
        rejection(-1),
      ],
    ] as const) {
      store = new MemoryStore();
      const chat = new FakeChat(upTo(250));
      chat.override = () => (chat.pages.length === 1 ? undefined : answer());
      await assert.rejects(read(chat, store), expected);
      assert.equal(chat.pages.length, 6);
      assert.deepEqual([...store.parts.keys()], [1]);
      chat.override = () => undefined;
      assert.deepEqual(await assembled(await read(chat, store), store), upTo(250));
    }
  });

  it("doesn't try other anchors after any other error", async () => {
    const chat = new FakeChat(upTo(250));
    chat.override = () => {
      if (chat.pages.length > 1) throw rejection(1003);
      return undefined;
    };
    await assert.rejects(read(chat, store), rejection(1003));
    assert.equal(chat.pages.length, 2);
  });

  it('is assembled part by part between its heading and its ending, until it is canceled', async () => {
    const progress = await read(new FakeChat(upTo(250)), store);
    const abort = new AbortController();
    const pieces: string[] = [];
    const reported: number[] = [];
    const options = {
      store,
      format: {
        heading: 'BEGIN ' as Json,
        ending: 'END' as Json,
        entry: (entry: Listed) => `${entry.readable && entry.message.msgId} ` as Json,
        source: verbatim,
      },
      write: async (text: string) => void pieces.push(text),
      onPart: (messages: number) => void reported.push(messages),
    };
    await assemble(progress, { ...options, signal: abort.signal });
    assert.equal(pieces.join(''), `BEGIN ${upTo(250).join(' ')} END`);
    assert.equal(pieces.length, 5);
    assert.deepEqual(reported, [50, 150, 250]);
    const cancelled = assemble(progress, { ...options, signal: abort.signal, onPart: () => abort.abort() });
    await assert.rejects(cancelled, { name: 'AbortError' });
    assert.equal(pieces.slice(5).join(''), `BEGIN ${upTo(50).join(' ')} `);
  });

  it('keeps only a few pages of 10,000 messages in memory', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const chat = new FakeChat(upTo(10_000));
    const listed: WeakRef<Listed>[] = [];
    let maxHeld = 0;
    const held = async () => {
      await settled();
      collect();
      return listed.filter((entry) => entry.deref()).length;
    };
    const list = async (page: Parameters<typeof chat.list>[0]) => {
      if (chat.pages.length % 10 === 9) {
        // What is marked while it is being made outlives a collection, however little is held.
        let least = await held();
        for (let tries = 0; tries < 5 && least > MOST_HELD; tries++) least = await held();
        maxHeld = Math.max(maxHeld, least);
        await settled();
      }
      const answer = await chat.list(page);
      listed.push(...answer.map((entry) => new WeakRef(entry)));
      return answer;
    };
    const { signal } = new AbortController();
    const progress = await readToBeginning(newProgress(botChat), { list, store, signal, onPage: () => {} });
    assert.equal(progress.messages, 10_000);
    assert.equal(listed.length, 10_000 + 100);
    assert.ok(maxHeld > 0 && maxHeld <= MOST_HELD, `${maxHeld} held`);
    assert.ok([...store.parts.values()].every((part) => part.split('\n').length <= 101));
    assert.deepEqual(await assembled(progress, store), upTo(10_000));
  });
});
