import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CancellationTokenSource, commands, type QuickPickItem, Uri, type window } from 'vscode';
import { exportHistory } from '../../../src/history/export/exportHistory.ts';
import type { Connection } from '../../../src/platform/connection.ts';
import { diskFiles } from '../../../src/platform/diskFiles.ts';
import type { Service } from '../../../src/platform/service.ts';
import type { Page } from '../../../src/service/client.ts';
import { temporaryPath } from '../../host/temporary.ts';
import { answer, onMessages, restore, type } from '../answers.ts';
import { keeping, newConnection, type TestService, useService } from '../test-service.ts';

const BOT = '30481126';
const GROUP = '518204736';
const LENGTH = 480;

describe('Exporting a chat', () => {
  let service: TestService;
  let connection: Connection;
  let opened: Service;
  let folder: string;
  let storage: string;
  let said: string[];
  /** The labels of each quick pick. */
  let picks: string[][];
  let chosen: string[];
  /** File names proposed by the save dialog. */
  let proposed: (string | undefined)[];
  let target: Uri | undefined;
  let reported: string[];
  let cancellation: CancellationTokenSource;

  before(async () => {
    service = await useService({ groups: [GROUP], 'service.callsPerSecond': 1000 });
  });

  after(() => service.close());

  beforeEach(async () => {
    connection = newConnection();
    opened = await connection.open();
    folder = temporaryPath('export');
    storage = join(folder, 'storage');
    mkdirSync(folder);
    target = Uri.file(join(folder, 'chat.ndjson'));
    [said, picks, proposed, reported] = [onMessages(), [], [], []];
    chosen = ['Entire History', 'NDJSON'];
    answer('showQuickPick', (async (items: QuickPickItem[]) => {
      picks.push(items.map(({ label }) => label));
      return items.find(({ label }) => chosen.includes(label));
    }) as unknown as typeof window.showQuickPick);
    answer('showSaveDialog', async (options) => {
      proposed.push(options?.defaultUri?.path.split('/').at(-1));
      return target;
    });
    cancellation = new CancellationTokenSource();
    answer('withProgress', (async (_, task) =>
      task(
        { report: ({ message }) => void reported.push(message ?? '') },
        cancellation.token,
      )) as typeof window.withProgress);
  });

  afterEach(() => {
    restore();
    service.sandbox.setFaults(undefined);
    service.instead = () => undefined;
    connection.dispose();
  });

  const running = new Set<string>();

  function start(title = 'River Walkers') {
    const token = service.sandbox.token(BOT) ?? '';
    const chat = { type: 'group', id: GROUP } as const;
    return exportHistory({
      botChat: { service: opened.address, ...chat, botId: BOT },
      names: { chat: title, bot: 'Order Desk' },
      list: (page: Page, signal: AbortSignal) => opened.client.messages(token, chat, page, signal),
      files: diskFiles(storage),
      extensionUri: Uri.file(folder),
      log: keeping().log,
      running,
    });
  }

  const read = (name = 'chat.ndjson') => readFileSync(join(folder, name), 'utf8');
  const files = () => readdirSync(folder).filter((name) => name !== 'storage');
  const savedFiles = () => {
    const exports = join(storage, 'exports');
    return existsSync(exports) ? readdirSync(exports).flatMap((name) => readdirSync(join(exports, name)).sort()) : [];
  };
  const lists = () => service.requests.filter(({ pathname }) => pathname.endsWith('/messages'));

  /** The whole chat as NDJSON, oldest first. */
  async function whole(): Promise<string> {
    const list = await opened.client.messages(
      service.sandbox.token(BOT) ?? '',
      { type: 'group', id: GROUP },
      { latest: 1000 },
    );
    assert.equal(list.length, LENGTH);
    return list
      .toReversed()
      .map(({ raw }) => `${JSON.stringify(raw)}\n`)
      .join('');
  }

  /** The send times of the whole chat, oldest first. */
  const times = async () =>
    (await whole())
      .trimEnd()
      .split('\n')
      .map((line): number => JSON.parse(line).sendTime);

  /** The local day of a time, as `YYYY-MM-DD`. */
  const dayOf = (time: number) => new Date(time).toLocaleDateString('sv');

  it('writes all raw messages, oldest first, and leaves no other files', async () => {
    await start();
    assert.equal(read(), await whole());
    assert.deepEqual([files(), savedFiles()], [['chat.ndjson'], []]);
    assert.deepEqual(said, ['Exported 480 messages from River Walkers to chat.ndjson.']);
  });

  it('opens the file on request', async () => {
    const shown: unknown[] = [];
    const opening = commands.registerCommand('vscode.open', (uri) => shown.push(uri));
    onMessages((_, buttons) => buttons.find((button) => button === 'Open'));
    await start();
    opening.dispose();
    assert.deepEqual(shown, [target]);
  });

  it('asks for the range, the format and the file, and proposes the name of the chat', async () => {
    await start('River / Walkers');
    assert.deepEqual(picks, [
      ['Entire History', 'Since a Date…', 'Range of Dates…'],
      ['Markdown', 'HTML', 'NDJSON'],
    ]);
    assert.match(proposed[0] ?? '', /^River Walkers \d{4}-\d\d-\d\d\.ndjson$/);
  });

  it('does nothing if the user cancels', async () => {
    const before = lists().length;
    chosen = [];
    await start();
    assert.deepEqual(proposed, []);
    [chosen, target] = [['Entire History', 'HTML'], undefined];
    await start();
    assert.deepEqual([lists().length, said, savedFiles()], [before, [], []]);
  });

  it('reports how many messages are read and written', async () => {
    await start();
    assert.deepEqual(reported, [
      ...[0, 100, 200, 300, 400, 480, 480].map((count) => `${count} messages read…`),
      ...[80, 180, 280, 380, 480].map((count) => `${count} of 480 written…`),
    ]);
  });

  it('writes Markdown with each message under its sender, and system messages without one', async () => {
    [chosen, target] = [['Entire History', 'Markdown'], Uri.file(join(folder, 'chat.md'))];
    await start();
    const text = read('chat.md');
    const facts = `- Chat: ${GROUP}\n- Bot: Order Desk (${BOT})\n- Service: ${opened.address}\n- Range: Entire history\n- Messages: 480\n`;
    assert.ok(text.startsWith(`# River Walkers\n\n${facts}- Exported: `), text.slice(0, 300));
    const time = '\\d+:\\d\\d [AP]M';
    const count = (line: string) => text.match(new RegExp(line, 'gm'))?.length ?? 0;
    const groups = count(`^\\*\\*.+\\*\\* \\(.+\\) · ${time}`);
    const tips = count(`^${time} · .+ an administrator\\.$`);
    const others = count(`^${time}`) - tips;
    assert.deepEqual([groups + tips + others, tips > 0, others > 0], [LENGTH, true, true]);
    const days = text.match(/^## .+$/gm) ?? [];
    assert.ok(days.length > 1 && new Set(days).size === days.length);
  });

  it('writes HTML with rendered Markdown', async () => {
    [chosen, target] = [['Entire History', 'HTML'], Uri.file(join(folder, 'chat.html'))];
    await start();
    const text = read('chat.html');
    assert.match(text, /^<!DOCTYPE html>.*default-src 'none'; style-src 'unsafe-inline'.*<\/html>\n$/s);
    assert.equal([...text.matchAll(/^<article id="message-[0-9a-f]{32}"/gm)].length, LENGTH);
    assert.match(text, /<strong>/);
    assert.doesNotMatch(text, /<script|<img/i);
  });

  it("shows the service's error, and continues on Retry", async () => {
    service.instead = () => {
      if (lists().length % 3 !== 0) return undefined;
      service.instead = () => undefined;
      return Promise.resolve(Response.json({ code: 1005, msg: '频道已封禁' }));
    };
    service.requests.length = 0;
    said = onMessages((_, buttons) => buttons.find((button) => button === 'Retry'));
    await start();
    assert.deepEqual(said, [
      "River Walkers couldn't be exported. The service returned error 1005: “频道已封禁”. " +
        'The chat is banned. ' +
        'Progress is saved (200 messages read). Export again to continue.',
      'Exported 480 messages from River Walkers to chat.ndjson.',
    ]);
    // Six pages and the failed one: no page was read twice.
    assert.equal(lists().length, 7);
    assert.deepEqual(picks.length, 2);
    assert.equal(read(), await whole());
  });

  it('saves its progress and offers to continue when canceled', async () => {
    service.requests.length = 0;
    service.instead = () => {
      if (lists().length === 3) cancellation.cancel();
      return undefined;
    };
    await start();
    assert.deepEqual(said, [
      'The export of River Walkers was canceled. Progress is saved (200 messages read). Export again to continue.',
    ]);
    assert.deepEqual([files(), savedFiles()], [[], ['000001.ndjson', '000002.ndjson', 'progress.json']]);
    assert.ok(
      !readFileSync(
        join(storage, 'exports', readdirSync(join(storage, 'exports'))[0] ?? '', 'progress.json'),
        'utf8',
      ).includes(service.sandbox.token(BOT) ?? ''),
    );

    cancellation = new CancellationTokenSource();
    service.instead = () => undefined;
    service.requests.length = 0;
    chosen = ['Entire History', 'NDJSON', 'Continue Export'];
    await start();
    assert.deepEqual(picks.at(-2), ['Continue Export', 'Start Over']);
    assert.equal(lists().length, 4);
    assert.equal(read(), await whole());
    assert.deepEqual(savedFiles(), []);
  });

  it('starts over or discards its progress if the user chooses to', async () => {
    const stopAt = (page: number) => {
      service.requests.length = 0;
      cancellation = new CancellationTokenSource();
      service.instead = () => {
        if (lists().length === page) cancellation.cancel();
        return undefined;
      };
    };
    stopAt(3);
    await start();
    stopAt(7);
    chosen = ['Entire History', 'NDJSON', 'Start Over'];
    await start();
    assert.equal(lists().length, 6);
    assert.equal(read(), await whole());
    stopAt(3);
    onMessages((_, buttons) => buttons.find((button) => button === 'Discard Progress'));
    await start();
    assert.deepEqual(savedFiles(), []);
  });

  it('replaces an existing file only when the new one is complete', async () => {
    writeFileSync(join(folder, 'chat.ndjson'), 'before');
    answer('withProgress', (async (_, task) => {
      const report = ({ message }: { message?: string }) => {
        if (message?.startsWith('180 of')) cancellation.cancel();
      };
      return task({ report }, cancellation.token);
    }) as typeof window.withProgress);
    await start();
    assert.deepEqual([files(), read()], [['chat.ndjson'], 'before']);
    // Everything is read: no further requests.
    service.requests.length = 0;
    cancellation = new CancellationTokenSource();
    chosen = ['Entire History', 'NDJSON', 'Continue Export'];
    answer('withProgress', (async (_, task) =>
      task({ report: () => {} }, cancellation.token)) as typeof window.withProgress);
    await start();
    assert.equal(lists().length, 0);
    assert.equal(read(), await whole());
  });

  it('asks for another file if the chosen one cannot be written', async () => {
    const good = target;
    target = Uri.file(join(folder, 'chat.ndjson', 'below', 'a file.ndjson'));
    writeFileSync(join(folder, 'chat.ndjson'), 'a file');
    said = onMessages((_, buttons) => {
      target = good;
      return buttons.find((button) => button === 'Retry');
    });
    await start();
    assert.match(
      said[0] ?? '',
      /^River Walkers couldn't be exported\. The file couldn't be saved: .*480 messages read/,
    );
    assert.equal(read(), await whole());
  });

  it('starts over if the saved progress is damaged', async () => {
    service.requests.length = 0;
    service.instead = () => {
      if (lists().length === 4) cancellation.cancel();
      return undefined;
    };
    await start();
    const exports = join(storage, 'exports');
    writeFileSync(join(exports, readdirSync(exports)[0] ?? '', '000003.ndjson'), '{');
    [cancellation, chosen] = [new CancellationTokenSource(), ['Entire History', 'NDJSON', 'Continue Export']];
    service.instead = () => undefined;
    said = onMessages((_, buttons) => buttons.find((button) => button === 'Retry'));
    await start();
    assert.match(said[0] ?? '', /progress can't be read\. The next export starts over\.$/);
    assert.equal(read(), await whole());
  });

  it('writes only the messages of the days that the user enters, and names them in the file', async () => {
    const days = [...new Set((await times()).map(dayOf))];
    assert.ok(days.length > 6);
    const [first = '', last = ''] = [days[2], days.at(-3)];
    chosen = ['Range of Dates…', 'NDJSON'];
    const boxes = type(first, ` ${last} `);
    await start();
    assert.deepEqual(
      boxes.map((box) => [box?.title, box?.prompt]),
      [
        ['Export River Walkers', 'The first day to export, in local time'],
        ['Export River Walkers', 'The last day to export, in local time'],
      ],
    );
    assert.equal(proposed[0], `River Walkers ${first} to ${last}.ndjson`);
    const expected = (await whole())
      .trimEnd()
      .split('\n')
      .filter((line) => {
        const day = dayOf(JSON.parse(line).sendTime);
        return day >= first && day <= last;
      });
    assert.deepEqual(read().trimEnd().split('\n'), expected);
    assert.deepEqual(said, [`Exported ${expected.length} messages from River Walkers to chat.ndjson.`]);
    assert.equal(reported.at(-1), `${expected.length} of ${expected.length} written…`);
  });

  it('reads no more than the days since a date', async () => {
    const all = (await times()).map(dayOf);
    const first = all[400] ?? '';
    chosen = ['Since a Date…', 'Markdown'];
    type(first);
    service.requests.length = 0;
    await start();
    assert.ok(lists().length <= 2, `${lists().length} pages`);
    const count = all.filter((day) => day >= first).length;
    assert.match(read(), new RegExp(`^- Range: Since .*\n- Messages: ${count}$`, 'm'));
  });

  it('asks again for a date that is malformed, missing in the calendar, too late or too early', async () => {
    chosen = ['Range of Dates…'];
    const boxes = type('2026-03-01', undefined);
    await start();
    const problems = (box: number, ...texts: string[]) => texts.map((text) => boxes[box]?.validateInput?.(text));
    const malformed = `Enter a date as YYYY-MM-DD, such as ${dayOf(Date.now())}.`;
    assert.deepEqual(problems(0, '', '1 March', '2026-3-1', '2026-02-30', '2999-01-01', ' 2024-02-29 '), [
      ...[malformed, malformed, malformed],
      ...["This date doesn't exist.", 'This date is in the future.', undefined],
    ]);
    assert.deepEqual(problems(1, '2026-02-28', '2026-03-01', '2999-01-01'), [
      ...['Enter 2026-03-01 or a later date.', undefined, undefined],
    ]);
    assert.deepEqual([picks.length, proposed, said], [1, [], []]);
  });

  it('continues an interrupted export only for the same range', async () => {
    const [first = '', other = ''] = [...new Set((await times()).map(dayOf))];
    const exportSince = async (day: string, ...labels: string[]) => {
      chosen = ['Since a Date…', 'NDJSON', ...labels];
      type(day);
      picks.length = 0;
      await start();
    };
    service.requests.length = 0;
    service.instead = () => {
      if (lists().length === 3) cancellation.cancel();
      return undefined;
    };
    await exportSince(first);
    cancellation = new CancellationTokenSource();
    service.instead = () => undefined;
    await exportSince(other);
    assert.equal(picks.length, 2);
    assert.deepEqual(savedFiles(), ['000001.ndjson', '000002.ndjson', 'progress.json']);
    service.requests.length = 0;
    await exportSince(first, 'Continue Export');
    assert.deepEqual([picks.length, lists().length, savedFiles()], [3, 4, []]);
    assert.equal(read(), await whole());
  });

  it('runs only once at a time for the same chat', async () => {
    await Promise.all([start(), start()]);
    assert.deepEqual(said.toSorted(), [
      'Exported 480 messages from River Walkers to chat.ndjson.',
      'River Walkers is already being exported.',
    ]);
    assert.equal(read(), await whole());
  });

  it('deletes only exports that were not continued for a month', async () => {
    const days = { old: 31, recent: 29 };
    for (const [name, age] of Object.entries(days)) {
      const other = join(storage, 'exports', name);
      mkdirSync(other, { recursive: true });
      const progress = join(other, 'progress.json');
      writeFileSync(progress, '{}');
      const time = Date.now() / 1000 - age * 24 * 3600;
      utimesSync(progress, time, time);
    }
    await start();
    assert.deepEqual(readdirSync(join(storage, 'exports')), ['recent']);
  });

  it('shows the name of the chat verbatim in its messages', async () => {
    await start('[x](command:y)');
    assert.ok(said.length === 1 && said[0]?.includes('[x]') && !said[0].includes('](command:'), said[0]);
  });
});
