import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type MessageOptions, Uri, type window } from 'vscode';
import type { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import { ArchiveError } from '../../../../src/chats/archive/archiveError.ts';
import { ArchiveController } from '../../../../src/chats/archiving/archiveController.ts';
import { archiveErrorText } from '../../../../src/chats/archiving/archiveErrorText.ts';
import { archiveFile } from '../../../../src/chats/archiving/archiveFile.ts';
import { shownText } from '../../../../src/markup/safeText.ts';
import type { ArchivedChatArgument } from '../../../../src/platform/commandArguments.ts';
import type { Service } from '../../../../src/platform/service.ts';
import { Listed } from '../../../../src/service/message.ts';
import { Bot, type Found, Group, type Kind } from '../../../../src/service/model.ts';
import { answer, pick, restore } from '../../answers.ts';
import { holdTimers } from '../../clocks.ts';
import { newHost } from '../../test-host.ts';
import { CHAT, fullDisk, jsonsOf, messageOf } from '../archive/archives.ts';
import { restoreBuiltins, testThreads } from './testThreads.ts';

const DELETE_ALL = 'Delete all archived messages?';
const DETAIL =
  "The messages are overwritten in the archive's file and can't be restored from it. Nothing is deleted from the service.";
const FULL =
  'The disk is full. Free a few megabytes to delete only some chats, or delete the entire archive, which needs no space.';
const DISK_FULL = archiveErrorText(new ArchiveError('full'));
const BUSY = archiveErrorText(new ArchiveError('busy'));
const DAMAGED = archiveErrorText(new ArchiveError('damaged'));

const DAMAGED_WHOLE =
  'The archive is damaged, so it can only be deleted as a whole. To keep the damaged file instead, select Cancel, and then Retry in the Archive view.';

/** Knows no names. */
const directory = { labelOf: () => undefined, peek: () => undefined };

/** What SQLite throws if a file is damaged, and Node if another process has it open. */
const damaged = () => Object.assign(new Error('database disk image is malformed'), { errcode: 11 });
const inUse = () => Object.assign(new Error('EBUSY: resource busy or locked'), { code: 'EBUSY' });

interface Shown {
  readonly text: string;
  readonly detail: string | undefined;
  readonly buttons: readonly string[];
}

describe('The archive in a window', () => {
  let host: ReturnType<typeof newHost>;
  let folder: string;
  let controller: ArchiveController;
  /** The methods of the archive and its file that fail. */
  let failures: { [M in keyof ArchiveDatabase | 'open' | 'erase' | 'setAside']?: (() => Error) | undefined };
  let shown: Shown[];
  /** What the user chooses, in order. Nothing after that. */
  let choices: (string | undefined)[];
  /** What happens while a dialog is open. */
  let meanwhile: () => void;
  /** What the view and the search were told to show. */
  let painted: string[];
  let title: string | undefined;
  let message: string | undefined;
  /** The numbers of the archived chats. */
  let first: number;
  let second: number;

  beforeEach(async () => {
    failures = {};
    shown = [];
    choices = [];
    painted = [];
    meanwhile = () => {};
    testThreads({
      change: (file) => ({
        ...file,
        open() {
          failAs('open');
          return failing(file.open());
        },
        erase() {
          failAs('erase');
          file.erase();
        },
        setAside(path) {
          failAs('setAside');
          file.setAside(path);
        },
      }),
    });
    for (const kind of ['showInformationMessage', 'showWarningMessage', 'showErrorMessage'] as const) {
      const show = async (text: string, ...rest: (MessageOptions | string)[]) => {
        const [options] = rest;
        const buttons = rest.filter((one) => typeof one === 'string');
        shown.push({ text, detail: typeof options === 'object' ? options.detail : undefined, buttons });
        meanwhile();
        return choices.shift();
      };
      answer(kind, show as (typeof window)[typeof kind]);
    }
    host = newHost();
    folder = join(host.storageUri.fsPath, 'archive');
    controller = new ArchiveController(host, Uri.file(folder), {
      open() {},
      repaint: () => painted.push(existsSync(join(folder, 'archive.db')) ? 'chats' : 'nothing'),
      setMessage: (text) => {
        message = text;
      },
      setTitle: (text) => {
        title = text;
      },
      showScope: () => painted.push('scope'),
    });
    first = await addChat('100000001');
    second = await addChat('100000002');
    painted = [];
    title = undefined;
  });
  afterEach(async () => {
    restore();
    await controller.close();
    restoreBuiltins();
  });

  const failAs = (name: keyof typeof failures) => {
    const failure = failures[name];
    if (failure) throw failure();
  };
  const failing = (archive: ArchiveDatabase) =>
    new Proxy(archive, {
      get:
        (_, name: keyof ArchiveDatabase) =>
        (...args: unknown[]) => {
          failAs(name);
          return (archive[name] as (...args: unknown[]) => unknown).apply(archive, args);
        },
    });

  async function addChat(id: string, service = CHAT.service): Promise<number> {
    const { archive } = controller.thread;
    const chat = await archive.addChat({ ...CHAT, service, id });
    await archive.addPage(chat, jsonsOf([messageOf(`m${id}`, 'hi')]));
    return chat;
  }

  /** The IDs of the chats in the file. */
  function archived(): string[] {
    const archive = archiveFile(folder, 'archive.db').open();
    const ids = archive.chats().map(({ botChat }) => botChat.id);
    archive.close();
    return ids;
  }

  const isErased = () => readdirSync(folder).length === 0;
  const remove = (...numbers: number[]) => controller.remove(new Set(numbers));
  const texts = () => shown.map(({ text }) => text);

  it('counts its chats in its title, also before its rows are asked for', async () => {
    await controller.list();
    assert.equal(title, 'Archive (2)');
    choices.push('Delete');
    await remove(first);
    await controller.getChildren();
    assert.equal(title, 'Archive (1)');
  });

  it('shows its chats, and above them how much there is', async () => {
    const [row = assert.fail(), ...others] = await controller.getChildren();
    assert.equal(others.length, 1);
    assert.match(message ?? '', /^2 chats, \d.* on this computer$/);
    const { label, description } = await controller.getTreeItem(row);
    assert.equal(label, '100000001');
    assert.equal(description, 'paused · 1 message · chat.example');
    host.connection.open = async () => ({ address: CHAT.service, directory }) as unknown as Service;
    assert.equal((await controller.getTreeItem(row)).description, 'paused · 1 message');
    assert.deepEqual(await controller.getChildren(row), []);
  });

  it('says in its first row that something of it is damaged, or in the only one why it cannot be read', async () => {
    failures.filters = damaged;
    await assert.rejects(() => controller.thread.archive.filters());
    const labels = async () =>
      Promise.all((await controller.getChildren()).map(async (row) => (await controller.getTreeItem(row)).label));
    assert.deepEqual(await labels(), [DAMAGED, '100000001', '100000002']);
    failures.chats = () => new ArchiveError('busy');
    assert.deepEqual(await labels(), [BUSY]);
    assert.deepEqual(await controller.list(), []);
  });

  it('keeps pages of its chats that are read, and says once what prevents that', async () => {
    const entries = [v.parse(Listed, messageOf('new', 'hi'))];
    const keep = () => controller.keep({ chat: CHAT, page: { latest: 1 }, entries });
    await keep();
    assert.deepEqual(painted, ['chats']);
    await keep();
    assert.deepEqual(painted, ['chats']);
    failures.numberOf = fullDisk;
    await keep();
    await keep();
    assert.deepEqual(texts(), [DISK_FULL]);
  });

  it('explains to other features why it cannot be searched', async () => {
    const search = (signal: AbortSignal) => controller.search({ text: 'hi', includes: () => true }, 10, signal);
    assert.equal((await search(new AbortController().signal)).hits.length, 2);
    failures.search = () => new ArchiveError('busy');
    await assert.rejects(search(new AbortController().signal), { name: 'UserFacingError', message: BUSY });
    const reason = new Error('canceled');
    await assert.rejects(search(AbortSignal.abort(reason)), (error) => error === reason);
  });

  it('shows and asks for nothing if nothing is archived yet', async () => {
    choices = ['Delete'];
    await remove(first, second);
    assert.deepEqual(await controller.getChildren(), []);
    assert.equal(message, undefined);
    assert.equal(title, 'Archive');
    const error = { name: 'UserFacingError', message: 'No chat is archived yet.' };
    await assert.rejects(remove(), error);
    await assert.rejects(controller.update(new Set()), error);
    await assert.rejects(controller.choose(new Set(), shownText`Statistics`), error);
  });

  it('lets the user choose one of its chats, or none', async () => {
    const chosen = async (numbers: number[] = []) =>
      (await controller.choose(new Set(numbers), shownText`Statistics`)).map(({ number }) => number);
    assert.deepEqual(await chosen([first, second]), [first, second]);
    const shown = pick('100000002');
    assert.deepEqual(await chosen(), [second]);
    assert.deepEqual(shown, [
      '$(organization) 100000001 | 1 message · as 20000001',
      '$(organization) 100000002 | 1 message · as 20000001',
    ]);
    pick(undefined);
    assert.deepEqual(await chosen(), []);
    choices = ['Delete'];
    await remove(first);
    assert.deepEqual(await chosen(), [second]);
    failures.chats = fullDisk;
    assert.deepEqual(await chosen(), []);
  });

  it('goes on with what an earlier window has left to do, also before its rows are asked for', async () => {
    const { archive } = controller.thread;
    await archive.removeChat(first);
    await controller.list();
    for (let calls = 0; calls < 100 && (await archive.hasRemovals()); calls++);
    assert.equal(await archive.hasRemovals(), false);
  });

  it('keeps the own names of chats for when their service is not connected, but not that of another bot', async () => {
    let label: string | undefined = 'My shop';
    const labelOf = (_: Kind, id: string) => (id === '100000001' ? label : undefined);
    const peek = (kind: Kind, id: string): Found | undefined => {
      if (kind === 'bot') return { kind, resource: v.parse(Bot, { botId: id, nickname: 'Order Desk' }), raw: {} };
      if (id !== '100000001') return undefined;
      return { kind: 'group', resource: v.parse(Group, { groupId: id, name: 'The shop' }), raw: {} };
    };
    const service = { address: CHAT.service, directory: { labelOf, peek } } as unknown as Service;
    const shown = async () =>
      (await controller.getChildren()).map((row) => ('error' in row ? row.error : [row.name, row.botName]));
    const all = [
      ['The shop', 'Order Desk'],
      ['100000002', 'Order Desk'],
    ];
    host.connection.open = async () => service;
    assert.deepEqual(await shown(), [['My shop', 'Order Desk'], all[1]]);
    label = undefined;
    assert.deepEqual(await shown(), all);
    label = 'My shop';
    host.connection.open = () => Promise.reject(new Error('not connected'));
    assert.deepEqual(await shown(), all);
    await controller.thread.archive.addChat({ ...CHAT, id: '100000001', botId: '20000002' });
    assert.deepEqual(await shown(), [['The shop', '20000002'], all[1]]);
  });

  describe('that is asked for a chat', () => {
    const ofUser = (botId: string) => ({ ...CHAT, kind: 'user' as const, id: '7058314', botId });
    const choose = (chat: ArchivedChatArgument) => controller.chooseOne(chat, shownText`Search Messages`);

    it('knows it from a history of any bot, a row of the sidebar or a row of the archive', async () => {
      assert.equal(await choose({ ...CHAT, botId: '20000002' }), first);
      assert.equal(await choose(second), second);
      host.connection.open = async () => ({ address: CHAT.service }) as Service;
      assert.deepEqual(
        await controller.numbersOf([
          { kind: 'group', id: '100000001' },
          { kind: 'group', id: '100000002' },
        ]),
        new Set([first, second]),
      );
    });

    it('says that another one is not archived, and what to do', async () => {
      const error = { message: "This chat isn't archived. Select “Archive Messages…” in its menu first." };
      await assert.rejects(choose({ ...CHAT, service: 'https://other.example' }), error);
      await assert.rejects(choose({ kind: 'group', id: '100000001' }), error);
    });

    it('asks which, if several bots have such a conversation', async () => {
      const numbers = [];
      for (const botId of ['20000001', '20000002']) {
        numbers.push(await controller.thread.archive.addChat(ofUser(botId)));
      }
      assert.equal(await choose(ofUser('20000002')), numbers[1]);
      host.connection.open = async () => ({ address: CHAT.service, directory }) as unknown as Service;
      const shown = pick('7058314');
      assert.equal(await choose({ kind: 'user', id: '7058314' }), numbers[0]);
      assert.deepEqual(shown, [
        '$(account) 7058314 | 0 messages · as 20000001',
        '$(account) 7058314 | 0 messages · as 20000002',
      ]);
      pick(undefined);
      assert.equal(await choose({ kind: 'user', id: '7058314' }), undefined);
    });
  });

  it('asks before it deletes anything, and deletes nothing if the user cancels', async () => {
    await remove(first);
    assert.deepEqual(shown, [
      { text: 'Delete the archived messages of 100000001?', detail: DETAIL, buttons: ['Delete'] },
    ]);
    assert.deepEqual(archived(), ['100000001', '100000002']);
  });

  it('deletes the chats that the user has confirmed', async () => {
    choices = ['Delete'];
    await remove(first);
    assert.deepEqual(archived(), ['100000002']);
    // First which chats are gone, then how much space is freed.
    assert.deepEqual(painted, ['chats', 'scope', 'chats', 'scope']);
  });

  describe('that is deleted on a full disk', () => {
    beforeEach(() => {
      failures.removeChat = fullDisk;
    });

    it('erases the file if all chats are to be deleted, without another question', async () => {
      choices = ['Delete'];
      await remove(first, second);
      assert.deepEqual(texts(), ['Delete the archived messages of 2 chats?']);
      assert.ok(isErased());
      assert.deepEqual(painted.slice(-2), ['nothing', 'scope']);
    });

    it('offers to delete everything if only some are, which the user confirms', async () => {
      choices = ['Delete', 'Delete Entire Archive…', 'Delete'];
      await remove(first);
      assert.deepEqual(shown.slice(1), [
        { text: FULL, detail: undefined, buttons: ['Delete Entire Archive…'] },
        { text: DELETE_ALL, detail: DETAIL, buttons: ['Delete'] },
      ]);
      assert.ok(isErased());
    });

    it('keeps everything if the user turns that down, or cancels', async () => {
      choices = ['Delete'];
      await remove(first);
      assert.deepEqual(texts().slice(1), [FULL]);
      choices = ['Delete', 'Delete Entire Archive…'];
      await remove(first);
      assert.deepEqual(texts().slice(-2), [FULL, DELETE_ALL]);
      assert.deepEqual(archived(), ['100000001', '100000002']);
    });

    it("doesn't erase a chat that another window has archived since the question", async () => {
      meanwhile = () => {
        meanwhile = () => {};
        const archive = archiveFile(folder, 'archive.db').open();
        archive.addChat({ ...CHAT, id: '100000003' });
        archive.close();
      };
      choices = ['Delete'];
      await remove(first, second);
      assert.deepEqual(texts().slice(1), [FULL]);
      assert.deepEqual(archived(), ['100000001', '100000002', '100000003']);
    });

    it('says so if the file cannot be erased either, and can be tried again', async () => {
      failures.erase = inUse;
      choices = ['Delete'];
      await remove(first, second);
      assert.deepEqual(texts().slice(1), [BUSY]);
      assert.deepEqual(archived(), ['100000001', '100000002']);
      failures.erase = undefined;
      choices = ['Delete'];
      await remove(first, second);
      assert.ok(isErased());
    });
  });

  describe('that is deleted though it cannot be read', () => {
    beforeEach(() => {
      failures.chats = damaged;
    });

    it('says why, and erases it if the user wants that', async () => {
      choices = ['Delete'];
      await remove(first);
      assert.deepEqual(shown, [{ text: DELETE_ALL, detail: `${DAMAGED_WHOLE}\n\n${DETAIL}`, buttons: ['Delete'] }]);
      assert.ok(isErased());
    });

    it('says why if it is not damaged, and keeps it if the user cancels', async () => {
      failures.chats = fullDisk;
      await remove();
      assert.deepEqual(shown, [{ text: DELETE_ALL, detail: `${DISK_FULL}\n\n${DETAIL}`, buttons: ['Delete'] }]);
      failures.chats = undefined;
      assert.deepEqual(archived(), ['100000001', '100000002']);
    });

    it('offers no erasure while another window is busy', async () => {
      failures.chats = () => new ArchiveError('busy');
      await remove(first);
      assert.deepEqual(texts(), [BUSY]);
    });
  });

  describe('of which no chat was selected', () => {
    it('asks only whether to delete all, if they are of one service', async () => {
      const listed = pick(undefined);
      await remove();
      assert.deepEqual(listed, []);
      assert.deepEqual(texts(), ['Delete the archived messages of 2 chats?']);
    });

    it('asks first which, if they are of several services, and deletes nothing if the user does not say', async () => {
      await addChat('100000003', 'https://other.example');
      pick(undefined);
      await remove();
      assert.deepEqual(texts(), []);
      assert.equal(archived().length, 3);
      const listed = pick('Chats of https://other.example');
      choices = ['Delete'];
      await remove();
      assert.deepEqual(listed, [
        'All Archived Chats | 3 chats',
        'Chats of https://chat.example | 2 chats',
        'Chats of https://other.example | 1 chat',
      ]);
      assert.deepEqual(texts(), ['Delete the archived messages of 100000003?']);
      assert.deepEqual(archived(), ['100000001', '100000002']);
    });
  });

  it('offers to put a damaged archive aside if only some chats are to be deleted', async () => {
    failures.removeChat = damaged;
    choices = ['Delete'];
    await remove(first);
    assert.deepEqual(shown.slice(1), [{ text: DAMAGED, detail: undefined, buttons: ['Start a New Archive'] }]);
    assert.deepEqual(archived(), ['100000001', '100000002']);
    choices = ['Delete', 'Start a New Archive'];
    await remove(first);
    assert.match(texts().at(-1) ?? '', /^The damaged archive is kept as .*archive\.db\.damaged-\d+\.$/);
    assert.deepEqual(archived(), []);
  });

  it('says so if a damaged archive cannot be put aside', async () => {
    failures = { removeChat: damaged, setAside: inUse };
    choices = ['Delete', 'Start a New Archive'];
    await remove(first);
    assert.equal(texts().at(-1), "The damaged archive can't be moved. Close all other windows and try again.");
    assert.deepEqual(archived(), ['100000001', '100000002']);
  });

  it('erases nothing while another window is busy', async () => {
    failures.removeChat = () => new ArchiveError('busy');
    choices = ['Delete'];
    await remove(first, second);
    assert.deepEqual(texts().slice(1), [BUSY]);
    assert.deepEqual(archived(), ['100000001', '100000002']);
  });

  it('tries again what a thread that ended at once has prevented', async () => {
    await controller.close();
    const started = testThreads({ start() {} });
    const waiting = controller.thread.archive.chats();
    started[0]?.end(new Error('no such module'));
    await assert.rejects(waiting);
    testThreads();
    choices = ['Delete'];
    await remove(first);
    assert.deepEqual(archived(), ['100000002']);
  });

  describe('that is tried again', () => {
    it('is opened again, and shown without a word if that works', async () => {
      await controller.close();
      failures.open = () => new ArchiveError('newer');
      assert.equal((await controller.getChildren()).length, 1);
      failures = {};
      assert.equal((await controller.getChildren()).length, 1);
      await controller.retry();
      assert.deepEqual(shown, []);
      assert.equal(painted.at(-1), 'chats');
      assert.equal((await controller.getChildren()).length, 2);
    });

    it('says what is wrong if it still is', async () => {
      failures.chats = fullDisk;
      await controller.retry();
      assert.deepEqual(shown, [{ text: DISK_FULL, detail: undefined, buttons: [] }]);
    });

    it('is left alone if another window has put the damaged one aside meanwhile', async () => {
      using held = holdTimers();
      failures.filters = damaged;
      await assert.rejects(() => controller.thread.archive.filters());
      meanwhile = () => {
        meanwhile = () => {};
        // Nobody has used the archive here for a while, so that it's closed: on Windows, the file couldn't be moved.
        for (const pass of held.waiting) pass();
        archiveFile(folder, 'archive.db').setAside(join(folder, 'aside.db'));
        archiveFile(folder, 'archive.db').open().close();
      };
      choices = ['Start a New Archive'];
      await controller.retry();
      assert.deepEqual(texts(), [DAMAGED]);
      assert.ok(readdirSync(folder).includes('aside.db'));
      assert.deepEqual(
        readdirSync(folder).filter((name) => name.includes('damaged')),
        [],
      );
    });

    it('can be put aside if something of it was found to be damaged', async () => {
      failures.filters = damaged;
      await assert.rejects(() => controller.thread.archive.filters());
      choices = ['Start a New Archive'];
      await controller.retry();
      assert.equal(texts()[0], DAMAGED);
      assert.deepEqual(await controller.getChildren(), []);
      assert.equal(readdirSync(folder).filter((name) => /^archive\.db\.damaged-\d+$/.test(name)).length, 1);
    });
  });
});
