import assert from 'node:assert/strict';
import { queryObjects } from 'node:v8';
import type { Client } from '../../../src/service/client.ts';
import { redactToken } from '../../../src/service/redaction.ts';
import { embedded, success } from './answering.ts';

describe('A token in a text', () => {
  it('is hidden wherever it stands, and the rest is kept', () => {
    assert.equal(redactToken('s3cret and s3cret, ?token=s3cret&x=1', 's3cret'), '*** and ***, ?token=***&x=1');
    assert.equal(redactToken('nothing of it', 's3cret'), 'nothing of it');
    assert.equal(redactToken('', 's3cret'), '');
  });

  it('is hidden in any letter case and percent-encoding', () => {
    for (const form of ['a/b+ä=', 'A/B+Ä=', 'a%2Fb%2B%C3%A4%3D', 'a%2fb%2b%c3%a4%3d', 'a/b%2B%c3%A4=', '%61/b+ä=']) {
      assert.equal(redactToken(`<${form}>`, 'a/b+ä='), '<***>', form);
    }
    for (const form of ['a b', 'a%20b', 'a+b']) assert.equal(redactToken(`<${form}>`, 'a b'), '<***>', form);
  });

  it('is no pattern', () => {
    assert.equal(redactToken('axb a.b [x] $& (', 'a.b'), 'axb *** [x] $& (');
    assert.equal(redactToken('[x] $& (', '[x]'), '*** $& (');
    assert.equal(redactToken('[x] $& (', '$&'), '[x] *** (');
    assert.equal(redactToken('[x] $& (', '('), '[x] $& ***');
    assert.equal(redactToken('a+b', 'aab'), 'a+b');
  });

  it('leaves nothing behind but the pattern of the last one', () => {
    const patterns = () => Number(queryObjects(RegExp, { format: 'count' }));
    const before = patterns();
    for (let number = 0; number < 50; number++) redactToken('a text', `token ${number}`);
    assert.ok(patterns() - before < 10);
  });

  it('is nowhere where there is none', () => {
    assert.equal(redactToken('all of it', undefined), 'all of it');
    assert.equal(redactToken('all of it', ''), 'all of it');
  });
});

describe('A token in what a lookup found', () => {
  const bot = { botId: '30481126', nickname: 'Order Desk', token: '', uri: 'https://chat.example/send?token=' };

  /** What is found, as it was read and as it came. */
  async function both(name: 'group' | 'bot' | 'user', came: object) {
    const look: Record<typeof name, (client: Client) => Promise<{ resource: object; raw: unknown }>> = {
      group: (client) => client.group('g'),
      bot: (client) => client.bot('30481126'),
      user: (client) => client.user('7058314'),
    };
    const { resource, raw } = await look[name](embedded(() => success({ [name]: came })));
    return [resource, raw];
  }

  it('is hidden in its field and in the address that messages are sent to', async () => {
    const filled = { ...bot, token: 's3cret', uri: 'https://chat.example/send?token=s3cret' };
    for (const shown of await both('bot', filled)) {
      const hidden = { ...bot, token: '***', uri: 'https://chat.example/send?token=***' };
      assert.partialDeepStrictEqual(shown, hidden);
    }
  });

  it('is hidden in the bot of a group', async () => {
    const filled = { ...bot, token: 's3cret', uri: 'https://chat.example/send?a=1&token=s3cret&b=2#c' };
    const group = { groupId: 'g', uri: filled.uri, groupBotRel: { botId: bot.botId, bot: filled } };
    for (const shown of await both('group', group)) {
      const uri = 'https://chat.example/send?a=1&token=***&b=2#c';
      assert.partialDeepStrictEqual(shown, { uri, groupBotRel: { bot: { token: '***', uri } } });
      assert.doesNotMatch(JSON.stringify(shown), /s3cret/);
    }
  });

  it('is hidden in fields that nobody knows, at every depth, whatever its type', async () => {
    const more = { list: [{ token: 's3cret' }, 'https://a.example/?token=s3cret#top'], token: 12345 };
    for (const token of [['s3cret'], { value: 's3cret' }, true]) {
      const [, raw] = await both('user', { userId: '7058314', more, token, text: 'see ?token=s3cret and so on' });
      assert.deepEqual(raw, {
        userId: '7058314',
        more: { list: [{ token: '***' }, 'https://a.example/?token=***#top'], token: '***' },
        token: '***',
        text: 'see ?token=*** and so on',
      });
    }
  });

  it('is none where the field or the parameter is empty', async () => {
    for (const shown of await both('bot', bot)) assert.partialDeepStrictEqual(shown, bot);
    const [resource, raw] = await both('bot', { ...bot, token: null });
    assert.partialDeepStrictEqual(resource, { token: '' });
    assert.partialDeepStrictEqual(raw, { token: null });
  });

  it('is hidden in an address however that is written', async () => {
    const user = {
      userId: '7058314',
      more: [
        'https://a.example/?Token=s3cret',
        'https://a.example/#token=s3cret',
        '<a href="?a=b&amp;token=s3cret">',
        'https://a.example/?to=https%3A%2F%2Fb.example%2F%3Ftoken%3Ds3cret%26c%3Dd',
        '?token=s3cret&more=1&token=s3cret',
      ],
    };
    const [, raw] = await both('user', user);
    assert.doesNotMatch(JSON.stringify(raw), /s3cret/);
    assert.match(JSON.stringify(raw), /<a href=/);
  });

  it('is none in names and parameters that are others', async () => {
    const user = {
      userId: '7058314',
      tokens: 'a',
      link: 'https://a.example/?mytoken=a&tokens=b',
      note: 'token=d',
    };
    const [, raw] = await both('user', user);
    assert.deepEqual(raw, user);
  });

  it('is hidden however deep the answer is nested', async () => {
    const depth = 90;
    const text = `{"code":1,"data":{"user":{"userId":"7058314","deep":${'['.repeat(depth)}{"token":"s3cret"}${']'.repeat(depth)},"token":"s3cret"}}}`;
    const { raw } = await embedded(() => new Response(text)).user('7058314');
    assert.partialDeepStrictEqual(raw, { token: '***' });
    assert.doesNotMatch(JSON.stringify(raw), /s3cret/);
  });
});
