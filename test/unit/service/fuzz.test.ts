import assert from 'node:assert/strict';
import { clientOf, endingOf, names } from '../../prove/oddAnswers/answers.ts';

describe('A response nested deeper than the stack', () => {
  it('results in a valid value or a ServiceError', async () => {
    const deep = (open: string, close: string) => `${open.repeat(50_000)}0${close.repeat(50_000)}`;
    for (const nest of [deep('[', ']'), deep('{"a":', '}')]) {
      for (const name of names) {
        const bodies = [nest, `{"code":${nest}}`, `{"code":1,"msg":${nest}}`, `{"code":1,"data":${nest}}`];
        for (const inner of ['group', 'bot', 'user', 'list', 'successList']) {
          bodies.push(`{"code":1,"data":{"${inner}":${nest}}}`, `{"code":1,"data":{"${inner}":{"userId":${nest}}}}`);
        }
        for (const body of bodies) await endingOf(name, body);
      }
    }
  });
});

describe('A token in a lookup response', () => {
  it("stays as it is if it's empty or not text, as do other fields", async () => {
    const uri = 'https://chat.example/batch_send?a=1&token=x#y';
    for (const [token, expected] of [
      ['', ''],
      [null, ''],
      ['x', '***'],
      [7, '***'],
    ]) {
      const client = clientOf(async () => Response.json({ code: 1, data: { bot: { botId: 'b', token, uri } } }));
      const { resource } = await client.bot('b');
      assert.equal(resource.token, expected);
      assert.equal(resource.uri, 'https://chat.example/batch_send?a=1&token=***#y');
    }
  });
});
