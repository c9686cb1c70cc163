import assert from 'node:assert/strict';
import * as v from 'valibot';
import { BotChat, botChatKey, botChatsOf, hasSameMessages } from '../../../src/protocol/botChat.ts';
import * as download from '../../../src/protocol/download.ts';
import * as history from '../../../src/protocol/history.ts';
import { PageOptions, PageRequest } from '../../../src/protocol/page.ts';
import * as preview from '../../../src/protocol/preview.ts';
import * as replies from '../../../src/protocol/replies.ts';
import * as report from '../../../src/protocol/report.ts';
import * as search from '../../../src/protocol/search.ts';
import * as statistics from '../../../src/protocol/statistics.ts';
import { Message } from '../../../src/service/message.ts';
import { repliesOf, someRows } from '../../page/replySamples.ts';
import { rowsOf, summaryOf } from '../../page/reportSamples.ts';
import { foundText, foundView, saying, scope } from '../../page/searchResults.ts';
import { oneMessage } from '../../page/statisticsSamples.ts';

const message = v.parse(Message, { msgId: 'm', contentType: 'text', content: { text: 'Hello' }, sendTime: 5 });
const place = { service: 'https://chat.example/open', kind: 'group', id: 'big', botId: '30481126' };
const chat = { kind: 'user', id: '7058314' };
const position = { top: 'a', offset: -12.5, focused: 'b', count: 50 };
const acts = (...actions: string[]) => actions.map((action) => ({ type: 'act', action }));
const types = (...names: string[]) => names.map((type) => ({ type }));

/** What is told in one direction, with every field. Fields are named by their last names, such as `run.is`, without indexes. */
interface Protocol {
  readonly schema: v.GenericSchema;
  readonly valid: readonly object[];
  /** The fields that may be missing. */
  readonly optional?: string;
  /** The texts that are one of a few. */
  readonly known: string;
  /** The fields that may have any value, or that are unset if they are invalid. */
  readonly any?: string;
}

const query = { text: 'a', chat: 1, sender: 'user 7', kind: 'image', hasButtons: true, isCommand: false };
const searchQuery = { ...query, withoutQuoted: true, since: 5, until: 7.5, order: 'newest' };
const { chat: _, ...statisticsQuery } = { ...query, withoutQuoted: true, since: 5, until: 7.5 };
const step = { position: 3, total: 9, problems: ['no name'], withProblems: 2, onlyWithProblems: false };
const repliesQuery = { states: ['answered', 'unanswered', 'failed', 'unread'], text: 'a', answer: 'yes' };
const reportQuery = { results: [...report.RecipientResult.options], text: 'a' };
const reportRows = rowsOf('unknown', 'rejected', 'unconfirmed', 'absent', 'notSent', 'leftOut', 'reached');

