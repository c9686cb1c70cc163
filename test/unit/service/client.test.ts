import assert from 'node:assert/strict';
import { Client } from '../../../src/service/client.ts';
import type { Outgoing } from '../../../src/service/message.ts';
import { serveSandbox } from '../../host/serve.ts';
import { body, counting, failureOf, operations, success } from './answering.ts';

describe('A client of the sandbox', () => {
  it('looks up groups, bots and users with all of their fields', async () => {
    const service = await serveSandbox({ messages: 30 });
    const { webUrl, openApiUrl } = service.sandbox;
    const client = new Client({ webUrl, openApiUrl });
    const found = [await client.group('518204736'), await client.bot('30481126'), await client.user('7521170')];
    for (const { resource, raw } of found) assert.deepEqual(raw, resource);
    assert.deepEqual(
      found.map(({ resource }) => ('name' in resource ? resource.name : resource.nickname)),
      ['Fern & Kettle: the shop team', 'Order Desk', 'Owen Pikestaff'],
    );
    await service.close();
  });
});

describe('A client', () => {
  const good = 'https://chat.example';
  const create = (webUrl: string, openApiUrl: string, allowPlainHttp?: boolean) =>
    new Client({ webUrl, openApiUrl, ...(allowPlainHttp !== undefined && { allowPlainHttp }) });

  it("isn't created for invalid addresses, which aren't quoted", () => {
    const bad = 'https://person:secret@chat.example';
    const isSecret = (error: unknown) => error instanceof TypeError && !/secret/.test(`${error.stack}`);
    assert.throws(() => create(bad, good), isSecret);
    assert.throws(() => create(good, bad), isSecret);
  });

  it('sends a token over plain http only if the user allows it, and looks up anyway', () => {
    const plain = 'http://chat.example';
    create(plain, good);
    create(good, plain, true);
    for (const allowed of [undefined, false]) assert.throws(() => create(good, plain, allowed), TypeError);
  });

  it('sends no token over plain http any more once the user forbids it', async () => {
    let isAllowed = true;
    const open = (openApiUrl: string) =>
      counting(() => success({ list: [] }), { openApiUrl, allowPlainHttp: () => isAllowed });
    const { client, at } = open('http://chat.example');
    assert.deepEqual(await operations.messages(client), []);
    isAllowed = false;
    assert.deepEqual(await failureOf(operations.messages(client)), { kind: 'insecure' });
    const hello: Outgoing = { contentType: 'text', content: { text: 'Hello' } };
    const before = () => assert.fail('It was to be sent.');
    const batch = client.batchSend('a-token', 'group', ['big'], hello, { before });
    assert.deepEqual(await failureOf(batch), { kind: 'insecure' });
    assert.equal(at.length, 1);
    for (const safe of [good, 'http://localhost:1']) await operations.messages(open(safe).client);
  });

  it("doesn't try again over plain http once the user forbids it", async () => {
    let isAllowed = true;
    const down = () => {
      isAllowed = false;
      return body('', 503);
    };
    const options = { openApiUrl: 'http://chat.example', allowPlainHttp: () => isAllowed };
    const { client, at } = counting(down, options);
    assert.deepEqual(await failureOf(operations.messages(client)), { kind: 'insecure' });
    assert.equal(at.length, 1);
  });
});
