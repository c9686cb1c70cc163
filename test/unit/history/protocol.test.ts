import assert from 'node:assert/strict';
import * as v from 'valibot';
import { FromPage, Place, ToPage } from '../../../src/history/protocol.ts';
import { Message } from '../../../src/service/message.ts';

/** Asserts that a schema takes all of these values as they are. */
function assertTaken(schema: v.GenericSchema, values: unknown[]): void {
  for (const value of values) assert.deepEqual(v.parse(schema, value), value);
}

const refused = (schema: v.GenericSchema, value: unknown) => !v.safeParse(schema, value).success;

const place = { service: 'https://chat.example/open', type: 'group', id: 'big', botId: '30481126' };

describe('What the history page says', () => {
  it('is understood', () => {
    const orders = ['ready', 'older', 'newer', 'setToken'].map((type) => ({ type }));
    assertTaken(FromPage, [...orders, { type: 'copy', text: '' }, { type: 'copy', text: 'a\n"b"' }]);
  });

  it('may open web addresses', () => {
    const urls = [
      'http://chat.example',
      'https://chat.example/a?b=c#d',
      'HTTPS://Chat.Example/',
      'https://例子.example/群',
    ];
    assertTaken(
      FromPage,
      urls.map((url) => ({ type: 'open', url })),
    );
  });

  it('may open nothing else', () => {
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
    for (const url of [...bad, undefined, null, 7, {}])
      assert.ok(refused(FromPage, { type: 'open', url }), String(url));
  });

  it('is refused where it is anything else', () => {
    const bad = [
      undefined,
      null,
      'ready',
      [],
      {},
      { type: '' },
      { type: 'Ready' },
      { type: ['ready'] },
      { type: 'send' },
    ];
    for (const message of [...bad, { type: 'copy' }, { type: 'copy', text: 7 }, { type: 'open' }]) {
      assert.ok(refused(FromPage, message), JSON.stringify(message));
    }
  });

  it('loses what it does not need to say', () => {
    assert.deepEqual(v.parse(FromPage, { type: 'ready', token: 'x' }), { type: 'ready' });
  });
});

describe('What the history page is told', () => {
  const message = v.parse(Message, { msgId: 'm', contentType: 'text', content: { text: 'Hello' }, sendTime: 5 });
  const entries = [
    { readable: true, message, raw: { msgId: 'm', more: [1] } },
    { readable: false, raw: { any: ['thing', null] } },
  ];

  it('is understood, with entries as the service was read', () => {
    const wheres = ['all', 'older', 'newer'].map((where) => ({ type: 'entries', where, entries }));
    assertTaken(ToPage, [...wheres, { type: 'heading', name: 'Big', summary: '', readAs: 'Order Desk' }]);
  });

  it('is understood for each state of an end', () => {
    const states = [{ at: 'open' }, { at: 'loading' }, { at: 'end' }, { at: 'failed', text: 'No.', needsToken: true }];
    assertTaken(
      ToPage,
      states.flatMap((one) => states.map((other) => ({ type: 'edges', older: one, newer: other }))),
    );
  });

  it('is refused where it is anything else', () => {
    const open = { at: 'open' };
    const bad = [
      null,
      { type: 'ready' },
      { type: 'heading', name: 'Big' },
      { type: 'entries', where: 'middle', entries: [] },
      { type: 'entries', where: 'all', entries: [{ readable: true }] },
      { type: 'entries', where: 'all', entries: [{ readable: 'yes', message }] },
      { type: 'edges', older: open },
      { type: 'edges', older: open, newer: { at: 'lost' } },
      { type: 'edges', older: open, newer: { at: 'failed' } },
    ];
    for (const told of bad) assert.ok(refused(ToPage, told), JSON.stringify(told));
  });

  it('survives the way from one side to the other', () => {
    const told = { type: 'entries', where: 'all', entries };
    assert.deepEqual(v.parse(ToPage, structuredClone(told)), told);
  });
});

describe('A place', () => {
  it('names a chat, its service and the bot that reads it', () => {
    assertTaken(Place, [place, { ...place, type: 'user', id: '7058314' }]);
  });

  it('is refused where something is missing or empty', () => {
    for (const name of Object.keys(place)) {
      for (const value of [undefined, null, 7]) assert.ok(refused(Place, { ...place, [name]: value }), name);
    }
    for (const name of ['type', 'id', 'botId']) assert.ok(refused(Place, { ...place, [name]: '' }), name);
    const { botId: _, ...nobody } = place;
    assert.ok(refused(Place, nobody));
    assert.ok(refused(Place, { ...place, type: 'bot' }));
    for (const value of [undefined, null, 'big', []]) assert.ok(refused(Place, value));
  });

  it('never keeps a token', () => {
    assert.deepEqual(v.parse(Place, { ...place, token: 'secret' }), place);
  });
});