const PROTOCOLS: Record<string, Protocol> = {
  'from the history': {
    schema: history.FromPage,
    valid: [
      ...types('older', 'newer', 'setToken', 'changeAddress', 'loadHistory', 'archiveHere'),
      { type: 'ready', reading: 'm', timeZone: 'Asia/Shanghai' },
      { type: 'goToDate', from: 1_773_000_000_000 },
      { type: 'gap', id: 0, from: 'older' },
      { type: 'gap', id: 7, from: 'newer' },
      { type: 'goTo', msgId: 'm' },
      { type: 'atNewest', is: false },
      { type: 'profile', ...chat },
      { type: 'openImage', key: 'm' },
      { type: 'searchArchive', text: 'kettle' },
      ...acts('openHistory', 'newMessage', 'send', 'showDeliveries', 'copyId', 'addToSidebar').map((act) => ({
        ...act,
        kind: 'bot',
        id: '30481126',
      })),
      { type: 'avatars', senders: [chat] },
    ],
    optional: 'reading timeZone goToDate.from',
    known: 'type kind action gap.from',
    any: 'timeZone',
  },
  'to the history': {
    schema: history.ToPage,
    valid: [
      ...types('lost', 'find'),
      {
        type: 'splice',
        at: 7,
        removed: 2,
        items: [
          { type: 'message', key: 'm', message, raw: { msgId: 'm', more: [1] } },
          { type: 'unreadable', key: 'u', raw: { any: ['thing', null] } },
          { type: 'gap', key: 'gap 1', id: 1, edge: { at: 'open' } },
        ],
      },
      { type: 'edges', older: { at: 'loading' }, newer: { at: 'end' } },
      { type: 'edges', older: { at: 'open' }, newer: { at: 'failed', text: 'No.', fix: 'setToken' } },
      { type: 'edges', older: { at: 'open' }, newer: { at: 'failed', text: 'No.', fix: 'changeAddress' } },
      { type: 'heading', name: 'Big', summary: '', readAs: 'Order Desk', service: 'a.example' },
      { type: 'arrived', count: 3 },
      { type: 'seen', msgId: 'm', sendTime: 5 },
      { type: 'show', key: 'm', isAtTop: true, found: 'kettle' },
      { type: 'note', text: '' },
      { type: 'archived', is: true },
      { type: 'avatar', ...chat, uri: 'data:image/png;base64,AA' },
      {
        type: 'profile',
        profile: {
          ...chat,
          name: 'Alice',
          failure: '',
          facts: [{ label: 'ID', value: '1' }],
          actions: [{ name: 'copyId', label: 'Copy ID' }],
        },
      },
    ],
    optional: 'raw isAtTop found fix',
    known: 'type kind older.at newer.at edge.at fix uri actions.name',
    any: 'raw',
  },
  'from the preview': {
    schema: preview.FromPreview,
    valid: [
      ...types('ready', 'more', 'send'),
      { type: 'step', by: 1 },
      { type: 'step', by: -1 },
      { type: 'goTo', ...chat },
      { type: 'onlyWithProblems', isOn: true },
      { type: 'find', search: 1, text: 'A'.repeat(300) },
      { type: 'place', start: 0, end: 5 },
      { type: 'row', line: 1, rule: 'never.csv' },
    ],
    optional: 'rule',
    known: 'type kind',
  },
  'to the preview': {
    schema: preview.ToPreview,
    valid: [
      {
        type: 'draft',
        message,
        recipients: [{ ...chat, name: 'Alice', problem: 'unknown', leftOut: 'Do Not Send' }],
        total: 1,
        leftOut: '1 is left out.',
        namesBot: true,
        namesRecipients: true,
        note: 'Pinned',
        varies: true,
        step: { ...chat, name: 'Alice', ...step, leftOut: 'no', leftOutCount: 1, unchecked: 'some' },
        canSend: false,
        problems: [
          { text: 'no name', severity: 'error', start: 0, end: 5, line: 2, rule: 'never.csv' },
          { text: 'long', severity: 'warning', start: 0, end: 5 },
        ],
      },
      { type: 'matches', search: 1, recipients: Array(20).fill({ ...chat, name: 'Alice' }), hasMore: true },
    ],
    optional: 'message problem leftOut note step unchecked line rule',
    known: 'type kind severity',
  },
  'from the replies': {
    schema: replies.FromRepliesPage,
    valid: [
      ...types('ready', 'retry'),
      { type: 'list', list: 1, query: repliesQuery },
      { type: 'more', list: 1 },
      ...acts('find', 'pause', 'resume', 'cancel', 'watch', 'unwatch'),
      ...acts('remindUnanswered', 'remindAnswered', 'openReport', 'copyCsv'),
      { type: 'openChat', chat, msgId: 'm' },
    ],
    optional: 'answer msgId',
    known: 'type kind states action',
  },
  'to the replies': {
    schema: replies.ToRepliesPage,
    valid: [
      ...types('copied'),
      repliesOf(),
      repliesOf({ run: { is: 'reading', done: 1, total: 2 } }),
      repliesOf({ run: { is: 'paused', done: 1, total: 2 } }),
      { type: 'list', list: 1, total: 9, rows: someRows() },
      { type: 'more', list: 1, rows: someRows() },
      { type: 'changed', list: 1, rows: someRows().map((row, at) => ({ at, row })) },
      { type: 'failed', text: 'No.', list: 1 },
    ],
    optional: 'doneAt failed.list',
    known: 'type kind state is',
  },
  'from the report': {
    schema: report.FromReportPage,
    valid: [
      ...types('ready', 'retry'),
      { type: 'list', list: 1, query: reportQuery },
      { type: 'more', list: 1 },
      ...acts('check', 'resume', 'resend', 'lookUp', 'cancel', 'sendNow', 'reschedule', 'unschedule', 'sendEdited'),
      ...acts('edit', 'findReplies', 'openMessage', 'copyCsv', 'copyMarkdown'),
      { type: 'openDelivery', delivery: 'd' },
      { type: 'openChat', chat },
      { type: 'showWhole', chat },
    ],
    known: 'type kind results action',
  },
  'to the report': {
    schema: report.ToReportPage,
    valid: [
      ...types('copied'),
      summaryOf({ notes: ['late'], related: [{ delivery: 'd', text: 'reminds' }] }),
      { type: 'list', list: 1, total: 9, rows: reportRows },
      { type: 'more', list: 1, rows: reportRows },
      { type: 'changed', list: 1, rows: [{ at: 0, row: reportRows[0] }] },
      { type: 'failed', text: 'No.' },
    ],
    known: 'type kind state counts.result actions',
  },
  'from the search': {
    schema: search.FromSearchPage,
    valid: [
      ...types('ready', 'archive'),
      { type: 'search', search: 1, query: searchQuery },
      { type: 'search', search: 1, query: { ...searchQuery, order: 'relevance' } },
      { type: 'more', search: 1 },
      { type: 'openMessage', chat: 1, msgId: 'm' },
    ],
    optional:
      'query.chat query.sender query.kind query.hasButtons query.isCommand query.withoutQuoted query.since query.until',
    known: 'type order',
  },
  'to the search': {
    schema: search.ToSearchPage,
    valid: [
      { ...scope, chats: [{ number: 1, kind: 'group', name: 'Town', otherName: 'Riverside' }] },
      {
        type: 'found',
        search: 1,
        found: [
          foundView('1', { parts: saying(foundText('Soup', [[0, 4]]), { buttons: [foundText('Yes')] }), time: 5 }),
        ],
        isLast: true,
      },
      { type: 'failed', search: 1, text: 'No.' },
      { type: 'focus', query: searchQuery },
    ],
    optional:
      'otherName time query query.chat query.sender query.kind query.hasButtons query.isCommand query.withoutQuoted query.since query.until',
    known: 'type order chats.kind',
  },
  'from the statistics': {
    schema: statistics.FromStatisticsPage,
    valid: [
      ...types('update', 'saveCsv', 'copyCsv'),
      { type: 'ready', timeZone: 'Asia/Shanghai' },
      { type: 'search', query: statisticsQuery },
    ],
    optional: 'timeZone sender kind hasButtons isCommand withoutQuoted since until',
    known: 'type',
    any: 'timeZone',
  },
  'to the statistics': {
    schema: statistics.ToStatisticsPage,
    valid: [
      ...types('loading'),
      { type: 'heading', name: 'Big', summary: '' },
      { type: 'statistics', statistics: { ...oneMessage(), hours: [[1]] } },
      { type: 'failed', text: 'No.' },
    ],
    optional: 'first last',
    known: 'statistics.type',
  },
  'from a download': { schema: download.FromDownloadPage, valid: types('ready'), known: 'type' },
  'to a download': {
    schema: download.ToDownloadPage,
    valid: [{ type: 'file', name: 'a.csv', bytes: new Uint8Array(1), isNew: true }],
    known: 'type',
  },
  'from any page': {
    schema: PageRequest,
    valid: [
      { type: 'copy', text: '' },
      { type: 'open', url: 'https://chat.example/a?b=c#d' },
    ],
    known: 'type url',
  },
};

