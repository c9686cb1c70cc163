import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { assemble } from '../../../src/history/export/assembly.ts';
import { ExportError, newProgress, savedProgress } from '../../../src/history/export/exportProgress.ts';
import { readToBeginning } from '../../../src/history/export/readHistory.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { Client } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import type { Listed } from '../../../src/service/message.ts';
import { settled } from '../deferred.ts';
import { upTo } from './chat.ts';
import { assembled, document, FakeChat, MemoryStore, place, read, verbatim } from './export-chat.ts';

const rejection = (code: number) => new ServiceError({ kind: 'rejected', code, text: '消息不存在', status: 200 });

describe('An export', () => {
  let store: MemoryStore;

  beforeEach(() => {
    store = new MemoryStore();
  });

  it('has every message once and oldest first, whatever the length of the chat', async () => {
    for (const length of [0, 1, 2, 99, 100, 101, 199, 200, 201, 450]) {
      store = new MemoryStore();
      const progress = await read(new FakeChat(upTo(length)), store);
      assert.deepEqual(await assembled(progress, store), upTo(length), `${length}`);
      assert.equal(progress.messages, length);
    }
  });

  it('reads 100 messages at a time, each page before the oldest message so far', async () => {
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

  it('is in order whether pages come newest first or oldest first', async () => {
    const chat = new FakeChat(upTo(350));
    chat.instead = () => {
      chat.reversed = !chat.reversed;
      return undefined;
    };
    assert.deepEqual(await assembled(await read(chat, store), store), upTo(350));
  });

  it('goes by the place of the anchor where the times tell nothing, or tell otherwise', async () => {
    for (const timeOf of [() => 7, (name: number) => 1000 - name]) {
      for (const reversed of [false, true]) {
        store = new MemoryStore();
        const chat = new FakeChat(upTo(250));
        chat.instead = (page) => {
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

  it('takes a first page of equal times to be newest first, as the contract shows it', async () => {
    const chat = new FakeChat(upTo(50));
    chat.instead = (page) => {
      const answer = chat.answer(page);
      for (const entry of answer) if (entry.readable) entry.message.sendTime = 7;
      return answer;
    };
    assert.deepEqual(await assembled(await read(chat, store), store), upTo(50));
  });

  it('is not turned by clocks that are wrong at its ends', async () => {
    const chat = new FakeChat([9, 2, 3, 4, 5, 6, 7, 8, 1]);
    chat.reversed = true;
    assert.deepEqual(await assembled(await read(chat, store), store), [9, 2, 3, 4, 5, 6, 7, 8, 1]);
  });

  it('has what pages list twice once', async () => {
    const chat = new FakeChat(upTo(250));
    chat.instead = (page) => ('latest' in page ? undefined : chat.answer({ ...page, after: 40 }));
    assert.deepEqual(await assembled(await read(chat, store), store), upTo(250));
  });

  it('has no messages that came after it began', async () => {
    const chat = new FakeChat(upTo(250));
    chat.instead = (_, names) => {
      if (chat.pages.length > 1) names.push(1000 + chat.pages.length);
      return undefined;
    };
    assert.deepEqual(await assembled(await read(chat, store), store), upTo(250));
  });

  it('is of a service that lists fewer messages than it is asked for', async () => {
    const chat = new FakeChat(upTo(250));
    chat.instead = (page) => chat.answer('latest' in page ? { latest: 30 } : { ...page, before: 30 });
    assert.deepEqual(await assembled(await read(chat, store), store), upTo(250));
  });

  it('keeps messages that cannot be read in their places, those that are equal as well', async () => {
    const names = upTo(600).map((name) => (name % 3 === 0 || (name > 120 && name < 380) ? 'odd' : name));
    const progress = await read(new FakeChat(names), store);
    assert.deepEqual(await assembled(progress, store), names);
  });

  it('keeps messages that cannot be read at either end of the chat, and where there are no others', async () => {
    for (const names of [
      [...Array(150).fill('odd'), ...upTo(3)],
      [...upTo(3), ...Array(150).fill('odd')],
      Array(150).fill('odd'),
    ]) {
      store = new MemoryStore();
      assert.deepEqual(await assembled(await read(new FakeChat(names), store), store), names);
    }
  });

  it('goes on from the next message where the oldest one was deleted, whether it is refused or not listed', async () => {
    for (const refused of [true, false]) {
      store = new MemoryStore();
      const chat = new FakeChat(upTo(250));
      chat.instead = (page) => {
        // Deleted after they were read: the oldest three.
        if (chat.pages.length === 2) chat.names = chat.names.filter((name) => ![151, 152, 153].includes(Number(name)));
        if (refused && 'anchor' in page && !chat.names.includes(Number(page.anchor))) throw rejection(-1);
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

  it('takes no page for the one before its anchor that does not list the anchor', async () => {
    const chat = new FakeChat(upTo(250));
    // This service lists the newest messages where it does not know the anchor.
    chat.instead = (page) => {
      if (chat.pages.length === 2) chat.names = chat.names.filter((name) => name !== 151);
      return 'anchor' in page && page.anchor === '151' ? chat.answer({ latest: 100 }) : undefined;
    };
    assert.deepEqual(await assembled(await read(chat, store), store), upTo(250));
  });

  it('fails, with all that was read kept, where four of the oldest messages were deleted', async () => {
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
      chat.instead = () => (chat.pages.length === 1 ? undefined : answer());
      await assert.rejects(read(chat, store), expected);
      assert.equal(chat.pages.length, 5);
      assert.deepEqual([...store.parts.keys()], [1]);
      chat.instead = () => undefined;
      assert.deepEqual(await assembled(await read(chat, store), store), upTo(250));
    }
  });

  it('does not try other anchors where something else is wrong', async () => {
    const chat = new FakeChat(upTo(250));
    chat.instead = () => {
      if (chat.pages.length > 1) throw rejection(1003);
      return undefined;
    };
    await assert.rejects(read(chat, store), rejection(1003));
    assert.equal(chat.pages.length, 2);
  });

  it('goes on after a failure at any page', async () => {
    for (let failing = 1; failing <= 6; failing++) {
      store = new MemoryStore();
      const chat = new FakeChat(upTo(450));
      let fails = true;
      chat.instead = () => {
        if (chat.pages.length === failing && fails) throw new Error('no network');
        return undefined;
      };
      await assert.rejects(read(chat, store), /no network/);
      const kept = await savedProgress(store, place);
      assert.equal(kept?.messages ?? 0, Math.min(450, (failing - 1) * 100));
      fails = false;
      const before = chat.pages.length;
      const progress = await read(chat, store);
      assert.deepEqual(await assembled(progress, store), upTo(450));
      // Nothing was asked for twice but the page that failed.
      assert.equal(chat.pages.length - before, 6 - (failing - 1), `${failing}`);
    }
  });

  it('goes on after any write that failed', async () => {
    const names = upTo(350).map((name) => (name % 7 === 0 ? 'odd' : name));
    let total = 0;
    store.failing = () => void total++;
    await read(new FakeChat(names), store);
    assert.ok(total > 8);
    for (let failing = 1; failing <= total; failing++) {
      store = new MemoryStore();
      let writes = 0;
      store.failing = () => {
        if (++writes === failing) throw new Error('disk full');
      };
      const chat = new FakeChat(names);
      await assert.rejects(read(chat, store), /disk full/);
      assert.deepEqual(await assembled(await read(chat, store), store), names, `${failing}`);
    }
  });

  it('stops between two pages when it is cancelled, and goes on later', async () => {
    const chat = new FakeChat(upTo(450));
    const abort = new AbortController();
    const onPage = () => chat.pages.length === 2 && abort.abort();
    await assert.rejects(read(chat, store, { signal: abort.signal, onPage }), { name: 'AbortError' });
    assert.equal(chat.pages.length, 2);
    assert.equal((await savedProgress(store, place))?.messages, 200);
    assert.deepEqual(await assembled(await read(chat, store), store), upTo(450));
  });

  it('tells how many messages are read after each page', async () => {
    const told: number[] = [];
    await read(new FakeChat(upTo(250)), store, { onPage: ({ messages }) => told.push(messages) });
    assert.deepEqual(told, [100, 200, 250, 250]);
  });

  it('that is complete asks for nothing more', async () => {
    await read(new FakeChat(upTo(250)), store);
    const chat = new FakeChat(upTo(250));
    assert.deepEqual(await assembled(await read(chat, store), store), upTo(250));
    assert.deepEqual(chat.pages, []);
  });

  it('gives way to another one of the same chat, which loses nothing by it', async () => {
    const first = new FakeChat(upTo(450));
    const second = new FakeChat(upTo(450));
    let other: Promise<unknown> = Promise.resolve();
    first.instead = () => {
      if (first.pages.length === 3) other = read(second, store);
      return undefined;
    };
    const list = async (page: Parameters<typeof first.list>[0]) => {
      const answer = await first.list(page);
      await other;
      return answer;
    };
    const { signal } = new AbortController();
    const reading = readToBeginning(newProgress(place), { list, store, signal, onPage: () => {} });
    await assert.rejects(reading, new ExportError('takenOver'));
    const progress = await savedProgress(store, place);
    assert.ok(progress?.complete);
    assert.deepEqual(await assembled(progress, store), upTo(450));
  });

  it('is taken up again for the same chat and the same bot alone', async () => {
    await read(new FakeChat(upTo(5)), store);
    assert.equal((await savedProgress(store, place))?.messages, 5);
    for (const other of [
      { botId: '1' },
      { id: '1' },
      { type: 'user' as const },
      { service: 'https://other.example' },
    ]) {
      assert.equal(await savedProgress(store, { ...place, ...other }), undefined);
    }
  });

  it('is not taken up from something that is no progress, or has none', async () => {
    for (const kept of ['null', '{}', '[]', '{"version":2}', JSON.stringify(newProgress(place))]) {
      store.progress = kept;
      assert.equal(await savedProgress(store, place), undefined, kept);
    }
  });

  it('does not go on from parts that are not as they were written', async () => {
    const damages: ((store: MemoryStore) => void)[] = [
      ({ parts }) => parts.delete(3),
      ({ parts }) => parts.set(3, 'not JSON\n'),
      ({ parts }) => parts.set(3, (parts.get(3) ?? '').slice(0, -10)),
      ({ parts }) => parts.set(3, (parts.get(3) ?? '').split('\n').slice(1).join('\n')),
    ];
    for (const damage of damages) {
      store = new MemoryStore();
      const chat = new FakeChat(upTo(450));
      chat.instead = () => {
        if (chat.pages.length === 4) throw new Error('no network');
        return undefined;
      };
      await assert.rejects(read(chat, store), /no network/);
      damage(store);
      await assert.rejects(read(chat, store), new ExportError('damaged'));
      assert.equal(chat.pages.length, 4);
    }
  });

  it('is not put together when a part of it is gone or cut', async () => {
    const progress = await read(new FakeChat(upTo(250)), store);
    const part = store.parts.get(2) ?? '';
    store.parts.set(2, part.slice(0, part.length / 2).replace(/\n[^\n]*$/, '\n'));
    await assert.rejects(document(progress, store), new ExportError('damaged'));
    store.parts.delete(2);
    await assert.rejects(document(progress, store), new ExportError('damaged'));
  });

  it('is put together part by part, between its heading and its ending, until it is cancelled', async () => {
    const progress = await read(new FakeChat(upTo(250)), store);
    const abort = new AbortController();
    const pieces: string[] = [];
    const told: number[] = [];
    const options = {
      store,
      format: {
        heading: 'BEGIN ',
        ending: 'END',
        entry: (entry: Listed) => `${entry.readable && entry.message.msgId} `,
        source: verbatim,
      },
      write: async (text: string) => void pieces.push(text),
      onPart: (messages: number) => void told.push(messages),
    };
    await assemble(progress, { ...options, signal: abort.signal });
    assert.equal(pieces.join(''), `BEGIN ${upTo(250).join(' ')} END`);
    assert.deepEqual([pieces.length, told], [5, [50, 150, 250]]);
    const cancelled = assemble(progress, { ...options, signal: abort.signal, onPart: () => abort.abort() });
    await assert.rejects(cancelled, { name: 'AbortError' });
    assert.equal(pieces.slice(5).join(''), `BEGIN ${upTo(50).join(' ')} `);
  });

  it('holds a few pages of 10,000 messages at most', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const chat = new FakeChat(upTo(10_000));
    const lent: WeakRef<Listed>[] = [];
    let most = 0;
    const list = async (page: Parameters<typeof chat.list>[0]) => {
      if (chat.pages.length % 10 === 9) {
        await settled();
        collect();
        most = Math.max(most, lent.filter((entry) => entry.deref()).length);
        await settled();
      }
      const answer = await chat.list(page);
      lent.push(...answer.map((entry) => new WeakRef(entry)));
      return answer;
    };
    const { signal } = new AbortController();
    const progress = await readToBeginning(newProgress(place), { list, store, signal, onPage: () => {} });
    assert.equal(progress.messages, 10_000);
    assert.equal(lent.length, 10_000 + 100);
    assert.ok(most > 0 && most <= 300, `${most} held`);
    assert.ok([...store.parts.values()].every((part) => part.split('\n').length <= 101));
    assert.deepEqual(await assembled(progress, store), upTo(10_000));
  });

  it('of the sandbox has all of its messages, just as they came', async () => {
    const sandbox = createSandbox({ origin: 'https://sandbox.invalid', messages: 1234 });
    const [group = ''] = sandbox.groups;
    const [bot = ''] = sandbox.bots;
    const { webUrl, openApiUrl } = sandbox;
    const fetch: typeof globalThis.fetch = async (input, init) => sandbox.fetch(new Request(input, init));
    const client = new Client({ webUrl, openApiUrl, fetch, callsPerSecond: 1000 });
    const chat = { type: 'group', id: group } as const;
    const token = sandbox.token(bot) ?? '';
    const { signal } = new AbortController();
    const list = (page: Parameters<typeof client.messages>[2]) => client.messages(token, chat, page, signal);
    const progress = await readToBeginning(newProgress(place), { list, store, signal, onPage: () => {} });
    const all = await list({ latest: 2000 });
    assert.equal(all.length, 1234);
    const lines = all.toReversed().map(({ raw }) => `${JSON.stringify(raw)}\n`);
    assert.equal(await document(progress, store), lines.join(''));
  });
});
