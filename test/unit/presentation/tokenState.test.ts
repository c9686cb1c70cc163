import assert from 'node:assert/strict';
import { env, UIKind } from 'vscode';
import { BotChatClient } from '../../../src/presentation/botChatClient.ts';
import { isInBrowser, lossText, refusalOf, refusalText } from '../../../src/presentation/tokenState.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { newHost } from '../test-host.ts';
import { newConnection, startService } from '../test-service.ts';

describe('A saved token', () => {
  const rejected = (code: number, text: string) => new ServiceError({ kind: 'rejected', status: 200, code, text });

  it('is refused by an error that names it, and by others that no recipient can have caused', () => {
    const http = new ServiceError({ kind: 'http', status: 401, excerpt: 'Unauthorized' });
    const refusals = (error: ServiceError) => [refusalOf(error), refusalOf(error, { hasRecipients: true })];
    const wrong = { status: 200, code: 1003, text: '非法token' };
    const missing = { status: 200, code: 1002, text: 'token不存在' };
    assert.deepEqual(refusals(rejected(1003, wrong.text)), [wrong, wrong]);
    assert.deepEqual(refusals(rejected(1002, missing.text)), [missing, missing]);
    const unauthorized = { status: 401, text: 'Unauthorized' };
    assert.deepEqual(refusals(http), [unauthorized, unauthorized]);
    assert.deepEqual(refusals(rejected(1003, 'no')), [{ status: 200, code: 1003, text: 'no' }, undefined]);
    for (const error of [rejected(1003, 'recvId值错误，该用户不是机器人好友'), rejected(-1, '消息不存在')])
      assert.deepEqual(refusals(error), [undefined, undefined]);
    const long = missing.text.padEnd(299, '!');
    assert.equal(refusalOf(rejected(1002, `${long}👍`))?.text, long);
    assert.equal(refusalText(unauthorized), 'The service returned HTTP status 401: “Unauthorized”.');
  });

  it('is marked while the service refuses to list messages with it', async () => {
    const service = await startService();
    const host = newHost({ connection: newConnection() });
    const connected = await host.connection.open();
    const botId = '30481126';
    const token = service.sandbox.token(botId) ?? '';
    await host.tokens.set(connected, botId, token);
    const chat = { service: connected.address, kind: 'group', id: '518204736', botId } as const;
    const read = () => new BotChatClient(chat, host).list({ latest: 1 }, new AbortController().signal);
    service.instead = async () => Response.json({ code: 1003, msg: '非法token' });
    await assert.rejects(read(), /code 1003/);
    assert.deepEqual(host.tokens.refusal(connected, botId), { status: 200, code: 1003, text: '非法token' });
    service.instead = () => undefined;
    await read();
    assert.equal(host.tokens.refusal(connected, botId), undefined);
    // What the service says counts, also where VS Code can't keep it.
    host.tokens.answered = () => Promise.reject(new Error('no space'));
    assert.equal((await read()).length, 1);
    service.instead = async () => Response.json({ code: 1003, msg: '非法token' });
    await assert.rejects(read(), /code 1003/);
    service.instead = () => undefined;
    host.connection.dispose();
    await service.close();
  });
});

describe('A lost token', () => {
  afterEach(() => Object.assign(env, { uiKind: UIKind.Desktop }));

  it('is explained by what keeps tokens', () => {
    assert.match(lossText(), /^Without a keyring,/);
    assert.equal(isInBrowser(), false);
    Object.assign(env, { uiKind: UIKind.Web });
    assert.match(lossText(), /^This VS Code keeps tokens only until/);
    assert.equal(isInBrowser(), true);
  });
});