/** Numbers that aren't counts. */
const NUMBERS = ['from', 'by', 'sendTime', 'doneAt', 'time', 'since', 'until', 'first', 'last', 'day'];

type Path = readonly (string | number)[];

/** The places of all fields and elements in a message, except in the message of a chat and in raw JSON. */
function* placesIn(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
  if (path.at(-1) === 'message' || path.at(-1) === 'raw') return;
  for (const [name, child] of Object.entries(value))
    yield* placesIn(child, [...path, Array.isArray(value) ? Number(name) : name]);
}

/** What is at a place, and the same message with something else there. */
function changing(message: object, path: Path) {
  const at = (root: unknown, names: Path) =>
    names.reduce<unknown>((value, name) => (value as Record<string | number, unknown>)[name], root);
  return {
    value: at(message, path),
    to: (other: unknown) => {
      const changed = structuredClone(message);
      Object.assign(at(changed, path.slice(0, -1)) as object, { [path.at(-1) ?? '']: other });
      return changed;
    },
  };
}

describe('What a page and its host tell each other', () => {
  for (const [direction, { schema, valid, optional = '', known, any = '' }] of Object.entries(PROTOCOLS)) {
    it(`${direction} is valid, and nothing else is`, () => {
      for (const value of [undefined, null, 'ready', [], {}, ...types('', 'Ready', 'toString')])
        assert.ok(!v.is(schema, value), JSON.stringify(value));
      for (const told of valid) {
        assert.deepEqual(v.parse(schema, told), told);
        assert.deepEqual(v.parse(schema, { ...told, token: 'secret' }), told);
        const { type } = told as { type: string };
        for (const path of placesIn(told)) {
          const name = [type, ...path.filter((part) => typeof part === 'string')].join('.');
          const isOneOf = (names: string) => names.split(' ').some((one) => `.${name}`.endsWith(`.${one}`));
          const { value, to } = changing(told, path);
          const isElement = typeof path.at(-1) === 'number';
          const assertRefused = (other: unknown) => {
            const message = `${name}: ${JSON.stringify(other)} in ${JSON.stringify(told).slice(0, 500)}`;
            assert.ok(!v.is(schema, to(other)), message);
          };
          if (isOneOf(any)) continue;
          assertRefused(typeof value === 'object' ? 7 : { odd: true });
          if (isElement || !isOneOf(optional)) assertRefused(undefined);
          else assert.ok(v.is(schema, to(undefined)), name);
          if (typeof value === 'string' && isOneOf(known)) assertRefused('other');
          if (typeof value !== 'number' || NUMBERS.some((one) => name.endsWith(`.${one}`))) continue;
          for (const none of [-1, 0.5]) assertRefused(none);
        }
      }
    });
  }

  it('has no message, recipient or match without a key, an ID or a text, and not too much of them', () => {
    for (const [schema, told] of [
      [history.FromPage, { type: 'goTo', msgId: '' }],
      [history.FromPage, { type: 'ready', reading: '' }],
      [history.FromPage, { type: 'openImage', key: '' }],
      [history.FromPage, { type: 'profile', kind: 'user', id: '' }],
      [history.FromPage, { type: 'profile', kind: 'group', id: 'big' }],
      [history.ToPage, { type: 'show', key: '' }],
      [preview.FromPreview, { type: 'row', line: 0 }],
      [preview.FromPreview, { type: 'find', search: 1, text: 'A'.repeat(301) }],
      [search.FromSearchPage, { type: 'openMessage', chat: 1, msgId: '' }],
      [search.FromSearchPage, { type: 'search', search: 1, query: { ...searchQuery, since: Number.NaN } }],
      [
        statistics.FromStatisticsPage,
        { type: 'search', query: { ...statisticsQuery, until: Number.POSITIVE_INFINITY } },
      ],
    ] as const)
      assert.ok(!v.is(schema, told), JSON.stringify(told));
    const recipients = Array(21).fill({ ...chat, name: 'Alice' });
    assert.ok(!v.is(preview.ToPreview, { type: 'matches', search: 1, recipients, hasMore: true }));
  });

  it('has no time zone that this computer does not know', () => {
    for (const timeZone of ['Mars/Olympus', '', 7, null])
      for (const schema of [history.FromPage, statistics.FromStatisticsPage])
        assert.deepEqual(v.parse(schema, { type: 'ready', timeZone }), { type: 'ready', timeZone: undefined });
  });

  it('opens http and https addresses, and no others', () => {
    const isOpened = (url: string) => v.is(PageRequest, { type: 'open', url });
    for (const url of ['http://chat.example', 'HTTPS://Chat.Example/', 'https://例子.example/群'])
      assert.ok(isOpened(url), url);
    for (const url of [
      'javascript:alert(1)',
      'JavaScript:https://chat.example',
      '\njavascript:x//https://a',
      'x\nhttps://chat.example',
      'data:text/html,x',
      'file:///etc/passwd',
      'vscode://publisher.extension/x',
      'command:workbench.action.quit',
      'mailto:a@chat.example',
      'httpx://a.example',
      'chat.example',
      '/a',
      'https:',
      'https://',
    ])
      assert.ok(!isOpened(url), url);
  });
});

