import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type OpenDialogOptions, type SaveDialogOptions, Uri } from 'vscode';
import type { ArchivePart, MovableArchive } from '../../../src/chats/contract.ts';
import type { MergeResult, MovableOutbox, MovedDelivery, OutboxSurvey } from '../../../src/deliveries/contract.ts';
import { compress, linesOf } from '../../../src/moving/compressedLines.ts';
import { registerMoving } from '../../../src/moving/index.ts';
import { MoveController } from '../../../src/moving/moveController.ts';
import { type MovedPart, readMoved, writeMoved } from '../../../src/moving/moveFile.ts';
import { BufferLimitError } from '../../../src/platform/fileAppender.ts';
import { readPieces } from '../../../src/platform/fileReader.ts';
import { UserFacingError } from '../../../src/presentation/errorText.ts';
import { formatDateTime } from '../../../src/presentation/formats.ts';
import { temporaryFolder } from '../../host/temporary.ts';
import { answer, onDialogs, restore } from '../answers.ts';
import { useWallClock } from '../clocks.ts';
import { all, each } from '../deferred.ts';
import { AT } from '../deliveries/outbox/testDeliveries.ts';
import { onProgress } from '../deliveries/outbox/testOutbox.ts';
import { inBrowser } from '../inBrowser.ts';
import { newHost } from '../test-host.ts';

const CHAT: ArchivePart = {
  what: 'chat',
  chat: { botChat: { service: 'https://chat.example', kind: 'group', id: '1', botId: '2' }, name: '', botName: '' },
};
const pageOf = (...jsons: string[]): ArchivePart => ({ what: 'page', page: { jsons } });
const ENDED: ArchivePart = { what: 'ended' };

const deliveryOf = (id: string, due?: number): MovedDelivery => ({
  id,
  lines: [id],
  claims: [],
  journal: [],
  replies: [],
  due,
});

/** An outbox with these deliveries, of which nothing was read yet. */
class TestOutbox implements MovableOutbox {
  found: OutboxSurvey = { ids: ['a', 'b'], scheduled: [], sending: 0, unreadable: 0 };
  /** What was asked of it. */
  asked: (readonly [what: string, ...unknown[]])[] = [];
  merges: MergeResult[] = [];

  survey = async () => this.found;
  take = async (id: string, at: number, mayCancel: boolean): Promise<MovedDelivery | undefined> => {
    this.asked.push(['take', id, at, mayCancel]);
    return deliveryOf(id);
  };
  keep = async () => void this.asked.push(['keep']);
  leave = async (ids: readonly string[], at: number) => void this.asked.push(['leave', ids, at]);
  merge = async ({ id }: MovedDelivery, at: number) => {
    this.asked.push(['merge', id, at]);
    return this.merges.shift() ?? 'added';
  };
  askToSchedule = async (moved: readonly { id: string; due: number }[]) => void this.asked.push(['schedule', moved]);
}

/** An archive with one chat of three messages, all of which are new to another one. */
class TestArchive implements MovableArchive {
  found = { chats: 1, messages: 3 };
  parts: ArchivePart[] = [CHAT, pageOf('1', '2'), pageOf('3'), ENDED];
  /** What was imported. */
  imported: unknown[] = [];

  survey = async () => this.found;
  read = () => each(this.parts);
  begin: MovableArchive['begin'] = async ({ botChat }, name) => {
    this.imported.push([botChat.id, name]);
    return {
      add: async ({ jsons }) => {
        this.imported.push(jsons);
        return jsons.length;
      },
      end: async (isWhole) => void this.imported.push(isWhole ? 'whole' : 'in part'),
    };
  };
  importMessages: MovableArchive['importMessages'] = async (file, lines, chat) => {
    let done = 0;
    const read = await all(
      lines((share) => {
        done = share;
      }),
    );
    this.imported.push(file, read, chat, done);
  };
}

