import assert from 'node:assert/strict';
import { env, MarkdownString, ThemeIcon } from 'vscode';
import { ArchiveError } from '../../../../src/chats/archive/archiveError.ts';
import type { ArchivedChat } from '../../../../src/chats/archive/chatTable.ts';
import {
  type ArchiveNode,
  archiveItem,
  archiveSummary,
  messagesText,
  problemItem,
} from '../../../../src/chats/archiving/archiveItems.ts';
import type { RunState } from '../../../../src/chats/archiving/archiveRuns.ts';
import { escapeInvisible } from '../../../../src/markup/escapeInvisible.ts';
import { formatDate, formatDateTime, formatShortTime } from '../../../../src/presentation/formats.ts';
import { ServiceError } from '../../../../src/service/errors.ts';
import { treeRow } from '../../treeRows.ts';
import { CHAT } from '../archive/archives.ts';

const NOW = new Date(2026, 10, 26, 18).getTime();
const EARLIER = new Date(2026, 9, 1, 9, 5).getTime();
const outage = new ServiceError({ kind: 'unreachable', reason: 'ECONNREFUSED' });

const running = (more: Partial<RunState> = {}): RunState => ({ isRunning: true, added: 480, reached: NOW, ...more });
const stopped = (error?: unknown): RunState => ({ isRunning: false, added: 0, reached: undefined, error });

interface Shown {
  chat?: Partial<ArchivedChat>;
  run?: RunState;
  connected?: string | undefined;
  otherName?: string;
}

/** The row of a complete chat with 480 messages, unless something else is given. */
function rowOf({ chat: changes, run, connected = CHAT.service, otherName }: Shown = {}) {
  const chat: ArchivedChat = {
    number: 1,
    botChat: CHAT,
    since: undefined,
    checkedAt: NOW,
    messages: 480,
    name: 'The shop',
    botName: 'Order Desk',
    openGaps: 0,
    lostGaps: 0,
    apart: 0,
    imports: [],
    ...changes,
  };
  const names = {
    name: escapeInvisible(chat.name),
    botName: escapeInvisible(chat.botName),
    ...(otherName !== undefined && { otherName: escapeInvisible(otherName) }),
  };
  const node: ArchiveNode = { ...CHAT, archived: 1, chat, ...names, run };
  return treeRow(node, archiveItem(node, connected, NOW));
}

/** The paragraphs of the tooltip. */
function tooltipOf(shown?: Shown): string[] {
  const { tooltip } = rowOf(shown).item;
  const text = tooltip instanceof MarkdownString ? tooltip.value : assert.fail();
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code)).split('  \n  \n');
}

