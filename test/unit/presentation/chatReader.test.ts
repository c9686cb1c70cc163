import assert from 'node:assert/strict';
import type { Access } from '../../../src/connecting/contract.ts';
import type { Service } from '../../../src/platform/service.ts';
import { type ChosenChat, chatOf, chooseReader, chooseReaders } from '../../../src/presentation/chatReader.ts';
import { newHost } from '../test-host.ts';
import { group, RELATION } from './resources.ts';

const BIG: ChosenChat = { kind: 'group', id: 'big' };
const ANN: ChosenChat = { kind: 'user', id: '7' };

describe('The bot that reads a chat', () => {
  const directory = {
    labelOf: () => undefined,
    peek: () => undefined,
    get: async (_: unknown, id: string) =>
      id === 'big' ? group({ groupBotRel: RELATION }) : Promise.reject(new Error('no such group')),
  };
  const service = { address: 'https://open.example', directory } as unknown as Service;
  let host: ReturnType<typeof newHost>;
  /** What the user is asked, and which bot is proposed. */
  let asked: (string | undefined)[][];
  let chosen: string | undefined;

  beforeEach(() => {
    asked = [];
    chosen = '1';
    const chooseBot: Access['chooseBot'] = async (_, title, preferred) => {
      asked.push([title, preferred]);
      return preferred ?? chosen;
    };
    host = newHost({ access: { openService: async () => service, chooseBot } });
  });

  const readerOf = async (chat: ChosenChat) => (await chooseReader(host, chat))?.botChat.botId;

  it('is the one that was used last, or else chosen by the user', async () => {
    assert.deepEqual(await chooseReader(host, ANN), {
      botChat: { service: service.address, kind: 'user', id: '7', botId: '1' },
      name: '7',
    });
    assert.equal(await readerOf(ANN), '1');
    const question = 'Read the history of 7 as which bot?';
    assert.deepEqual(asked, [
      [question, undefined],
      [question, '1'],
    ]);
  });

  it('is the given one, which is not remembered', async () => {
    assert.equal(await readerOf({ ...ANN, botId: '2' }), '2');
    assert.equal(await readerOf(ANN), '1');
  });

  it('is the one that watches the chat, or is attached to the group', async () => {
    assert.equal(await readerOf(BIG), RELATION.botId);
    assert.equal(await readerOf({ kind: 'group', id: 'unknown' }), '1');
    await host.store.set('watched', [{ ...ANN, kind: 'user', service: service.address, botId: '5' }]);
    assert.equal(await readerOf(ANN), '5');
  });

  it('is none if the user cancels', async () => {
    chosen = undefined;
    assert.equal(await chooseReader(host, ANN), undefined);
    assert.equal(host.store.find('readers', { id: ANN.id }), undefined);
  });

  it('of several chats is asked for once, for those of which none with a token is known', async () => {
    await host.tokens.set(service, RELATION.botId, 'token');
    const chats = [BIG, ANN, { kind: 'user', id: '8' }] as const;
    const readers = await chooseReaders(host, chats);
    assert.deepEqual(
      readers?.map(({ botChat }) => botChat.botId),
      [RELATION.botId, '1', '1'],
    );
    assert.deepEqual(asked, [['Read 2 chats as which bot?', undefined]]);
    chosen = '9';
    const others = await chooseReaders(host, chats, { ask: true });
    assert.deepEqual(
      others?.map(({ botChat }) => botChat.botId),
      ['9', '9', '9'],
    );
    assert.deepEqual(asked[1], ['Read 3 chats as which bot?', undefined]);
  });

  it('is for a group or a person only', () => {
    assert.deepEqual(chatOf({ kind: 'group', id: 'big', botId: '1', more: 1 }), { ...BIG, botId: '1' });
    for (const other of [{ kind: 'bot', id: '1' }, { id: '1' }, undefined]) assert.equal(chatOf(other), undefined);
  });
});
