import assert from 'node:assert/strict';
import { dataOf, type Served, served } from './served.ts';

/** The operations of contract 4, each with the base and prefix of contract 9. */
const operations = [
  ['POST', '/web', '/v1/group/group-info'],
  ['POST', '/web', '/v1/bot/bot-info'],
  ['GET', '/web', '/v1/user/homepage'],
  ['GET', '/open', '/open-apis/v1/bot/messages'],
  ['POST', '/open', '/open-apis/v1/bot/batch_send'],
] as const;

describe('Sandbox addresses (4, 9)', () => {
  let service: Served;
  before(async () => {
    service = await served();
  });
  after(() => service.close());

  const isUnknown = async (method: string, path: string) => {
    const { status, body } = await service.ask(`${service.origin}${path}`, { method });
    assert.deepEqual({ status, body }, { status: 404, body: { code: -1, msg: '接口不存在' } }, `${method} ${path}`);
  };

  for (const [method, base, path] of operations) {
    it(`${path} accepts only ${method}`, async () => {
      const { status } = await service.ask(`${service.origin}${base}${path}?token=${service.token}`, { method });
      assert.equal(status, 200);
      for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (other !== method) await isUnknown(other, `${base}${path}?token=${service.token}`);
      }
    });

    it(`${path} has only its own address`, async () => {
      const elsewhere = base === '/web' ? '/open' : '/web';
      for (const address of [
        `${elsewhere}${path}`,
        path,
        `${base}${path}/`,
        `${base}/${path}`,
        `${base}${path}/x`,
        `${base}${path.replace('v1', 'v2')}`,
        `${base}${path.replace('/v1', '')}`,
        `${base}${path.replace('v1', 'V1')}`,
        `${base}/open-apis${path}`,
        `/open${path.replace('/open-apis', '')}`,
      ]) {
        await isUnknown(method, `${address}?token=${service.token}`);
      }
    });
  }

  it('are only those of operations', async () => {
    for (const path of ['/', '/web', '/open', '/web/v1', '/__proto__', '/favicon.ico']) await isUnknown('GET', path);
  });

  it('need no credentials for a lookup and ignore them', async () => {
    const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer nonsense' };
    const { webUrl } = service.sandbox;
    const post = (path: string, body: object) =>
      service.ask(`${webUrl}${path}?token=nonsense`, { method: 'POST', headers, body: JSON.stringify(body) });
    dataOf(await post('/v1/group/group-info', { groupId: 'big' }));
    dataOf(await post('/v1/bot/bot-info', { botId: '30481126' }));
    dataOf(await service.ask(`${webUrl}/v1/user/homepage?userId=7058314&token=nonsense`, { headers }));
  });

  it('answer a HEAD like a GET, without its body', async () => {
    const response = await fetch(`${service.sandbox.webUrl}/v1/user/homepage?userId=7058314`, { method: 'HEAD' });
    assert.deepEqual([response.status, await response.text()], [200, '']);
  });
});