describe('A move to another computer', () => {
  useWallClock(AT);
  let file: string;
  let outbox: TestOutbox;
  let archive: TestArchive | undefined;
  let controller: MoveController;
  let shown: ReturnType<typeof onDialogs>;
  /** The button that is pressed wherever it's offered. */
  let press: string | undefined;
  /** The dialogs in which a file was chosen. */
  let dialogs: (OpenDialogOptions & SaveDialogOptions)[];
  let logged: unknown[];

  beforeEach(async () => {
    file = join(await temporaryFolder('moved'), 'moved.ndjson.gz');
    outbox = new TestOutbox();
    archive = new TestArchive();
    const host = newHost();
    logged = [];
    host.log.error = (error) => void logged.push(error);
    controller = new MoveController(host, { outbox: async () => outbox, archive: async () => archive });
    shown = onDialogs((buttons) => buttons.find((button) => button === press));
    press = 'Choose File…';
    dialogs = [];
    answer('showSaveDialog', async (options = {}) => {
      dialogs.push(options);
      return Uri.file(file);
    });
    answer('showOpenDialog', async (options = {}) => {
      dialogs.push(options);
      return [Uri.file(file)];
    });
  });
  afterEach(restore);

  const last = () => [shown.at(-1)?.how, shown.at(-1)?.text];
  const lines = () => linesOf(readPieces(Uri.file(file)));
  const written = () => all(readMoved(lines()));
  /** Makes a file of another computer. */
  const write = (...parts: MovedPart[]) =>
    writeParts({ what: 'made', at: AT, deliveries: 2, chats: 1, messages: 3 }, ...parts);
  const writeParts = async (...parts: MovedPart[]) => {
    await writeFile(file, await all(compress(writeMoved(each(parts)))));
    press = 'Import';
  };
  /** Leaves only so many lines in the file. */
  const cutOff = async (end: number) => writeFile(file, await all(compress(each((await all(lines())).slice(0, end)))));
  const delivery = (id: string, due?: number): MovedPart => ({ what: 'delivery', delivery: deliveryOf(id, due) });

  describe('to a file', () => {
    const first = 'The file gets 2 deliveries and 3 messages of 1 archived chat. All of it stays here, too.';
    const second =
      "It has no tokens and no settings, so no Do Not Send list. It isn't encrypted: anyone who has the file can read the messages.";

    const chooseFile = ['Choose File…'];
    const leaveOrMove = ['Leave Them Here', 'Move Them, Too'];
    const one =
      "1 message is scheduled. If you move it, it isn't sent from here anymore, and you schedule it there after the import.";
    const two =
      "2 messages are scheduled. If you move them, they aren't sent from here anymore, and you schedule them there after the import.";
    for (const [what, found, lines, buttons] of [
      ['nothing else', {}, [], chooseFile],
      ['what is sent', { sending: 1 }, ['Left out, because they are being sent: 1 delivery.'], chooseFile],
      ['what is damaged', { unreadable: 2 }, ["Left out, because they can't be read: 2 deliveries."], chooseFile],
      ['what is scheduled', { scheduled: ['b'] }, [one], leaveOrMove],
      ['all that is scheduled', { scheduled: ['a', 'b'] }, [two], leaveOrMove],
    ] as const)
      it(`asks what goes along, and names ${what}`, async () => {
        outbox.found = { ...outbox.found, ...found };
        press = undefined;
        await controller.moveData();
        const text = 'Copy the outbox and the archive to a file for another computer?';
        const detail = [first, second, ...lines].join('\n\n');
        assert.deepEqual(shown, [{ how: 'Warning', text, detail, buttons }]);
        assert.deepEqual(outbox.asked, []);
      });

    it('needs something to copy', async () => {
      outbox.found = { ...outbox.found, ids: [] };
      await controller.moveData();
      assert.deepEqual(await written(), [
        { what: 'made', at: AT, deliveries: 0, chats: 1, messages: 3 },
        ...(archive?.parts.map((part, at) => (part.what === 'ended' ? part : { ...part, line: at + 3 })) ?? []),
      ]);
      archive = undefined;
      await assert.rejects(controller.moveData(), { name: 'UserFacingError' });
    });

    it('is saved where the user wants, by default under a name with the day', async () => {
      await controller.moveData();
      const [{ title, filters, defaultUri } = assert.fail()] = dialogs;
      assert.equal(title, 'Copy Outbox and Archive');
      assert.deepEqual(filters, { 'Bot Chats': ['gz'] });
      assert.match(`${defaultUri?.path}`, /\/Bot Chats 2026-11-2\d\.ndjson\.gz$/);
    });

    it('changes nothing if no file is chosen', async () => {
      answer('showSaveDialog', async () => undefined);
      await controller.moveData();
      assert.deepEqual(outbox.asked, []);
    });

    it('takes what is scheduled last, as only that is canceled here, and notes what the file has', async () => {
      outbox.found = { ...outbox.found, ids: ['a', 'b', 'c'], scheduled: ['a'] };
      press = 'Move Them, Too';
      await controller.moveData();
      assert.deepEqual(
        (await written()).map((part) => (part.what === 'delivery' ? part.delivery.id : part.what)),
        ['made', 'b', 'c', 'chat', 'page', 'page', 'ended', 'a'],
      );
      assert.deepEqual(outbox.asked, [
        ['take', 'b', AT, false],
        ['take', 'c', AT, false],
        ['take', 'a', AT, true],
        ['leave', ['b', 'c', 'a'], AT],
      ]);
      assert.deepEqual(last(), [
        'Information',
        'Saved in moved.ndjson.gz: 3 deliveries and 3 messages of 1 archived chat. ' +
          'To import it on the other computer, run “Import Outbox and Archive…” there.',
      ]);
    });

    it('leaves what is scheduled here if the user wants that', async () => {
      outbox.found = { ...outbox.found, scheduled: ['a'] };
      press = 'Leave Them Here';
      await controller.moveData();
      assert.deepEqual(outbox.asked, [
        ['take', 'b', AT, false],
        ['leave', ['b'], AT],
      ]);
    });

    it('is made one at a time in a window', async () => {
      const moved = controller.moveData();
      await assert.rejects(controller.moveData(), /already being copied/);
      await moved;
      await controller.moveData();
    });

    it('says how far it is', async () => {
      const reports: unknown[] = [];
      onProgress(({ message }) => reports.push(message));
      await controller.moveData();
      assert.deepEqual(reports, ['1 of 2 deliveries', '2 of 2 deliveries', '2 of 3 messages', '3 of 3 messages']);
    });

    it('counts no more messages than there were, if some have come meanwhile', async () => {
      if (archive) archive.parts = [CHAT, pageOf('1', '2', '3', '4'), ENDED];
      const reports: unknown[] = [];
      onProgress(({ message }) => reports.push(message));
      await controller.moveData();
      assert.equal(reports.at(-1), '3 of 3 messages');
    });

    it('says how many were left out, because they were being sent by then', async () => {
      outbox.take = async (id) => (id === 'a' ? undefined : deliveryOf(id));
      await controller.moveData();
      assert.deepEqual(last(), [
        'Information',
        'Saved in moved.ndjson.gz: 1 delivery and 3 messages of 1 archived chat. ' +
          'Left out, because they were being sent: 1 delivery. ' +
          'To import it on the other computer, run “Import Outbox and Archive…” there.',
      ]);
    });

    describe('can be canceled', () => {
      /** Cancels once it has come so far. */
      const cancelAt = (message: string) => onProgress((report, cancel) => report.message === message && cancel());
      const assertCanceled = async () => {
        assert.deepEqual(last(), ['Information', 'Copying was canceled. Nothing has changed.']);
        assert.deepEqual(await readdir(dirname(file)), []);
        assert.deepEqual(logged, []);
      };

      it('amid the deliveries', async () => {
        cancelAt('1 of 2 deliveries');
        await controller.moveData();
        await assertCanceled();
        assert.deepEqual(outbox.asked, [['take', 'a', AT, false], ['keep']]);
      });

      it('amid the messages', async () => {
        let read = 0;
        archive = new TestArchive();
        archive.read = async function* () {
          for (const part of this.parts) {
            read++;
            yield part;
          }
        };
        cancelAt('2 of 3 messages');
        await controller.moveData();
        await assertCanceled();
        assert.equal(read, 3);
      });

      it('once everything is there, and schedules again what it has canceled', async () => {
        outbox.found = { ...outbox.found, scheduled: ['b'] };
        press = 'Move Them, Too';
        cancelAt('2 of 2 deliveries');
        await controller.moveData();
        await assertCanceled();
        assert.deepEqual(outbox.asked.at(-1), ['keep']);
      });
    });

    for (const [title, due, isSaid] of [
      ['says that what was scheduled is canceled now if the file can’t get its name', AT, true],
      ['says nothing of what was scheduled if nothing was', undefined, false],
    ] as const)
      it(title, async () => {
        // A folder with something in it can't be replaced.
        await mkdir(join(file, 'a folder of this name'), { recursive: true });
        outbox.take = async (id) => deliveryOf(id, due);
        await assert.rejects(controller.moveData(), ({ message }: Error) => {
          assert.equal(message.includes('What was scheduled is canceled now.'), isSaid);
          return true;
        });
        assert.deepEqual(await readdir(dirname(file)), ['moved.ndjson.gz']);
        // It may be there nevertheless.
        assert.deepEqual(outbox.asked, [['leave', ['a', 'b'], AT]]);
      });

    for (const [why, prepare, message] of [
      ['it was canceled', () => onProgress((_, cancel) => cancel()), 'The disk is full.'],
      [
        'it failed',
        () => {
          archive = new TestArchive();
          archive.read = () => assert.fail(new UserFacingError('Not now.'));
        },
        'Not now.',
      ],
    ] as const)
      it(`says that what was scheduled is canceled now if that can’t be undone after ${why}`, async () => {
        prepare();
        const full = new UserFacingError('The disk is full.');
        outbox.keep = () => Promise.reject(full);
        const canceled = 'What was scheduled is canceled now. Schedule it again in the outbox.';
        await assert.rejects(controller.moveData(), { name: 'UserFacingError', message: `${message} ${canceled}` });
        assert.deepEqual(logged, [full]);
      });

    it('says that the file is complete if the outbox can’t note what it has', async () => {
      outbox.leave = () => Promise.reject(new UserFacingError('The outbox is full.'));
      await assert.rejects(controller.moveData(), {
        message:
          'Saved in moved.ndjson.gz: 2 deliveries and 3 messages of 1 archived chat. ' +
          "The outbox couldn't mark what was copied: continue each delivery on one computer only. The outbox is full.",
      });
      assert.equal((await written()).length, 7);
    });

    const tooLarge = 'moved.ndjson.gz is too large for a file on another computer. Choose a local file.';
    for (const [why, error, expected, isLogged] of [
      ['the outbox explains it', new UserFacingError('Not now.'), 'Not now.', false],
      ['the disk fails', new Error('EIO'), 'EIO', true],
      ['it is too large for memory', new BufferLimitError(), tooLarge, true],
    ] as const)
      it(`fails if ${why}, and says so`, async () => {
        outbox.take = () => Promise.reject(error);
        await assert.rejects(controller.moveData(), { message: expected });
        assert.deepEqual(outbox.asked, [['keep']]);
        assert.deepEqual(logged, isLogged ? [error] : []);
      });

    it('fails in a browser if it is too large for that', async () => {
      outbox.take = () => Promise.reject(new BufferLimitError());
      const message = /ndjson\.gz is too large for a browser\. Use a desktop or remote window\.$/;
      await inBrowser(() => assert.rejects(controller.moveData(), { message }));
    });
  });

  describe('from a file', () => {
    const has = (what: string) => `It was made on ${formatDateTime(AT)} and has ${what}.`;
    const total = has('2 deliveries and 3 messages of 1 archived chat');
    const everything = { deliveries: 2, chats: 1, messages: 3 };
    const deliveries = { deliveries: 2, chats: 0, messages: 0 };
    const messages = { deliveries: 0, chats: 1, messages: 3 };
    const nothingIsSent =
      'Nothing is sent. What is in the outbox stays, and what has gone further on the other computer is added.';
    const kept = 'Messages that are archived here already are kept once.';
    const onlyChats = 'Only the archived chats are imported.';
    const noChats = 'The archived chats are left out: there is no archive in a browser.';
    const noArchive = { hasArchive: false };

    for (const [what, where, made, lines] of [
      ['everything', {}, everything, [total, nothingIsSent, kept]],
      ['deliveries', {}, deliveries, [has('2 deliveries'), nothingIsSent]],
      ['messages', {}, messages, [has('3 messages of 1 archived chat'), kept]],
      ['everything into a chat', { chat: 7 }, everything, [total, onlyChats, kept]],
      ['messages into a chat', { chat: 7 }, messages, [has('3 messages of 1 archived chat'), kept]],
      ['everything in a browser', noArchive, everything, [total, nothingIsSent, noChats]],
      ['deliveries in a browser', noArchive, deliveries, [has('2 deliveries'), nothingIsSent]],
    ] as const)
      it(`says before what is imported: ${what}`, async () => {
        const { chat, hasArchive = true }: { chat?: number; hasArchive?: boolean } = where;
        await writeParts({ what: 'made', at: AT, ...made }, delivery('a'));
        press = undefined;
        if (!hasArchive) archive = undefined;
        await controller.importMessages(chat);
        const text = 'Import moved.ndjson.gz?';
        assert.deepEqual(shown, [{ how: 'Warning', text, detail: lines.join('\n\n'), buttons: ['Import'] }]);
        assert.deepEqual(outbox.asked, []);
      });

    it('is chosen among files of its kinds', async () => {
      answer('showOpenDialog', async (options = {}) => void dialogs.push(options));
      await controller.importData();
      await controller.importMessages(7);
      const filters = { 'Bot Chats': ['gz', 'ndjson', 'jsonl'] };
      assert.deepEqual(dialogs, [
        { title: 'Import Outbox and Archive', filters },
        { title: 'Import Messages', filters },
      ]);
      assert.deepEqual(shown, []);
    });

    it('hands each part over, says how far it is, and asks about what was scheduled', async () => {
      const reports: unknown[] = [];
      onProgress(({ message }) => message && reports.push(message));
      await write(delivery('a', AT), delivery('b'), CHAT, pageOf('1', '2'), pageOf('3'), ENDED);
      await controller.importData();
      assert.deepEqual(outbox.asked, [
        ['merge', 'a', AT],
        ['merge', 'b', AT],
        ['schedule', [{ id: 'a', due: AT }]],
      ]);
      assert.deepEqual(archive?.imported, [['1', 'moved.ndjson.gz'], ['1', '2'], ['3'], 'whole']);
      assert.deepEqual(reports, [
        '1 delivery',
        '2 deliveries',
        '0 new messages',
        '2 new messages',
        '3 new messages',
        '3 new messages',
      ]);
      const text = 'Imported from moved.ndjson.gz: 2 deliveries and 3 messages of 1 archived chat.';
      assert.deepEqual(last(), ['Information', text]);
    });

    const everyPart = [delivery('a', AT), CHAT, pageOf('1'), ENDED];
    for (const [title, parts, where, asked, text] of [
      ['into a chat nothing but messages', everyPart, { chat: 7 }, [], '1 message of 1 archived chat'],
      ['messages alone', [CHAT, pageOf('1', '2'), ENDED], {}, ['schedule'], '2 messages of 1 archived chat'],
      ['a chat without new messages', [CHAT, ENDED], { chat: 7 }, [], '0 messages of 1 archived chat'],
      ['in a browser nothing but deliveries', everyPart, noArchive, ['merge', 'schedule'], '1 delivery'],
    ] as const)
      it(`imports ${title}, and says so`, async () => {
        const { chat, hasArchive = true }: { chat?: number; hasArchive?: boolean } = where;
        if (!hasArchive) archive = undefined;
        await write(...parts);
        await controller.importMessages(chat);
        const done = outbox.asked.map(([what]) => what);
        assert.deepEqual(done, asked);
        assert.deepEqual(last(), ['Information', `Imported from moved.ndjson.gz: ${text}.`]);
      });

    const diverged = 'Deliveries that went on differently on both computers, and stay as they are here: 1.';
    for (const [result, how, text] of [
      ['extended', 'Information', 'Deliveries that had gone further there: 1.'],
      ['sending', 'Information', 'Deliveries that are being sent here, and stay as they are: 1.'],
      ['diverged', 'Warning', diverged],
      ['damaged', 'Warning', "Damaged deliveries, which weren't imported: 1."],
    ] as const)
      it(`says what became of a delivery: ${result}`, async () => {
        outbox.merges = [result];
        await write(delivery('a', AT));
        await controller.importData();
        assert.deepEqual(last(), [how, `Imported from moved.ndjson.gz: 0 deliveries. ${text}`]);
        // What wasn't imported can't be scheduled.
        assert.deepEqual(outbox.asked.at(-1), ['schedule', result === 'damaged' ? [] : [{ id: 'a', due: AT }]]);
      });

    it('says that all was here already', async () => {
      outbox.merges = ['kept'];
      await write(delivery('a'));
      await controller.importData();
      assert.deepEqual(last(), ['Information', 'Nothing new: everything in moved.ndjson.gz was here already.']);
    });

    it('can be canceled, says what was imported until then, and ends the chat in part', async () => {
      onProgress(({ message }, cancel) => message === '2 new messages' && cancel());
      await write(delivery('a', AT), CHAT, pageOf('1', '2'), pageOf('3'), ENDED);
      await controller.importData();
      assert.deepEqual(archive?.imported, [['1', 'moved.ndjson.gz'], ['1', '2'], 'in part']);
      assert.deepEqual(last(), [
        'Warning',
        'The import was canceled. Imported until then: 1 delivery and 2 messages of 1 archived chat. Import it again to continue.',
      ]);
      assert.deepEqual(outbox.asked.at(-1), ['schedule', [{ id: 'a', due: AT }]]);
      assert.deepEqual(logged, []);
    });

    it('takes over whole deliveries only from a damaged file, and says so', async () => {
      await write(delivery('a'), delivery('b'));
      await cutOff(-2);
      await controller.importData();
      assert.deepEqual(outbox.asked, [
        ['merge', 'a', AT],
        ['schedule', []],
      ]);
      assert.match(`${last()[1]}`, /^moved\.ndjson\.gz is damaged .* Imported until then: 1 delivery\./);
    });

    it('logs why it ended early, and says so', async () => {
      outbox.merge = () => Promise.reject(new Error('EIO'));
      await write(delivery('a'));
      await controller.importData();
      assert.equal(last()[0], 'Warning');
      assert.match(`${last()[1]}`, /EIO.* Imported until then: 0 deliveries\. Import it again to continue\.$/);
      assert.deepEqual(logged, [new Error('EIO')]);
    });

    for (const [first, said] of [
      [undefined, 'no sync'],
      ['EIO', 'EIO'],
    ] as const)
      it(`says why a chat that breaks off can't be imported: ${said}`, async () => {
        if (archive)
          archive.begin = async () => ({
            add: async () => {
              if (first) throw new Error(first);
              return 1;
            },
            end: () => Promise.reject(new Error('no sync')),
          });
        await write(CHAT, pageOf('1'), ENDED);
        // The chat has no end.
        await cutOff(-2);
        await controller.importData();
        assert.match(`${last()[1]}`, new RegExp(`The archived chats weren't imported to the end\\. .*${said}`));
      });

    it('takes over the deliveries after a page that no archive could have made, and names its line', async () => {
      await write(CHAT, pageOf('1'), pageOf('2'), ENDED, CHAT, ENDED, delivery('a'));
      if (archive) {
        const { begin } = archive;
        archive.begin = async (...of) => ({ ...(await begin(...of)), add: async () => undefined });
      }
      await controller.importData();
      assert.deepEqual(archive?.imported, [['1', 'moved.ndjson.gz'], 'in part']);
      assert.deepEqual(outbox.asked[0], ['merge', 'a', AT]);
      assert.match(
        `${last()[1]}`,
        /The archived chats weren't imported to the end\. moved\.ndjson\.gz \(line 4\) is dam/,
      );
    });
  });

  for (const [content, message] of [
    ['', "moved.ndjson.gz can't be imported."],
    ['bot-chats 1\n', 'moved.ndjson.gz is damaged or incomplete.'],
    ['bot-chats 2\nmore', 'moved.ndjson.gz is from a newer version'],
    ['x'.repeat(2 ** 23), "moved.ndjson.gz (line 1) can't be imported any further"],
  ] as const)
    it(`says what is wrong with a file: ${message}`, async () => {
      await writeFile(file, content);
      await assert.rejects(
        controller.importData(),
        (error) => error instanceof UserFacingError && error.message.startsWith(message),
      );
      assert.equal(logged.length, 1);
    });

  it('hands the lines of any other file to the archive, and how much is read', async () => {
    await writeFile(file, 'PK a zip\n{}');
    await controller.importMessages(7);
    assert.deepEqual(archive?.imported, ['moved.ndjson.gz', ['PK a zip', '{}'], 7, 1]);
  });

  for (const [content, message] of [
    ['{}', "The messages of moved.ndjson.gz can't be imported: there is no archive in a browser."],
    ['PK a zip', /^moved\.ndjson\.gz can't be imported\. Choose a file from/],
  ] as const)
    it(`imports no other file in a browser: ${content}`, async () => {
      archive = undefined;
      await writeFile(file, content);
      await assert.rejects(controller.importData(), { name: 'UserFacingError', message });
    });

  it('has no archive in a browser', async () => {
    const host = newHost();
    outbox.found = { ...outbox.found, ids: [] };
    const archiveOf = async () => archive ?? assert.fail();
    const registered = registerMoving(host, { outbox: async () => outbox, archive: archiveOf });
    await inBrowser(async () => assert.rejects(host.commands.run('moveData'), /nothing to copy/));
    press = undefined;
    await host.commands.run('moveData');
    assert.match(shown[0]?.detail ?? '', /3 messages/);
    for (const one of registered) one.dispose();
  });
});
