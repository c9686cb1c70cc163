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

  beforeEach(async () => {
    [archived, repainted, connected, changed] = [[SHOP], [], SHOP.service, new EventEmitter()];
    const host = newHost({ archived: { list: async () => archived, onDidChange: changed.event } });
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
});
