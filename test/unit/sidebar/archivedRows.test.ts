import assert from 'node:assert/strict';
import { EventEmitter } from 'vscode';
import type { Service } from '../../../src/platform/service.ts';
import type { BotChat } from '../../../src/protocol/botChat.ts';
import { ArchivedRows } from '../../../src/sidebar/archivedRows.ts';
import { settled } from '../deferred.ts';
import { newHost } from '../test-host.ts';

const SHOP: BotChat = { service: 'https://chat.example', kind: 'group', id: '518204736', botId: '30481126' };
const PERSON: BotChat = { ...SHOP, kind: 'user', id: '7058314' };

describe('Archived rows', () => {
  let archived: BotChat[];
  let changed: EventEmitter<void>;
  let rows: ArchivedRows;
  let repainted: string[];
  let connected: string | undefined;
  let list: () => Promise<BotChat[]>;

  beforeEach(async () => {
    [archived, repainted, connected, changed] = [[SHOP], [], SHOP.service, new EventEmitter()];
    list = async () => archived;
    const host = newHost({ archived: { list: () => list(), onDidChange: changed.event } });
    host.connection.open = async () =>
      connected === undefined ? Promise.reject(new Error('not connected')) : ({ address: connected } as Service);
    let pass = () => {};
    const clock = {
      after: (_: number, run: () => void) => {
        pass = run;
        return () => {};
      },
    };
    rows = new ArchivedRows(host, ({ kind, id }) => repainted.push(`${kind} ${id}`), clock);
    pass();
    await settled();
  });

  const shown = () => [SHOP, PERSON].map((chat) => rows.has(chat));

  it('are those of the archive, and each is painted again when that has changed', async () => {
    assert.deepEqual([shown(), repainted], [[true, false], ['group 518204736']]);
    archived = [SHOP, PERSON];
    changed.fire();
    await settled();
    archived = [PERSON];
    changed.fire();
    await settled();
    assert.deepEqual(
      [shown(), repainted.slice(1)],
      [
        [false, true],
        ['user 7058314', 'group 518204736'],
      ],
    );
  });

  it('are only those of the connected service', async () => {
    connected = 'https://other.example';
    await rows.update();
    assert.deepEqual(shown(), [false, false]);
    connected = SHOP.service;
    await rows.update();
    assert.deepEqual(shown(), [true, false]);
    connected = undefined;
    await rows.update();
    assert.deepEqual(shown(), [false, false]);
  });

  it('are no longer looked for once the sidebar is closed', async () => {
    rows.dispose();
    archived = [];
    changed.fire();
    await settled();
    assert.deepEqual(repainted, ['group 518204736']);
  });

  it('are those of the service connected last, even if what was asked for another one comes later', async () => {
    const answers: ((all: BotChat[]) => void)[] = [];
    list = () => new Promise((resolve) => answers.push(resolve));
    const other = { ...SHOP, service: 'https://other.example', id: '7' };
    const former = rows.update();
    await settled();
    connected = other.service;
    const latest = rows.update();
    await settled();
    answers[1]?.([SHOP, other]);
    await latest;
    answers[0]?.([SHOP, other]);
    await former;
    assert.deepEqual([shown()[0], rows.has(other)], [false, true]);
  });
});
