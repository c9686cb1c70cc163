import assert from 'node:assert/strict';
import { isFailure } from '../../../src/service/errors.ts';
import type { Api } from '../../../src/service/operations.ts';
import { probe } from '../../../src/service/probe.ts';
import { answering, body, success } from './answering.ts';

const options = { inBrowser: false, signal: new AbortController().signal };
const refusal = (code: number, msg: string, status = 200) => Response.json({ code, msg }, { status });
const NO_PATH = () => refusal(-1, '接口不存在', 404);

/** What the two lookups and lists of messages get as an answer. */
async function found(api: Api, user: () => Response, messages: () => Response) {
  await using service = await answering(({ url }) =>
    new URL(url).pathname.endsWith('homepage') ? user() : messages(),
  );
  const finding = await probe(api, service.origin, options);
  return { finding: finding.is, paths: service.got.map(({ path }) => path.replace(/.*\//, '')), got: service.got };
}

describe('A check of an address', () => {
  const someone = { userId: '1', nickname: 'Ann' };
  const noOne = { userId: '', nickname: '', registerTimeText: '1970-01-01 08:00:00' };

  it('is passed by a user, or by the empty one, where lookups are expected', async () => {
    for (const user of [someone, noOne]) {
      const { finding, paths } = await found('lookups', () => success({ user }), NO_PATH);
      assert.deepEqual([finding, paths], ['expected', ['homepage']]);
    }
  });

  it('is passed by messages, or by a refusal of the missing token, where bot operations are expected', async () => {
    for (const answer of [
      () => success({ list: [], total: 0 }),
      () => refusal(1002, 'token不存在'),
      () => refusal(1003, '非法token'),
      () => refusal(1003, 'unauthorised', 401),
    ]) {
      const { finding, paths, got } = await found('bots', NO_PATH, answer);
      assert.deepEqual([finding, paths], ['expected', ['messages']]);
      assert.equal(got[0]?.query.token, '');
    }
  });

  it("isn't passed by an envelope that says that there's no such path", async () => {
    for (const api of ['lookups', 'bots'] as const)
      assert.equal((await found(api, NO_PATH, NO_PATH)).finding, 'missing', api);
  });

  it("isn't passed by any envelope with HTTP 404, which is no answer of an operation", async () => {
    assert.equal((await found('bots', NO_PATH, () => refusal(1003, '非法token', 404))).finding, 'missing');
  });

  it('notices the address of the other operations', async () => {
    const noToken = () => refusal(1002, 'token不存在');
    const user = () => success({ user: noOne });
    assert.deepEqual((await found('lookups', NO_PATH, noToken)).finding, 'other');
    assert.deepEqual((await found('bots', user, NO_PATH)).finding, 'other');
    assert.deepEqual((await found('bots', user, () => body('Not found', 404))).finding, 'other');
    assert.deepEqual((await found('bots', user, () => body('<p>'))).finding, 'other');
  });

  it("doesn't take an address that asks for permission for that of the other operations", async () => {
    const user = () => success({ user: noOne });
    assert.equal((await found('bots', user, () => body('Sign in', 401))).finding, 'missing');
    assert.equal((await found('bots', user, () => refusal(401, 'sign in', 401))).finding, 'unclear');
  });

  it('leaves it open whether another envelope comes from the service', async () => {
    const unclear: [Api, () => Response][] = [
      ['lookups', () => refusal(-1, 'no')],
      ['lookups', () => refusal(1003, '非法token')],
      ['lookups', () => success({ list: [] })],
      ['lookups', () => success('odd')],
      ['bots', () => refusal(-1, 'no')],
      ['bots', () => refusal(1002, 'chat-id值错误，值不能为空')],
      ['bots', () => success({})],
    ];
    for (const [api, answer] of unclear)
      assert.equal((await found(api, answer, answer)).finding, 'unclear', `${api} ${await answer().text()}`);
  });

  it('says what else answers', async () => {
    await using page = await answering(() => body('<p>'));
    const web = await probe('lookups', page.origin, options);
    assert.ok(web.is === 'missing' && isFailure(web.error, 'notEnvelope'));
  });

  it('ends when it is no longer wanted', async () => {
    const abort = new AbortController();
    await using service = await answering(() => {
      abort.abort();
      return success({});
    });
    const finding = await probe('bots', service.origin, { ...options, signal: abort.signal });
    assert.ok(finding.is === 'missing' && isFailure(finding.error, 'cancelled'));
  });
});