describe('The row of an archived chat', () => {
  const complete = `${formatShortTime(NOW, NOW)} · 480 messages`;

  // A narrow sidebar cuts off the end.
  const rows: [what: string, shown: Shown, description: string, icon: string, offers: string][] = [
    ['is complete until a time', {}, complete, 'organization', 'update'],
    [
      'is complete until an earlier day',
      { chat: { checkedAt: EARLIER } },
      `${formatShortTime(EARLIER, NOW)} · 480 messages`,
      'organization',
      'update',
    ],
    [
      'has a single message',
      { chat: { messages: 1 } },
      complete.replace('480 messages', '1 message'),
      'organization',
      'update',
    ],
    ['has gaps', { chat: { openGaps: 1 } }, 'paused · 480 messages', 'organization', 'resume'],
    ['was never read', { chat: { checkedAt: undefined } }, 'paused · 480 messages', 'organization', 'update'],
    ['has gaps that could not be closed', { chat: { lostGaps: 1 } }, 'incomplete · 480 messages', 'warning', 'update'],
    [
      'is of another service',
      { connected: 'https://other.example' },
      `${complete} · chat.example`,
      'organization',
      'update',
    ],
    [
      'is being archived',
      { run: running(), chat: { openGaps: 1, lostGaps: 1 } },
      `archiving, back to ${formatDate(NOW)}… · 480 messages`,
      'sync~spin',
      'pause',
    ],
    [
      'is being archived from an impossible time on',
      { run: running({ reached: 1.7e18 }) },
      'archiving… · 480 messages',
      'sync~spin',
      'pause',
    ],
    ['was paused', { run: stopped(), chat: { openGaps: 1 } }, 'paused · 480 messages', 'organization', 'resume'],
    [
      'stopped because of the service',
      { run: stopped(outage), chat: { openGaps: 1 } },
      "stopped: can't connect · 480 messages",
      'error',
      'resume',
    ],
    [
      'stopped because of the archive',
      { run: stopped(new ArchiveError('full')) },
      'stopped · 480 messages',
      'error',
      'update',
    ],
    ['has a right-to-left name', { chat: { name: 'المتجر' } }, `\u200E${complete}`, 'organization', 'update'],
  ];
  for (const [what, shown, description, icon, offers] of rows)
    it(`says what the archive has, and offers what can be done, if the chat ${what}`, () => {
      const row = rowOf(shown);
      assert.equal(row.item.description, description);
      assert.equal(row.icon, icon);
      assert.equal(row.item.contextValue, `archived ${offers}`);
    });

  it('shows errors and warnings in their colors', () => {
    const colorOf = (shown: Shown) => {
      const { iconPath } = rowOf(shown).item;
      return iconPath instanceof ThemeIcon ? iconPath.color?.id : assert.fail();
    };
    assert.equal(colorOf({ run: stopped(outage) }), 'list.errorForeground');
    assert.equal(colorOf({ chat: { lostGaps: 1 } }), 'list.warningForeground');
    assert.equal(colorOf({}), undefined);
  });

  it('is read out with what the time means', () => {
    assert.equal(rowOf().spoken, `The shop, until ${formatDate(NOW)} · 480 messages`);
  });

  it('opens the history of the chat, and is known by its number', () => {
    const { item } = rowOf();
    assert.equal(item.id, '1');
    assert.deepEqual(item.command, {
      command: 'botChats.openMessage',
      title: 'Open Message History',
      arguments: [CHAT],
    });
  });

  describe('tells in its tooltip', () => {
    const read = `Newest messages read ${formatDateTime(NOW)}`;
    const tooltips: [what: string, shown: Shown, ...lines: string[]][] = [
      [
        'the names and the number of messages',
        {},
        'The shop (100000001)',
        'as Order Desk · https://chat.example',
        '480 messages',
        read,
      ],
      [
        'an ID once',
        { chat: { name: '100000001' } },
        '100000001',
        'as Order Desk · https://chat.example',
        '480 messages',
        read,
      ],
      [
        "the service's own name",
        { otherName: 'The tea shop' },
        'The shop (100000001) · The tea shop',
        'as Order Desk · https://chat.example',
        '480 messages',
        read,
      ],
    ];
    for (const [what, shown, ...lines] of tooltips) it(what, () => assert.deepEqual(tooltipOf(shown), lines));

    /** What is between the number of messages and the end, after when they were read. */
    const more: [what: string, shown: Shown, ...lines: string[]][] = [
      ['nothing else of a complete chat', {}],
      [
        'which messages are missing',
        { chat: { openGaps: 1 } },
        'Older messages are still missing. Update the archive to continue.',
      ],
      ['nothing about missing messages while they are archived', { chat: { openGaps: 1 }, run: running() }],
      [
        'that a gap could not be closed',
        { chat: { lostGaps: 1 } },
        "1 gap couldn't be closed: the service no longer lists its messages. Update the archive to try again.",
      ],
      [
        'that gaps could not be closed',
        { chat: { lostGaps: 2 } },
        "2 gaps couldn't be closed: the service no longer lists their messages. Update the archive to try again.",
      ],
      [
        'why archiving stopped',
        { run: stopped(new ArchiveError('full')) },
        'The disk is full. What is archived is safe; free some space and try again.',
      ],
      [
        'which messages came from which file',
        {
          chat: {
            imports: [
              { name: 'chat.ndjson', at: NOW, messages: 1204 },
              { name: 'old.ndjson', at: EARLIER, messages: 1 },
            ],
          },
        },
        `1,204 messages imported from chat.ndjson on ${formatDateTime(NOW)}`,
        `1 message imported from old.ndjson on ${formatDateTime(EARLIER)}`,
      ],
      [
        'that a message is only found by searching',
        { chat: { apart: 1 } },
        "1 of them is only found by searching: its file doesn't prove which messages are next to it.",
      ],
      [
        'that messages are only found by searching',
        { chat: { apart: 1200 } },
        "1,200 of them are only found by searching: their file doesn't prove which messages are next to each other.",
      ],
    ];
    for (const [what, shown, ...lines] of more) it(what, () => assert.deepEqual(tooltipOf(shown).slice(4), lines));

    it('how far back the chat is archived, and that it was never read', () => {
      assert.deepEqual(tooltipOf({ chat: { since: EARLIER, checkedAt: undefined } }).slice(2), [
        `480 messages · since ${formatDate(EARLIER)}`,
      ]);
    });
  });
});

describe('The archive', () => {
  afterEach(() => Object.assign(env, { remoteName: undefined }));
  const chats = (count: number) => Array<ArchivedChat>(count).fill({} as ArchivedChat);

  for (const [remoteName, place] of [
    [undefined, 'on this computer'],
    ['dev-container', 'in this container'],
    ['ssh-remote', 'on the remote computer'],
  ] as const)
    it(`says how much it has, and that it's ${place}`, () => {
      Object.assign(env, { remoteName });
      assert.equal(archiveSummary(chats(1), 1_200_000), `1 chat, 1.2 MB ${place}`);
      assert.equal(archiveSummary(chats(1_234), 1_200_000), `1,234 chats, 1.2 MB ${place}`);
    });

  it('counts messages in words', () => {
    assert.deepEqual([0, 1, 1_200].map(messagesText), ['0 messages', '1 message', '1,200 messages']);
  });

  it("says in a row why it can't be shown", () => {
    const text = 'The disk is full. What is archived is safe; free some space and try again.';
    const row = treeRow({}, problemItem(new ArchiveError('full')));
    assert.equal(row.text, text);
    assert.equal(row.item.tooltip, text);
    assert.equal(row.icon, 'error');
    assert.equal(row.item.contextValue, 'archiveProblem');
  });
});
