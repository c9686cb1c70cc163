import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Found, Kind } from '../../../src/service/model.ts';
import { redactToken } from '../../../src/service/redaction.ts';
import { embedded, operations, succeeding } from './answering.ts';

describe('A token in a text', () => {
  it('is redacted everywhere, literally, and nothing else is', () => {
    for (const [text, token, redacted] of [
      ['s3cret and s3cret, ?token=s3cret&x=1', 's3cret', '*** and ***, ?token=***&x=1'],
      ['nothing of it', 's3cret', 'nothing of it'],
      ['', 's3cret', ''],
      ['axb a.b [x] $& (', 'a.b', 'axb *** [x] $& ('],
      ['[x] $& (', '[x]', '*** $& ('],
      ['[x] $& (', '$&', '[x] *** ('],
      ['[x] $& (', '(', '[x] $& ***'],
      ['a+b', 'aab', 'a+b'],
      ['all of it', undefined, 'all of it'],
      ['all of it', '', 'all of it'],
    ] as const) {
      assert.equal(redactToken(text, token), redacted, `${token} in ${text}`);
    }
  });

  it('is redacted in any letter case and percent-encoding', () => {
    for (const form of ['a/b+ä=', 'A/B+Ä=', 'a%2Fb%2B%C3%A4%3D', 'a%2fb%2b%c3%a4%3d', 'a/b%2B%c3%A4=', '%61/b+ä=']) {
      assert.equal(redactToken(`<${form}>`, 'a/b+ä='), '<***>', form);
    }
    for (const form of ['a b', 'a%20b', 'a+b']) assert.equal(redactToken(`<${form}>`, 'a b'), '<***>', form);
  });

  it('is redacted as HTML writes it', () => {
    const token = `a&b<c>d"e'f`;
    for (const form of [
      'a&amp;b&lt;c&gt;d&quot;e&apos;f',
      'a&#38;b&#60;c&#62;d&#34;e&#39;f',
      'a&#x26;b&#x3C;c&#x3E;d&#x22;e&#x27;f',
    ])
      assert.equal(redactToken(`<p>${form}</p>`, token), '<p>***</p>', form);
  });

  it("isn't retained in a pattern", async () => {
    // In a process of its own, because all objects of one are counted.
    const script = `
      import { queryObjects } from 'node:v8';
      import { redactToken } from '${import.meta.resolve('../../../src/service/redaction.ts')}';
      const patterns = () => queryObjects(RegExp, { format: 'count' });
      const before = patterns();
      for (let number = 0; number < 50; number++) redactToken('a text', 'token ' + number);
      console.log(patterns() - before);`;
    const args = ['--no-warnings', '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    assert.match(stdout, /^\d\n$/);
  });
});

describe('A token in a lookup result', () => {
  const bot = { botId: '30481126', nickname: 'Order Desk', token: '', uri: 'https://chat.example/send?token=' };

  /** The parsed and the raw resource. */
  async function both(kind: Kind, came: object) {
    const { resource, raw } = (await operations[kind](succeeding({ [kind]: came }))) as Found;
    return [resource, raw];
  }

  it('is redacted in its field and in the send URL', async () => {
    const filled = { ...bot, token: 's3cret', uri: 'https://chat.example/send?token=s3cret' };
    for (const shown of await both('bot', filled)) {
      const hidden = { ...bot, token: '***', uri: 'https://chat.example/send?token=***' };
      assert.partialDeepStrictEqual(shown, hidden);
    }
  });

  it('is redacted in the bot of a group', async () => {
    const filled = { ...bot, token: 's3cret', uri: 'https://chat.example/send?a=1&token=s3cret&b=2#c' };
    const group = { groupId: 'g', uri: filled.uri, groupBotRel: { botId: bot.botId, bot: filled } };
    for (const shown of await both('group', group)) {
      const uri = 'https://chat.example/send?a=1&token=***&b=2#c';
      assert.partialDeepStrictEqual(shown, { uri, groupBotRel: { bot: { token: '***', uri } } });
      assert.doesNotMatch(JSON.stringify(shown), /s3cret/);
    }
  });

  it('is redacted in unknown fields, at every depth, whatever its type', async () => {
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

  it("isn't redacted if the field or parameter is empty", async () => {
    for (const shown of await both('bot', bot)) assert.partialDeepStrictEqual(shown, bot);
    const [resource, raw] = await both('bot', { ...bot, token: null });
    assert.partialDeepStrictEqual(resource, { token: '' });
    assert.partialDeepStrictEqual(raw, { token: null });
  });

  it("is redacted in a URL however it's encoded", async () => {
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

  it("isn't redacted in other fields and parameters", async () => {
    const user = {
      userId: '7058314',
      tokens: 'a',
      link: 'https://a.example/?mytoken=a&tokens=b',
      note: 'token=d',
    };
    const [, raw] = await both('user', user);
    assert.deepEqual(raw, user);
  });

  it('is redacted however deep the response is nested', async () => {
    const depth = 90;
    const text = `{"code":1,"data":{"user":{"userId":"7058314","deep":${'['.repeat(depth)}{"token":"s3cret"}${']'.repeat(depth)},"token":"s3cret"}}}`;
    const { raw } = await embedded(() => new Response(text)).user('7058314');
    assert.partialDeepStrictEqual(raw, { token: '***' });
    assert.doesNotMatch(JSON.stringify(raw), /s3cret/);
  });
});
