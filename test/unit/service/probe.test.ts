import assert from 'node:assert/strict';
import { probeBotOperations, probeLookups } from '../../../src/service/probe.ts';
import { answering, body, failureOf, success } from './answering.ts';

const probes = { lookups: probeLookups, 'bot operations': probeBotOperations };
const options = { inBrowser: false, signal: new AbortController().signal };

for (const [what, probe] of Object.entries(probes)) {
  describe(`A check of an address for ${what}`, () => {
    it('is passed by any envelope, as only the service sends one', async () => {
      const answers = [
        () => success({ list: [], user: { userId: '1' } }),
        () => success({ list: {}, user: { userId: '' } }),
        () => success('odd'),
        () => Response.json({ code: 1003, msg: '非法token' }),
      ];
      for (const answer of answers) {
        await using service = await answering(answer);
        await probe(service.origin, options);
        assert.equal(service.got.length, 1);
      }
    });

    it("isn't passed by what isn't the service", async () => {
      await using page = await answering(() => body('<p>'));
      assert.deepEqual(await failureOf(probe(page.origin, options)), {
        kind: 'notEnvelope',
        status: 200,
        excerpt: '<p>',
      });
    });

    it('reveals no token, and ends when it is no longer wanted', async () => {
      const abort = new AbortController();
      await using service = await answering(() => {
        abort.abort();
        return success({});
      });
      const failure = await failureOf(probe(service.origin, { ...options, signal: abort.signal }));
      assert.deepEqual(failure, { kind: 'cancelled' });
      assert.equal(service.got[0]?.query.token ?? '', '');
    });
  });
}
