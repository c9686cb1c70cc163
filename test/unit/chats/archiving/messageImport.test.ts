import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { CancellationTokenSource, type Uri, window, workspace } from 'vscode';
import { ArchiveError } from '../../../../src/chats/archive/archiveError.ts';
import type { ArchivedChat } from '../../../../src/chats/archive/chatTable.ts';
import type { RemoteArchive } from '../../../../src/chats/archive/remote.ts';
import type { ShownNames } from '../../../../src/chats/archiving/archiveItems.ts';
import { MessageImport } from '../../../../src/chats/archiving/messageImport.ts';
import { answer, onLists, onMessages, onModals, pick, restore } from '../../answers.ts';
import { newHost } from '../../test-host.ts';
import { useService } from '../../test-service.ts';
import { CHAT, jsonsOf, MESSAGES, messageOf } from '../archive/archives.ts';
import { archiveInProcess } from './archiveInProcess.ts';

const FILE = 'chat.ndjson';
const OTHER = { ...CHAT, id: '100000002' };
const lines = (from: number, to: number) => jsonsOf(MESSAGES.slice(from, to));

describe('Importing the messages of an exported file', () => {
  let archive: RemoteArchive;
  let chat: number;
  let said: string[];
  let changes: number;
  /** Does something else than the archive. */
  let instead: Partial<RemoteArchive>;

  beforeEach(async () => {
    ({ archive } = archiveInProcess());
    chat = await archive.addChat(CHAT);
    await archive.setNames(chat, { name: 'The shop', botName: '' });
    said = onMessages();
    changes = 0;
    instead = {};
  });
  afterEach(restore);

  async function* each(of: Iterable<string> | AsyncIterable<string>) {
    yield* of;
  }

  /** Imports lines into a chat, by default the only one. */
  function run(of: () => Iterable<string> | AsyncIterable<string>, into: number | undefined = chat, host = newHost()) {
    const chats = {
      list: () => archive.chats(),
      namesOf: async ({ name, botChat }: ArchivedChat) =>
        ({ name: name || botChat.id, botName: botChat.botId }) as ShownNames,
    };
    const changed = new Proxy(archive, { get: (all, name: keyof RemoteArchive) => instead[name] ?? all[name] });
    return new MessageImport(changed, host, chats, () => changes++).run(FILE, () => each(of()), into);
  }
  const only = async () => (await archive.chats()).find(({ number }) => number === chat) ?? assert.fail();

  const odd = (json: string) => JSON.stringify(messageOf('odd', '')).replace('{', `{"odd":${json},`);
  const imported = (count: string) => `Imported ${count} from chat.ndjson into the archive of The shop.`;
  for (const [what, file, text] of [
    ['one message', lines(0, 1), imported('1 message')],
    ['many', lines(0, 1_200), imported('1,200 messages')],
    ['some twice', [...lines(0, 3), ...lines(1, 2)], `${imported('3 messages')} Already there: 1.`],
    ['empty lines', ['', ...lines(0, 1), ' ', ...lines(1, 2), ''], imported('2 messages')],
    [
      'lines that are no messages',
      [...lines(0, 1), '{"no":"message"}', '', 'rubbish', ...lines(1, 2)],
      `${imported('2 messages')} Lines that aren't messages: 2, 4.`,
    ],
    [
      'values that no response could have',
      [
        odd(`"${'x'.repeat(700_001)}"`),
        odd(`[${'0,'.repeat(5_000)}0]`),
        odd(`[${'[],'.repeat(1_000_000)}0]`),
        odd(`${'['.repeat(200_000)}${']'.repeat(200_000)}`),
        ...lines(0, 2),
      ],
      `${imported('2 messages')} Lines that aren't messages: 1, 2, 3, 4.`,
    ],
    [
      'five such lines',
      [...lines(0, 1), '1', '2', '3', '4', '5'],
      `${imported('1 message')} Lines that aren't messages: 2, 3, 4, 5, 6.`,
    ],
    [
      'more of them',
      [...lines(0, 1), '1', '2', '3', '4', '5', '6'],
      `${imported('1 message')} Lines that aren't messages: 2, 3, 4, 5, 6, and 1 more.`,
    ],
  ] as const)
    it(`says what came of a file with ${what}`, async () => {
      await run(() => file);
      assert.deepEqual(said, [text]);
      assert.equal(changes, 1);
    });

  it('keeps messages apart, and notes the file and how many were new', async () => {
    await archive.addPage(chat, lines(0, 2));
    await run(() => lines(1, 6));
    const { messages, apart, imports } = await only();
    assert.equal(messages, 6);
    assert.equal(apart, 4);
    assert.deepEqual(
      imports.map(({ name, messages }) => [name, messages]),
      [[FILE, 4]],
    );
  });

  for (const [count, more] of [
    [1_000, ''],
    [1_001, '\n…'],
  ] as const)
    it(`lists ${count} lines that are no messages if that is wanted`, async () => {
      said = onMessages((_, buttons) => buttons.find((one) => one === 'Show Lines'));
      let shown: unknown[] = [];
      const register = mock.method(workspace, 'registerTextDocumentContentProvider');
      answer('showTextDocument', (async (uri: Uri) => {
        const provider = register.mock.calls[0]?.arguments[1];
        shown = [uri.path, provider?.provideTextDocumentContent(uri, new CancellationTokenSource().token)];
      }) as unknown as typeof window.showTextDocument);
      await run(() => [...lines(0, 1), ...Array<string>(count).fill('rubbish')]);
      const numbers = Array.from({ length: 1_000 }, (_, at) => at + 2).join('\n');
      assert.deepEqual(shown, ['/chat.ndjson.txt', `Lines of chat.ndjson that aren't messages\n\n${numbers}${more}\n`]);
      register.mock.restore();
    });

  it('imports nothing of a file without messages, and says what can be imported', async () => {
    await assert.rejects(
      run(() => ['{"no":"message"}', '']),
      {
        name: 'UserFacingError',
        message:
          'chat.ndjson has no messages that can be imported. Choose a file from “Export History…” in the NDJSON format, or one from “Copy Outbox and Archive…”.',
      },
    );
    assert.deepEqual(said, []);
  });

  describe('of which nobody said which chat it is', () => {
    it('offers the chats that have messages of it first, with how it knows them', async () => {
      const other = await archive.addChat(OTHER);
      await archive.addPage(chat, lines(0, 1));
      await archive.addPage(other, lines(0, 3));
      await archive.addChat({ ...CHAT, id: '100000003' });
      const shown = pick('100000002');
      const ask = window.showQuickPick;
      let options: unknown;
      answer('showQuickPick', ((items: readonly string[], given: unknown) => {
        options = given;
        return ask(items);
      }) as unknown as typeof window.showQuickPick);
      await run(() => lines(0, 5), Number.NaN);
      assert.deepEqual(shown, [
        '$(organization) 100000002 | has messages of this file · 3 messages · as 20000001',
        '$(organization) The shop | has messages of this file · 1 message · as 20000001',
        '$(organization) 100000003 | 0 messages · as 20000001',
        '',
        'Another Chat…',
      ]);
      assert.deepEqual(options, {
        title: 'Import chat.ndjson',
        placeHolder: "Which chat is it? The file doesn't say.",
        matchOnDescription: true,
      });
      assert.deepEqual(said, ['Imported 2 messages from chat.ndjson into the archive of 100000002. Already there: 3.']);
    });

    it('imports nothing if the user chooses none', async () => {
      pick(undefined);
      await run(() => lines(0, 5), Number.NaN);
      assert.deepEqual(said, []);
      assert.equal((await only()).messages, 0);
      assert.equal(changes, 0);
    });

    describe('and which is another one', () => {
      useService();
      let host: ReturnType<typeof newHost>;
      let shown: string[];
      beforeEach(() => {
        shown = pick('Another Chat…');
        host = newHost({ access: { chooseBot: async () => '30481126' } });
      });
      const choose = (id = '518204736') => onLists({ types: id, picks: ({ label }) => label.includes(id) });
      const newest = async () => (await archive.chats()).at(-1) ?? assert.fail();

      it('archives what the file has of it, by the name that the service has for it', async () => {
        const lists = choose();
        const { directory, address } = await host.connection.open();
        await directory.get('group', '518204736');
        await run(() => lines(0, 5), Number.NaN, host);
        assert.equal(lists[0]?.title, 'Import chat.ndjson');
        const { botChat, name, since, messages, openGaps } = await newest();
        assert.deepEqual(botChat, { service: address, kind: 'group', id: '518204736', botId: '30481126' });
        assert.equal(name, 'Fern & Kettle: the shop team');
        assert.equal(since, undefined);
        assert.equal(messages, 5);
        assert.equal(openGaps, 0);
      });

      it('is the only choice if nothing is archived', async () => {
        await archive.removeChat(chat);
        choose('546790213');
        await run(() => lines(0, 5), Number.NaN, host);
        assert.deepEqual(shown, ['Another Chat…']);
        assert.deepEqual(said, ['Imported 5 messages from chat.ndjson into the archive of 后山徒步队.']);
      });

      it('archives no more of it than before if it is archived already', async () => {
        choose();
        const { address } = await host.connection.open();
        const botChat = { service: address, kind: 'group', id: '518204736', botId: '30481126' } as const;
        await archive.addChat(botChat, 5);
        await run(() => lines(0, 5), Number.NaN, host);
        const { since, messages } = await newest();
        assert.equal(since, 5);
        assert.equal(messages, 5);
        assert.equal((await archive.chats()).length, 2);
      });

      it('imports nothing if no chat is chosen, or no bot to read it with', async () => {
        onLists('escape');
        await run(() => lines(0, 5), Number.NaN, host);
        choose();
        await run(() => lines(0, 5), Number.NaN, newHost());
        assert.deepEqual(said, []);
        assert.equal((await archive.chats()).length, 1);
      });
    });
  });

  describe('into a chat', () => {
    it('asks first if only another one has its messages', async () => {
      await archive.addPage(await archive.addChat(OTHER), lines(0, 2));
      const asked = onModals((_, at) => (at === 0 ? undefined : 'Import Anyway'));
      await run(() => lines(0, 5));
      assert.deepEqual(asked, [
        {
          message: 'Import chat.ndjson into the archive of The shop?',
          detail:
            'Its messages are in the archive of 100000002, and none of them is in this one. Searches would find them in both.',
          buttons: ['Import Anyway'],
        },
      ]);
      assert.equal((await only()).messages, 0);
      await run(() => lines(0, 5));
      assert.equal((await only()).messages, 5);
    });

    it("doesn't ask if this one has some of them, too", async () => {
      await archive.addPage(await archive.addChat(OTHER), lines(0, 3));
      await archive.addPage(chat, lines(4, 5));
      const asked = onModals(() => undefined);
      await run(() => lines(0, 5));
      assert.deepEqual(asked, []);
      assert.equal((await only()).messages, 5);
    });
  });

  describe('that takes long', () => {
    it('hands messages to the archive a few at a time, and says how many are read', async () => {
      const sizes: number[] = [];
      const reported: unknown[] = [];
      answer('withProgress', (async ({ title }, task) => {
        reported.push(title);
        return task({ report: (step) => reported.push(step.message) }, new CancellationTokenSource().token);
      }) as typeof window.withProgress);
      instead.importPage = async (_, { jsons }) => {
        sizes.push(jsons.length);
        return jsons.length;
      };
      const long = jsonsOf(Array.from({ length: 10 }, (_, at) => messageOf(`long${at}`, 'long '.repeat(60_000))));
      await run(() => [...lines(0, 600), ...long]);
      assert.deepEqual(sizes, [500, 104, 4, 2]);
      assert.deepEqual(reported, [
        'Importing chat.ndjson',
        '500 messages read',
        '604 messages read',
        '608 messages read',
        '610 messages read',
      ]);
    });

    /** Cancels an import that has begun. Returns whether it has. */
    function cancelable(): () => boolean {
      const abort = new CancellationTokenSource();
      let hasBegun = false;
      answer('withProgress', (async (_, task) => {
        hasBegun = true;
        return task({ report: () => {} }, abort.token);
      }) as typeof window.withProgress);
      return () => {
        if (hasBegun) abort.cancel();
        return hasBegun;
      };
    }

    it('can be canceled, and goes on when it is imported again', async () => {
      const cancel = cancelable();
      await run(function* () {
        yield* lines(0, 600);
        cancel();
        yield* lines(600, 700);
      });
      assert.deepEqual(said, [`The import was canceled. ${imported('500 messages')} Import it again to continue.`]);
      assert.equal((await only()).imports[0]?.messages, 500);
      cancelable();
      await run(() => lines(0, 700));
      assert.deepEqual(said.slice(1), [`${imported('200 messages')} Already there: 500.`]);
    });

    it('can be canceled amid empty lines', async () => {
      const cancel = cancelable();
      await run(function* () {
        yield* lines(0, 1);
        for (let left = 1_000; left > 0; left--) yield '';
        const isCanceled = cancel();
        yield '';
        if (isCanceled) assert.fail('it reads on');
      });
      assert.match(said[0] ?? '', /^The import was canceled/);
    });
  });

  describe('that fails', () => {
    it('says why, after what was imported until then, which stays', async () => {
      let left = 1;
      instead.importPage = (...page) =>
        left-- > 0 ? archive.importPage(...page) : Promise.reject(new ArchiveError('full'));
      await assert.rejects(
        run(() => lines(0, 1_200)),
        { name: 'UserFacingError', message: /disk is full/ },
      );
      assert.deepEqual(said, [imported('500 messages')]);
      assert.equal(changes, 1);
      assert.equal((await only()).imports[0]?.messages, 500);
    });

    it('says only why if nothing was imported', async () => {
      instead.importPage = () => Promise.reject(new ArchiveError('full'));
      await assert.rejects(
        run(() => lines(0, 5)),
        /disk is full/,
      );
      assert.deepEqual(said, []);
      assert.equal(changes, 1);
    });

    for (const deletedAt of [500, 1_000])
      it(`doesn't say that messages are there if the chat was deleted after ${deletedAt}`, async () => {
        let isSample = true;
        const file = async function* () {
          const isDeleted = !isSample;
          isSample = false;
          for (const [at, line] of lines(0, 1_200).entries()) {
            if (isDeleted && at === deletedAt - 1) await archive.removeChat(chat);
            yield line;
          }
        };
        await assert.rejects(run(file), /deleted from the archive/);
        assert.deepEqual(said, []);
      });
  });
});
