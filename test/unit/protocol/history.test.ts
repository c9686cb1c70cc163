import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import * as v from 'valibot';
import { BotChat } from '../../../src/protocol/botChat.ts';
import { FromPage, PageState, Seen, ToPage } from '../../../src/protocol/history.ts';
import { PageRequest } from '../../../src/protocol/page.ts';
import { Message } from '../../../src/service/message.ts';

/** Asserts that a schema accepts these values unchanged. */
function assertTaken(schema: v.GenericSchema, values: unknown[]): void {
  for (const value of values) assert.deepEqual(v.parse(schema, value), value);
}

/** Asserts that a schema accepts none of these values. */
function assertRefused(schema: v.GenericSchema, values: unknown[]): void {
  for (const value of values) assert.ok(!v.safeParse(schema, value).success, inspect(value));
}

const place = { service: 'https://chat.example/open', kind: 'group', id: 'big', botId: '30481126' };

describe('A message from the history page', () => {
  it('is valid', () => {
    const orders = ['ready', 'older', 'newer', 'setToken', 'goToDate', 'loadHistory', 'archiveHere'].map((type) => ({
      type,
    }));
    const more = [
      { type: 'ready', reading: 'm', timeZone: 'Asia/Shanghai' },
      { type: 'gap', id: 0, from: 'older' },
      { type: 'gap', id: 7, from: 'newer' },
      { type: 'goTo', msgId: 'm' },
      { type: 'goToDate', from: 1_773_000_000_000 },
      { type: 'atNewest', is: false },
      { type: 'profile', kind: 'user', id: '7058314' },
      { type: 'openImage', key: 'm' },
      { type: 'searchArchive', text: 'kettle' },
      { type: 'act', action: 'copyId', kind: 'bot', id: '30481126' },
      { type: 'avatars', senders: [{ kind: 'bot', id: '30481126' }] },
    ];
    assertTaken(FromPage, [...orders, ...more]);
  });

  it("is rejected if it's anything else", () => {
    assertRefused(FromPage, [
      undefined,
      null,
      'ready',
      [],
      {},
      { type: '' },
      { type: 'Ready' },
      { type: ['ready'] },
      { type: 'send' },
      { type: 'toString' },
      { type: 'goTo' },
      { type: 'goTo', msgId: '' },
      { type: 'goTo', msgId: ['x'] },
      { type: 'gap', id: 1 },
      { type: 'gap', id: 1, from: 'left' },
      { type: 'gap', id: -1, from: 'older' },
      { type: 'ready', reading: '' },
      { type: 'ready', reading: 7 },
      { type: 'atNewest', is: 'yes' },
      { type: 'profile', kind: 'group', id: 'big' },
      { type: 'profile', kind: 'user', id: '' },
      { type: 'act', action: 'removeToken', kind: 'bot', id: '30481126' },
      { type: 'act', action: 'copyId', kind: 'group', id: 'big' },
      { type: 'avatars', senders: [{ kind: 'group', id: 'big' }] },
      { type: 'openImage', key: '' },
    ]);
  });

  it('is valid without a time zone that this computer knows', () => {
    for (const timeZone of ['Mars/Olympus', '', 7, null]) {
      assert.deepEqual(v.parse(FromPage, { type: 'ready', timeZone }), { type: 'ready', timeZone: undefined });
    }
  });

  it('drops unknown fields', () => {
    assert.deepEqual(v.parse(FromPage, { type: 'ready', token: 'x' }), { type: 'ready' });
  });
});

describe('A request of any page', () => {
  it('may copy a text', () => {
    assertTaken(PageRequest, [
      { type: 'copy', text: '' },
      { type: 'copy', text: 'a\n"b"' },
    ]);
    assertRefused(PageRequest, [{ type: 'copy' }, { type: 'copy', text: 7 }]);
  });

  it('may open http and https URLs', () => {
    const urls = [
      'http://chat.example',
      'https://chat.example/a?b=c#d',
      'HTTPS://Chat.Example/',
      'https://例子.example/群',
    ];
    assertTaken(
      PageRequest,
      urls.map((url) => ({ type: 'open', url })),
    );
  });

  it('must not open other URLs', () => {
    const bad = ['javascript:alert(1)', 'JavaScript:https://chat.example', 'data:text/html,x', 'file:///etc/passwd'];
    bad.push(
      'vscode://publisher.extension/x',
      'command:workbench.action.quit',
      'mailto:a@chat.example',
      'ftp://a.example',
      'httpx://a.example',
      'h:x',
    );
    bad.push('', 'chat.example', '/a', 'https:', 'https://', '\njavascript:x//https://a', 'x\nhttps://chat.example');
    assertRefused(
      PageRequest,
      [...bad, undefined, null, 7, {}].map((url) => ({ type: 'open', url })),
    );
  });
});