describe('The state of a page', () => {
  const find = { query: 'kettle', match: 'm' };
  const historyState = { place, reading: 'm', offset: -12.5, sender: '7058314', kind: 'text', find, focused: 'm' };

  it('is stored with what it is of', () => {
    for (const [schema, state] of [
      [history.PageState, { ...historyState, hasFindFocus: true }],
      [preview.PreviewPageState, { document: 'file:///a.md' }],
      [replies.RepliesPageState, { delivery: 'd', query: repliesQuery, position }],
      [report.ReportPageState, { delivery: 'd', query: reportQuery, position }],
      [search.SearchPageState, { query: searchQuery, position, hasFilters: true }],
      [statistics.StatisticsPageState, { place }],
      [PageOptions, { page: 'download', pictures: true }],
    ] as const) {
      assert.deepEqual(v.parse(schema, state), state);
      assert.ok(!v.is(schema, {}));
    }
    assert.ok(!v.is(preview.PreviewPageState, { document: '' }));
    for (const page of ['download', 'history', 'preview', 'replies', 'report', 'search', 'statistics'])
      assert.ok(v.is(PageOptions, { page, pictures: false }), page);
    assert.ok(!v.is(PageOptions, { page: 'other', pictures: true }));
  });

  it('falls back to the beginning, and of the history to the newest message, if only what it is of is valid', () => {
    const state = { place, reading: 7, offset: 'far', sender: null, find: 'kettle', focused: '' };
    const fallback = { reading: undefined, offset: 0, sender: '', kind: '', find: undefined, focused: undefined };
    assert.deepEqual(v.parse(history.PageState, state), { place, ...fallback, hasFindFocus: false });
    const odd = { delivery: 'd', query: 7, position: { ...position, count: -1 } };
    const none = { delivery: 'd', position: undefined };
    assert.deepEqual(v.parse(replies.RepliesPageState, odd), { ...none, query: { states: [], text: '' } });
    assert.deepEqual(v.parse(report.ReportPageState, odd), { ...none, query: { results: [], text: '' } });
  });

  it('has no last seen message if that is invalid', () => {
    assert.deepEqual(v.parse(history.Seen, { msgId: 'm', sendTime: 5 }), { msgId: 'm', sendTime: 5 });
    for (const bad of [undefined, 'm', { msgId: 'm' }, { msgId: 7, sendTime: 5 }])
      assert.equal(v.parse(history.Seen, bad), undefined);
  });
});

