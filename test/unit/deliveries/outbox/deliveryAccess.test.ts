import assert from 'node:assert/strict';
import {
  accessTo,
  MissingTokenError,
  savedAccessOf,
  serviceOf,
  tokenFor,
} from '../../../../src/deliveries/outbox/deliveryAccess.ts';
import type { Connection, Service } from '../../../../src/platform/service.ts';
import { newHost } from '../../test-host.ts';
import { BOT, deliveryOf } from './testDeliveries.ts';

const service = { address: 'https://service.test' } as Service;

const { tokens, access } = newHost();

const delivery = deliveryOf([]);

const connectionTo = (opened: Service | undefined, state = 'service') =>
  ({ state: async () => state, open: async () => opened }) as Connection;

describe('What a delivery needs', () => {
  beforeEach(() => tokens.remove(service, BOT));

  it('is a saved token, or one that the user enters when asked', async () => {
    const asked: string[] = [];
    const entering = (token?: string) => ({
      ...access,
      setToken: async (_: Service, botId: string) => {
        asked.push(botId);
        if (token !== undefined) await tokens.set(service, botId, token);
        return token !== undefined;
      },
    });
    const got = (token?: string) => tokenFor(BOT, service, { access: entering(token) as never, tokens });
    assert.ok(!(await got()));
    assert.equal(await got('entered'), 'entered');
    assert.equal(await got('other'), 'entered');
    assert.deepEqual(asked, [BOT, BOT]);
  });

  it('is its own service, as its message and its token go to no other', async () => {
    const from = (opened: Service | undefined) => serviceOf(delivery, { openService: async () => opened });
    assert.equal(await from(service), service);
    assert.equal(await from(undefined), undefined);
    await assert.rejects(from({ ...service, address: 'https://other.test' }), {
      message: 'This delivery belongs to https://service.test. Connect to that service to continue.',
    });
  });

  it('is asked for where it is missing, and nothing is there if the user cancels', async () => {
    const found = (opened: Service | undefined) =>
      accessTo(delivery, { access: { ...access, openService: async () => opened }, tokens });
    assert.equal(await found(service), undefined);
    await tokens.set(service, BOT, 'saved');
    assert.deepEqual(await found(service), { service, token: 'saved' });
    assert.equal(await found(undefined), undefined);
  });

  it('is found without a question if the delivery is due, or else the reason says what is missing', async () => {
    const due = (connection: Connection) => savedAccessOf(delivery, { connection, tokens });
    await assert.rejects(due(connectionTo(service)), (error) => {
      assert.ok(error instanceof MissingTokenError);
      assert.equal(error.message, 'No token is saved for Order Desk.');
      return true;
    });
    await tokens.set(service, BOT, 'saved');
    assert.deepEqual(await due(connectionTo(service)), { service, token: 'saved' });
    await assert.rejects(due(connectionTo(service, 'none')), { message: "You're not connected to a service yet." });
    await assert.rejects(due(connectionTo({ ...service, address: 'https://other.test' })), /belongs to/);
  });
});
