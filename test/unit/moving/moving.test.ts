import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { CancellationTokenSource, type MessageOptions, Uri, type window } from 'vscode';
import { ArchiveError } from '../../../src/chats/archive/archiveError.ts';
import { ArchiveController } from '../../../src/chats/archiving/archiveController.ts';
import { MessageImport } from '../../../src/chats/archiving/messageImport.ts';
import { DeliveryMoves } from '../../../src/deliveries/outbox/deliveryMoves.ts';
import type { Sender } from '../../../src/deliveries/outbox/deliveryRunner.ts';
import { DeliveryStore } from '../../../src/deliveries/outbox/deliveryStore.ts';
import { Outbox } from '../../../src/deliveries/outbox/outbox.ts';
import { stateOf } from '../../../src/deliveries/outbox/outboxEntry.ts';
import { MoveController } from '../../../src/moving/moveController.ts';
import { addChecksum } from '../../../src/platform/checkedLines.ts';
import { UserFacingError } from '../../../src/presentation/errorText.ts';
import { formatDateTime } from '../../../src/presentation/formats.ts';
import { temporaryFolder } from '../../host/temporary.ts';
import { memoryFiles } from '../../prove/memoryDisk.ts';
import { answer, onLists, restore } from '../answers.ts';
import { CHAT, jsonsOf, MESSAGES, messageOf } from '../chats/archive/archives.ts';
import { restoreBuiltins, testThreads } from '../chats/archiving/testThreads.ts';
import { useWallClock } from '../clocks.ts';
import {
  AT,
  deliveryOf,
  everyone,
  groups,
  idOf,
  planBatches,
  unreachable,
} from '../deliveries/outbox/testDeliveries.ts';
import { newHost } from '../test-host.ts';
import { startService } from '../test-service.ts';

const DUE = AT + 24 * 3_600_000;
const [SCHEDULED, BEGUN, DONE] = [idOf('due'), idOf('begun'), idOf('done')];

/** Reaches so many groups, then loses the connection before anything is sent. */
const reaching = (count: number): Sender => ({
  token: 'a-token',
  never: () => new Map(),
  send: async (batch, { before }) => {
    await before();
    return count-- > 0 ? everyone(batch, () => {}) : unreachable('ENOTFOUND')(batch, () => {});
  },
});

