import assert from 'node:assert/strict';
import { type DataProblem, mayNeedToken } from '../../../src/service/errors.ts';
import type { Operation } from '../../../src/service/operations.ts';
import {
  assertAllFail,
  body,
  callsWithoutToken,
  callsWithToken,
  embedded,
  errorOf,
  everything,
  examples,
  failureOf,
  operationNames,
  operations,
  succeeding,
} from './answering.ts';

describe('The envelope of a response', () => {
  it('is the only valid body', async () => {
    for (const text of [
      '',
      'null',
      '[]',
      '"code"',
      '1',
      '{}',
      '{"msg":"success","data":{}}',
      '{"code":1',
      '{"code":null}',
      '{"code":true,"msg":"success"}',
      '{"code":"one"}',
      '{"code":[1]}',
      '{"code":"1.0"}',
    ]) {
      const client = embedded(() => body(text));
      const failure = { kind: 'notEnvelope', status: 200, excerpt: text };
      assert.deepEqual(await failureOf(operations.user(client)), failure);
    }
  });

  it('is quoted up to a whole character if it is invalid', async () => {
    const client = embedded(() => body(`${'x'.repeat(199)}👍`));
    const failure = { kind: 'notEnvelope', status: 200, excerpt: 'x'.repeat(199) };
    assert.deepEqual(await failureOf(operations.user(client)), failure);
  });

  it('is read with any content type and status', async () => {
    const envelope = '{"code":1,"msg":"success","data":{"user":{"userId":"7058314"}}}';
    for (const status of [200, 201, 302, 404, 500]) {
      const client = embedded(() => body(envelope, status));
      assert.equal((await client.user('7058314')).resource.userId, '7058314');
    }
  });

  it("rejects with the envelope's code even with an error status", async () => {
    for (const status of [400, 403, 404, 429, 500, 503]) {
      const client = embedded(() => body('{"code":1004,"msg":"机器人被封禁"}', status));
      await assertAllFail(client, { kind: 'rejected', code: 1004, text: '机器人被封禁', status });
    }
  });

  it('rejects with the text of "message" if "msg" is missing', async () => {
    for (const said of [{ message: '未授权' }, { msg: '', message: '未授权' }, { msg: '未授权', message: 'other' }]) {
      const client = embedded(() => Response.json({ code: 1004, ...said }));
      await assertAllFail(client, { kind: 'rejected', code: 1004, text: '未授权', status: 200 });
    }
  });

  it("rejects any code but 1 with the service's text, whatever that and the data say", async () => {
    for (const text of ['  错误: 会话 "big" 不存在\n(see <b>help</b>) ', 'success']) {
      for (const code of [0, -2, 2, 10, 200, 1002, 1004, 1005, 1007]) {
        const client = embedded(() => Response.json({ ...JSON.parse(everything), code, msg: text }));
        await assertAllFail(client, { kind: 'rejected', code, text, status: 200 });
      }
    }
  });

  it('blames no token in a lookup, which sends none', async () => {
    for (const [code, text, status] of [
      [1003, '未授权', 200],
      [1002, 'token不存在', 200],
      [7, 'no', 401],
    ] as const) {
      const client = embedded(() => Response.json({ code, msg: text }, { status }));
      for (const call of callsWithoutToken) assert.equal(mayNeedToken(await errorOf(call(client))), false);
      for (const call of callsWithToken) assert.equal(mayNeedToken(await errorOf(call(client))), true);
      const failure = { kind: 'rejected', code, text, status };
      assert.deepEqual(await failureOf(operations.messages(client)), failure);
      assert.deepEqual(await failureOf(operations.user(client)), { ...failure, withoutToken: true });
    }
  });

  it('means "not found" with code -1 only in a group or bot lookup', async () => {
    const client = embedded(() => Response.json({ code: -1, msg: 'no' }));
    const { group, bot, ...others } = operations;
    const noGroup = { kind: 'notFound', what: 'group', id: '518204736', code: -1, text: 'no' };
    assert.deepEqual(await failureOf(group(client)), noGroup);
    const noBot = { kind: 'notFound', what: 'bot', id: '30481126', code: -1, text: 'no' };
    assert.deepEqual(await failureOf(bot(client)), noBot);
    for (const call of Object.values(others)) {
      assert.deepEqual(await failureOf(call(client)), { kind: 'rejected', code: -1, text: 'no', status: 200 });
    }
  });

  it('does not mean "not found" with code -1 if the HTTP status is that of a failing gateway', async () => {
    const client = embedded(() => Response.json({ code: -1, msg: '系统错误' }, { status: 500 }));
    await assertAllFail(client, { kind: 'rejected', code: -1, text: '系统错误', status: 500 });
  });

  it('may have a numeric string as code and no text', async () => {
    const refused = embedded(() => Response.json({ code: '1002', msg: null }));
    const failure = { kind: 'rejected', code: 1002, text: '', status: 200 };
    assert.deepEqual(await failureOf(operations.messages(refused)), failure);
    const accepted = embedded(() => Response.json({ code: '1', data: { list: [] } }));
    assert.deepEqual(await operations.messages(accepted), []);
  });

  it('reports where the data violates the contract', async () => {
    const assertWrong = async (name: Operation, data: unknown, path: string, problem: DataProblem) => {
      const failure = await failureOf(operations[name](succeeding(data)));
      assert.deepEqual(failure, { kind: 'unreadable', path, problem }, `${name} ${JSON.stringify(data)}`);
    };
    for (const name of operationNames) {
      const [[field, right] = assert.fail()] = Object.entries(examples[name].data);
      const expected = Array.isArray(right) ? 'Array' : 'Object';
      await assertWrong(name, undefined, 'data', 'missing');
      await assertWrong(name, null, 'data', { expected: 'Object', actual: 'null' });
      for (const data of [{}, []]) await assertWrong(name, data, `data.${field}`, 'missing');
      await assertWrong(name, { [field]: 'none' }, `data.${field}`, { expected, actual: 'string' });
    }
    await assertWrong('bot', { bot: null }, 'data.bot', { expected: 'Object', actual: 'null' });
    await assertWrong('group', { group: { name: 'x' } }, 'data.group.groupId', 'missing');
    const number = { expected: 'string', actual: 'number' };
    await assertWrong('user', { user: { userId: 7058314 } }, 'data.user.userId', number);
    await assertWrong('messages', { list: {} }, 'data.list', { expected: 'Array', actual: 'object' });
  });
});