describe('The columns of a report', () => {
  it('have a text of their own for each recipient only where there is one', () => {
    assert.deepEqual(report.shownColumns(true), ['name', 'id', 'result', 'details', 'ownText']);
    assert.deepEqual(report.shownColumns(false), ['name', 'id', 'result', 'details']);
  });
});

describe('A chat as one bot reads it', () => {
  it('has a service, a chat and a bot, and never a token', () => {
    assert.deepEqual(v.parse(BotChat, { ...place, token: 'secret' }), place);
    for (const name of Object.keys(place))
      for (const value of [undefined, null, 7]) assert.ok(!v.is(BotChat, { ...place, [name]: value }), name);
    for (const name of ['kind', 'id', 'botId']) assert.ok(!v.is(BotChat, { ...place, [name]: '' }), name);
    for (const other of [{ ...place, kind: 'bot' }, undefined, null, 'big', []]) assert.ok(!v.is(BotChat, other));
  });

  it('is known by its key', () => {
    const one = v.parse(BotChat, place);
    assert.deepEqual(botChatsOf(['{', '[]', botChatKey(one), JSON.stringify(['a', 'bot', '1', '2'])]), [one]);
  });

  it('has the same messages as with another bot only if it is a group', () => {
    const group = v.parse(BotChat, place);
    const person = v.parse(BotChat, { ...place, kind: 'user' });
    const otherBot = { botId: '2' };
    assert.equal(hasSameMessages(group, { ...group, ...otherBot }), true);
    assert.equal(hasSameMessages(person, { ...person, ...otherBot }), false);
    assert.equal(hasSameMessages(person, { ...person }), true);
    assert.equal(hasSameMessages(group, { ...group, id: '2' }), false);
    assert.equal(hasSameMessages(group, { ...group, service: 'https://other.example' }), false);
    assert.equal(hasSameMessages(group, person), false);
  });
});