describe('Moving to another computer', () => {
  useWallClock(AT);
  let file: string;
  let shown: { text: string; detail: string | undefined }[];
  /** The buttons that are pressed, wherever they are offered. */
  let press: string[];

  beforeEach(async () => {
    testThreads();
    [shown, press] = [[], []];
    file = join(await temporaryFolder('moving'), 'Bot Chats.ndjson.gz');
    for (const kind of ['showInformationMessage', 'showWarningMessage', 'showErrorMessage'] as const) {
      const show = async (text: string, ...rest: (MessageOptions | string)[]) => {
        const [options] = rest;
        shown.push({ text, detail: typeof options === 'object' ? options.detail : undefined });
        return press.find((button) => rest.includes(button));
      };
      answer(kind, show as unknown as (typeof window)[typeof kind]);
    }
    answer('showSaveDialog', async () => Uri.file(file));
    answer('showOpenDialog', async () => [Uri.file(file)]);
  });
  afterEach(() => {
    restore();
    restoreBuiltins();
  });

  function computer() {
    const host = newHost();
    const files = memoryFiles();
    const store = new DeliveryStore(files);
    const outbox = new Outbox(store);
    const moves = new DeliveryMoves(files, store, outbox, () => {});
    const view = { open() {}, repaint() {}, setMessage() {}, setTitle() {}, showScope() {} };
    const archives = new ArchiveController(host, Uri.joinPath(host.storageUri, 'archive'), view);
    const archive = archives.thread.archive;
    const ports = { outbox: async () => moves, archive: async () => archives.moves };
    const moving = new MoveController(host, ports);
    const states = async () => {
      const entries = await outbox.all();
      return Object.fromEntries(entries.map((entry) => [entry.status.delivery.id, stateOf(entry)]));
    };
    return { outbox, moves, archives, archive, moving, states };
  }
  type Computer = ReturnType<typeof computer>;

  async function* failing() {
    yield* [];
    throw new Error('the disk failed');
  }

  const lastText = () => shown.at(-1)?.text ?? '';
  const allTexts = () => shown.map(({ text }) => text).join();
  /** What is said of an import: the error, or what is shown. */
  async function saidOfImport({ moving } = computer()) {
    shown = [];
    const error = await moving.importData().then(() => undefined, String);
    return error ?? allTexts();
  }

  /** What was said since the last call: each text, and its details. */
  const said = () => shown.splice(0).map(({ text, detail }) => [text, ...(detail?.split('\n\n') ?? [])]);

  /** A computer with three deliveries and an archived chat. */
  async function usedComputer(): Promise<Computer> {
    const one = computer();
    const batches = () => planBatches(groups('a', 'b', 'c'), 1);
    await one.outbox.start(deliveryOf(batches(), { id: DONE }), reaching(9));
    await one.outbox.start(deliveryOf(batches(), { id: BEGUN }), reaching(1));
    await one.outbox.schedule({ ...deliveryOf(batches(), { id: SCHEDULED }), due: DUE });
    await one.archive.addPage(await one.archive.addChat(CHAT), jsonsOf(MESSAGES.slice(0, 1200)));
    return one;
  }

  it('takes everything along, and only schedules there what the user wants to be sent from there', async () => {
    const [here, there] = [await usedComputer(), computer()];
    press = ['Move Them, Too'];
    await here.moving.moveData();
    const all = '3 deliveries and 1,200 messages of 1 archived chat';
    assert.deepEqual(said(), [
      [
        'Copy the outbox and the archive to a file for another computer?',
        `The file gets ${all}. All of it stays here, too.`,
        "It has no tokens and no settings, so no Do Not Send list. It isn't encrypted: anyone who has the file can read the messages.",
        "1 message is scheduled. If you move it, it isn't sent from here anymore, and you schedule it there after the import.",
      ],
      [
        `Saved in Bot Chats.ndjson.gz: ${all}. To import it on the other computer, run “Import Outbox and Archive…” there.`,
      ],
    ]);
    assert.deepEqual(await here.states(), { [DONE]: 'delivered', [BEGUN]: 'unfinished', [SCHEDULED]: 'unfinished' });
    const text = gunzipSync(await readFile(file)).toString();
    assert.ok(!text.includes('a-token'));
    // It's canceled at the last moment.
    assert.ok(text.indexOf(SCHEDULED) > text.indexOf('\nended '));

    press = ['Import'];
    await there.moving.importData();
    assert.deepEqual(await there.states(), { [DONE]: 'delivered', [BEGUN]: 'unfinished', [SCHEDULED]: 'unfinished' });
    const [chat] = await there.archive.chats();
    assert.deepEqual([chat?.messages, chat?.imports[0]?.messages], [1200, 1200]);
    const question = [
      'Import Bot Chats.ndjson.gz?',
      `It was made on ${formatDateTime(AT)} and has ${all}.`,
      'Nothing is sent. What is in the outbox stays, and what has gone further on the other computer is added.',
      'Messages that are archived here already are kept once.',
    ];
    const offer = [
      'Send 1 message from this computer that was scheduled on the other one?',
      `• Hello: ${formatDateTime(DUE)}`,
      'Schedule them on one computer only: each one sends what is scheduled there.',
    ];
    assert.deepEqual(said(), [question, [`Imported from Bot Chats.ndjson.gz: ${all}.`], offer]);

    press = ['Import', 'Schedule'];
    await there.moving.importData();
    const known = ['Nothing new: everything in Bot Chats.ndjson.gz was here already.'];
    assert.deepEqual(said(), [question, known, offer, ['Scheduled messages: 1.']]);
    assert.deepEqual([(await there.outbox.scheduled()).length, (await here.outbox.scheduled()).length], [1, 0]);
    assert.equal((await there.archive.chats())[0]?.messages, 1200);
  });

  it('leaves what is scheduled here if the user wants that, or cancels', async () => {
    const here = await usedComputer();
    press = ['Leave Them Here'];
    await here.moving.moveData();
    assert.equal((await here.outbox.scheduled()).length, 1);
    assert.ok(
      !gunzipSync(await readFile(file))
        .toString()
        .includes(SCHEDULED),
    );
    press = [];
    await here.moving.moveData();
    assert.equal((await here.outbox.scheduled()).length, 1);
  });

  it('schedules again here what it has canceled if the file can’t be written', async () => {
    const here = await usedComputer();
    press = ['Move Them, Too'];
    const page = here.archives.moves.read;
    here.archives.moves.read = failing;
    await assert.rejects(here.moving.moveData(), /the disk failed/);
    here.archives.moves.read = page;
    assert.equal((await here.outbox.scheduled()).length, 1);
    await assert.rejects(readFile(file), /ENOENT/);
  });

  it('leaves canceled what it said is canceled, also if a later move is given up, and no messages in another file', async () => {
    const here = await usedComputer();
    press = ['Move Them, Too', 'Choose File…'];
    await mkdir(join(file, 'a folder of this name'), { recursive: true });
    await assert.rejects(here.moving.moveData(), /canceled now. Schedule it again in the outbox/);
    const names = await readdir(dirname(file));
    assert.ok(!names.some((name) => name.endsWith('.part')), 'a file that can’t get its name');
    here.archives.moves.read = failing;
    await assert.rejects(here.moving.moveData(), /the disk failed/);
    assert.deepEqual(await here.outbox.scheduled(), []);
  });

  it('says that what was scheduled is canceled if that can’t be undone', async () => {
    const here = await usedComputer();
    press = ['Move Them, Too'];
    here.moves.keep = async () => {
      throw new Error('the outbox is full');
    };
    here.archives.moves.read = async function* () {
      yield* [];
    };
    const { reschedule } = here.outbox;
    here.outbox.reschedule = async (entry, due) => {
      const isDone = await reschedule.call(here.outbox, entry, due);
      // Nothing can be written there any more.
      await rm(dirname(file), { recursive: true });
      return isDone;
    };
    await assert.rejects(here.moving.moveData(), /canceled now. Schedule it again in the outbox/);
  });

  it('says that the file is complete if the outbox can’t mark what was moved', async () => {
    const here = await usedComputer();
    press = ['Move Them, Too'];
    here.moves.leave = async () => {
      throw new Error('the outbox is full');
    };
    await assert.rejects(
      here.moving.moveData(),
      /gz: 3 deliveries .*continue each delivery on one computer only\. .*the outbox is full/,
    );
    assert.ok((await readFile(file)).length > 0);
  });

  it('says what was imported until the outbox failed, and asks about what was scheduled there', async () => {
    const [here, there] = [await usedComputer(), computer()];
    press = ['Move Them, Too'];
    await here.moving.moveData();
    const { merge } = there.moves;
    let left = 2;
    there.moves.merge = async (...args) => {
      if (left-- === 0) throw new Error('the disk failed');
      return merge.apply(there.moves, args);
    };
    press = ['Import'];
    await there.moving.importData();
    assert.match(lastText(), /the disk failed.*Imported until then: 2 deliveries.*again to continue/s);
  });

  it('is one at a time in a window', async () => {
    const here = await usedComputer();
    press = ['Move Them, Too'];
    const moved = here.moving.moveData();
    await assert.rejects(here.moving.moveData(), /already being copied/);
    await moved;
    await here.moving.moveData();
  });

  describe('in a file that was changed', () => {
    const lines = async () =>
      gunzipSync(await readFile(file))
        .toString()
        .split('\n');
    const write = (changed: readonly string[]) => writeFile(file, gzipSync(changed.join('\n')));
    beforeEach(async () => {
      press = ['Move Them, Too', 'Import'];
      await (await usedComputer()).moving.moveData();
    });

    it('takes over whole deliveries only, and says so', async () => {
      const all = await lines();
      const damaged = all.findLastIndex((line) => line.startsWith('journal'));
      await write(all.filter((_, at) => at !== damaged));
      const there = computer();
      await there.moving.importData();
      assert.deepEqual(await there.states(), { [BEGUN]: 'unfinished' });
      assert.match(lastText(), /is damaged or incomplete.*Imported until then: 1 delivery/);
    });

    it('names what is wrong with it', async () => {
      const whole = await readFile(file);
      const there = computer();
      const [, ...rest] = await lines();
      for (const [content, problem] of [
        [whole.subarray(0, -300), /damaged or incomplete/],
        [gzipSync(['bot-chats 2', ...rest].join('\n')), /newer version/],
        ['PK\u0003\u0004 a zip', /has no messages that can be imported/],
        ['', /can't be imported/],
        [gzipSync('bot-chats 1\n'), /damaged or incomplete/],
      ] as const) {
        await writeFile(file, content);
        assert.match(await saidOfImport(there), problem);
      }
    });

    it('says which line is to blame, and never that the archive is', async () => {
      const all = await lines();
      const at = all.findIndex((line) => line.startsWith('page '));
      const [first = '', second = ''] = jsonsOf(MESSAGES);
      const deep = first.replace('{', `{"odd":${'['.repeat(200_000)}${']'.repeat(200_000)},`);
      for (const [jsons, what] of [
        [[deep], 'nested too deep'],
        [[first.replace('secretword', 'x'.repeat(700_001))], 'too long'],
        [[first, second, first], 'there twice'],
      ] as const) {
        await write(all.with(at, `page ${await addChecksum({ jsons })}`));
        const text = await saidOfImport();
        assert.ok(text.includes(`Bot Chats.ndjson.gz (line ${at + 1}) is damaged or incomplete.`), `${what}: ${text}`);
        assert.match(text, /Imported from Bot Chats\.ndjson\.gz: 3 deliveries/, what);
      }
      await write(all.with(at, `page ${await addChecksum({ jsons: Array<string>(60_001).fill('') })}`));
      assert.match(await saidOfImport(), new RegExp(`line ${at + 1}\\).* 60,000 values`));
    });
  });

  it('takes over all deliveries even if the archive fails, and says why that did', async () => {
    press = ['Move Them, Too', 'Import'];
    await (await usedComputer()).moving.moveData();
    const there = computer();
    const full = async () => {
      throw new UserFacingError('The disk is full.');
    };
    there.archives.moves.begin = async () => ({ add: full, end: full });
    await there.moving.importData();
    assert.equal(Object.keys(await there.states()).length, 3);
    assert.match(allTexts(), /The archived chats weren't imported to the end. The disk is full/);
  });

  describe('of the messages of an exported file', () => {
    const chooseAnotherChat = () =>
      answer('showQuickPick', (async (items: unknown[]) =>
        items.at(-1)) as unknown as (typeof window)['showQuickPick']);
    const exported = async (entries: readonly unknown[]) => {
      file = file.replace(/[^/\\]*$/, 'chat.ndjson');
      const lines = entries.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
      await writeFile(file, `${lines.join('\n')}\n`);
    };

    /** A computer with an archived chat, which is empty. `run` imports lines into it. */
    async function withChat(importPage?: Computer['archive']['importPage']) {
      const there = computer();
      const chat = await there.archive.addChat(CHAT);
      const archive = new Proxy(there.archive, {
        get: (of, name) => (name === 'importPage' && importPage) || Reflect.get(of, name),
      });
      let changes = 0;
      const messages = new MessageImport(archive, newHost(), there.archives, () => changes++);
      const run = (lines: () => Iterable<string> | AsyncIterable<string>) =>
        messages.run(
          'chat.ndjson',
          async function* () {
            yield* lines();
          },
          chat,
        );
      return { ...there, chat, run, changes: () => changes };
    }

    it('asks which chat it is, knows it by its messages, and lists lines that are none', async () => {
      const { chat, ...there } = await withChat();
      const other = await there.archive.addChat({ ...CHAT, id: '2' });
      await there.archive.addPage(other, jsonsOf([messageOf('x', 'elsewhere')]));
      await there.archive.addPage(chat, jsonsOf(MESSAGES.slice(5, 7)));
      await exported([...MESSAGES.slice(0, 6), '{"no":"message"}', 'rubbish', ...MESSAGES.slice(10, 12)]);
      const lists: string[][] = [];
      answer('showQuickPick', (async (items: { label: string; description?: string }[]) => {
        lists.push(items.map(({ label, description }) => `${label} ${description ?? ''}`.trim()));
        return items[0];
      }) as unknown as (typeof window)['showQuickPick']);
      await there.moving.importData();
      assert.match(lists[0]?.[0] ?? '', /100000001 has messages of this file/);
      assert.equal(lists[0]?.at(-1), 'Another Chat…');
      const text = lastText();
      assert.match(text, /^Imported 7 messages from chat.ndjson into the archive of 100000001. Already there: 1/);
      assert.match(text, /Lines that aren't messages: 7, 8/);
      const now = (await there.archive.chats()).find(({ number }) => number === chat);
      assert.deepEqual([now?.messages, now?.apart, now?.imports[0]?.name], [9, 7, 'chat.ndjson']);
    });

    it('takes none that no response could have', async () => {
      const { chat, ...there } = await withChat();
      const odd = (json: string) => JSON.stringify(messageOf('odd', '')).replace('{', `{"odd":${json},`);
      await exported([
        odd(`"${'x'.repeat(700_001)}"`),
        odd(`[${'0,'.repeat(5_000)}0]`),
        odd(`[${'[],'.repeat(1_000_000)}0]`),
        odd(`${'['.repeat(200_000)}${']'.repeat(200_000)}`),
        ...MESSAGES.slice(0, 2),
      ]);
      await there.moving.importMessages(chat);
      assert.match(lastText(), /^Imported 2 messages from .* Lines that aren't messages: 1, 2, 3, 4\.$/);
    });

    it('names the line that is too long, after what was imported until then', async () => {
      const { chat, ...there } = await withChat();
      await exported([...MESSAGES.slice(0, 600), 'x'.repeat(11_000_000)]);
      await assert.rejects(
        there.moving.importMessages(chat),
        /^UserFacingError: chat\.ndjson \(line 601\) can't be imported any further: a line has more than 6 MB/,
      );
      assert.match(lastText(), /^Imported 500 messages from chat\.ndjson into/);
    });

    it('can be canceled amid empty lines', async () => {
      const { run } = await withChat();
      let cancel: (() => void) | undefined;
      answer('withProgress', (async (_, task) => {
        const abort = new CancellationTokenSource();
        cancel = () => abort.cancel();
        return task({ report: () => {} }, abort.token);
      }) as typeof window.withProgress);
      await run(function* () {
        yield JSON.stringify(MESSAGES[0]);
        for (let left = 1_000; left > 0; left--) yield '';
        cancel?.();
        yield '';
        if (cancel) assert.fail('it reads on');
      });
      assert.match(lastText(), /^The import was canceled/);
    });

    it('shows what was imported until the disk was full, and says why it ended', async () => {
      let left = 1;
      const { archive, run, changes } = await withChat((...page) =>
        left-- > 0 ? archive.importPage(...page) : Promise.reject(new ArchiveError('full')),
      );
      await assert.rejects(
        run(() => jsonsOf(MESSAGES.slice(0, 1200))),
        /disk is full/,
      );
      assert.equal(changes(), 1);
      assert.match(lastText(), /^Imported 500 messages from chat.ndjson into/);
    });

    it('hands long ones to the archive a few at a time', async () => {
      const sizes: number[] = [];
      const { run } = await withChat(async (_, { jsons }) => {
        sizes.push(jsons.join('').length);
        return jsons.length;
      });
      await run(function* () {
        for (let at = 0; at < 20; at++) yield JSON.stringify(messageOf(`m${at}`, 'long '.repeat(60_000)));
      });
      assert.ok(Math.max(...sizes) < 2_000_000, `${sizes}`);
      assert.match(lastText(), /^Imported 20 messages/);
    });

    it('says that the chat was deleted meanwhile, and not that its messages are there', async () => {
      for (const deletedAt of [500, 1000]) {
        const { archive, chat, run } = await withChat();
        let isSample = true;
        const lines = async function* () {
          const isDeleted = !isSample;
          isSample = false;
          for (const [at, line] of jsonsOf(MESSAGES.slice(0, 1200)).entries()) {
            if (isDeleted && at === deletedAt - 1) await archive.removeChat(chat);
            yield line;
          }
        };
        shown = [];
        await assert.rejects(run(lines), /deleted from the archive/);
        assert.deepEqual(shown, []);
      }
    });

    it('says how much is read, and that it can go on after it was canceled', async () => {
      const { chat, ...there } = await withChat();
      await exported(MESSAGES.slice(0, 6));
      let isCanceled = true;
      let percent = 0;
      answer('withProgress', (async (_, task) => {
        const token = { isCancellationRequested: isCanceled, onCancellationRequested: () => ({ dispose() {} }) };
        return task({ report: ({ increment = 0 }) => (percent += increment) }, token);
      }) as typeof window.withProgress);
      await there.moving.importMessages(chat);
      assert.match(lastText(), /^The import was canceled\. .+ Import it again to continue\.$/);
      [isCanceled, percent] = [false, 0];
      await there.moving.importMessages(chat);
      assert.match(lastText(), /^Imported 6 messages/);
      assert.equal(percent, 100);
    });

    it('asks for one other chat, by the name of the file', async () => {
      const service = await startService({ groups: ['518204736'] });
      try {
        await exported(MESSAGES.slice(0, 6));
        chooseAnotherChat();
        const lists = onLists('escape');
        await computer().moving.importData();
        assert.deepEqual(
          lists.map(({ title, placeholder }) => [title, placeholder]),
          [['Import chat.ndjson', 'Select a chat, or enter the ID of another one or a link to it']],
        );
        assert.deepEqual(shown, []);
      } finally {
        await service.close();
      }
    });

    it('still archives no more of a chat than before if that is chosen as another one', async () => {
      const service = await startService({ groups: ['518204736'] });
      try {
        const { archive, archives } = computer();
        const host = newHost({ access: { chooseBot: async () => '20000001' } });
        const { address } = await host.connection.open();
        await archive.addChat({ service: address, kind: 'group', id: '518204736', botId: '20000001' }, 5);
        chooseAnotherChat();
        onLists(({ label }) => label.includes('518204736'));
        const messages = new MessageImport(archive, host, archives, () => {});
        await messages.run('chat.ndjson', async function* () {
          yield* jsonsOf(MESSAGES.slice(0, 6));
        });
        assert.deepEqual(
          (await archive.chats()).map(({ messages, since }) => [messages, since]),
          [[6, 5]],
        );
      } finally {
        await service.close();
      }
    });

    it('says that a browser has no archive for them, and of any other file that it can’t be imported', async () => {
      const { moves } = computer();
      const moving = new MoveController(newHost(), { outbox: async () => moves, archive: async () => undefined });
      await exported(MESSAGES.slice(0, 2));
      await assert.rejects(moving.importData(), {
        name: 'UserFacingError',
        message: "The messages of chat.ndjson can't be imported: there is no archive in a browser.",
      });
      await exported(['PK a zip']);
      await assert.rejects(moving.importData(), /^UserFacingError: chat\.ndjson can't be imported\./);
    });

    it('asks before it imports them into a chat although another one has them', async () => {
      const { chat, ...there } = await withChat();
      await there.archive.addPage(await there.archive.addChat({ ...CHAT, id: '2' }), jsonsOf(MESSAGES.slice(0, 2)));
      await exported(MESSAGES.slice(0, 6));
      await there.moving.importMessages(chat);
      assert.match(lastText(), /^Import chat.ndjson into the archive of 100000001\?/);
      press = ['Import Anyway'];
      await there.moving.importMessages(chat);
      assert.match(lastText(), /^Imported 6 messages/);
    });
  });
});