describe('A message to the history page', () => {
  const message = v.parse(Message, { msgId: 'm', contentType: 'text', content: { text: 'Hello' }, sendTime: 5 });
  const items = [
    { type: 'message', key: 'm', message, raw: { msgId: 'm', more: [1] } },
    { type: 'message', key: 'n', message },
    { type: 'unreadable', key: 'u', raw: { any: ['thing', null] } },
    { type: 'gap', key: 'gap 1', id: 1, edge: { at: 'open' } },
  ];

  it('is valid with messages from the service', () => {
    assertTaken(ToPage, [
      { type: 'splice', at: 0, removed: 0, items },
      { type: 'splice', at: 7, removed: 2, items: [] },
      { type: 'heading', name: 'Big', summary: '', readAs: 'Order Desk', service: 'a.example' },
      { type: 'seen', msgId: 'm', sendTime: 5 },
      { type: 'show', key: 'm' },
      { type: 'show', key: 'm', isAtTop: true },
      { type: 'find' },
      { type: 'avatar', kind: 'user', id: '7058314', uri: 'data:image/png;base64,AA' },
      {
        type: 'profile',
        profile: {
          ...{ kind: 'user', id: '1', name: 'Alice', failure: '' },
          facts: [{ label: 'ID', value: '1' }],
          actions: [{ name: 'copyId', label: 'Copy ID' }],
        },
      },
      { type: 'arrived', count: 3 },
    ]);
  });

  it('is valid for each state of an edge', () => {
    const states = [{ at: 'open' }, { at: 'loading' }, { at: 'end' }, { at: 'failed', text: 'No.', fix: 'setToken' }];
    assertTaken(
      ToPage,
      states.flatMap((one) => states.map((other) => ({ type: 'edges', older: one, newer: other }))),
    );
  });

  it("is rejected if it's anything else", () => {
    const open = { at: 'open' };
    assertRefused(ToPage, [
      null,
      { type: 'ready' },
      { type: 'heading', name: 'Big' },
      { type: 'splice', at: -1, removed: 0, items: [] },
      { type: 'splice', at: 0, removed: 0.5, items: [] },
      { type: 'splice', at: 0, removed: 0, items: [{ type: 'message', key: 'm' }] },
      { type: 'splice', at: 0, removed: 0, items: [{ type: 'message', key: '', message }] },
      { type: 'splice', at: 0, removed: 0, items: [{ type: 'other', key: 'm', message }] },
      { type: 'edges', older: open },
      { type: 'avatar', kind: 'user', id: '7058314', uri: 'https://a.example/a.png' },
      { type: 'edges', older: open, newer: { at: 'lost' } },
      { type: 'edges', older: open, newer: { at: 'failed' } },
    ]);
  });
});

describe('A BotChat', () => {
  it('contains a chat, its service and its bot', () => {
    assertTaken(BotChat, [place, { ...place, kind: 'user', id: '7058314' }]);
  });

  it('is rejected if a field is missing or empty', () => {
    for (const name of Object.keys(place)) {
      for (const value of [undefined, null, 7]) assertRefused(BotChat, [{ ...place, [name]: value }]);
    }
    for (const name of ['kind', 'id', 'botId']) assertRefused(BotChat, [{ ...place, [name]: '' }]);
    const { botId: _, ...nobody } = place;
    assertRefused(BotChat, [nobody, { ...place, kind: 'bot' }, undefined, null, 'big', []]);
  });

  it('never contains a token', () => {
    assert.deepEqual(v.parse(BotChat, { ...place, token: 'secret' }), place);
  });
});

describe('The state of a page', () => {
  it('is stored with its chat', () => {
    const find = { query: 'kettle', match: 'm' };
    assertTaken(PageState, [
      { place, reading: 'm', offset: -12.5, sender: '7058314', kind: 'text', find, hasFindFocus: true },
    ]);
  });

  it('falls back to the newest message if only the chat is valid', () => {
    const state = { place, reading: 7, offset: 'far', sender: null, find: 'kettle' };
    const fallback = {
      place,
      reading: undefined,
      offset: 0,
      sender: '',
      kind: '',
      find: undefined,
      hasFindFocus: false,
    };
    assert.deepEqual(v.parse(PageState, state), fallback);
    assertRefused(PageState, [{ reading: 'm' }]);
  });
});

describe('The last seen message', () => {
  it('is unknown if the stored value is invalid', () => {
    assert.deepEqual(v.parse(Seen, { msgId: 'm', sendTime: 5 }), { msgId: 'm', sendTime: 5 });
    for (const bad of [undefined, 'm', { msgId: 'm' }, { msgId: 7, sendTime: 5 }])
      assert.equal(v.parse(Seen, bad), undefined);
  });
});
