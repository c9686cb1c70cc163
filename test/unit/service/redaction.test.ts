import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import type { Found, Kind } from '../../../src/service/model.ts';
import { redactToken } from '../../../src/service/redaction.ts';
import { embedded, operations, succeeding } from './answering.ts';

const NAMED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** The ways in which URLs, HTML and JSON write a character. */
function formsOf(character: string): string[] {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  const bytes = Array.from(new TextEncoder().encode(character), (byte) => `%${hex(byte, 2)}`).join('');
  const units = character.split('').map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`);
  const codePoint = character.codePointAt(0) ?? 0;
  const forms = [
    character,
    character.toLowerCase(),
    character.toUpperCase(),
    bytes,
    encodeURIComponent(bytes),
    encodeURIComponent(encodeURIComponent(bytes)),
    units.join(''),
    `&#${codePoint};`,
    `&#0${codePoint};`,
    `&#x${hex(codePoint, 1)};`,
    `&#x${hex(codePoint, 6)};`,
  ];
  // JSON escapes some of these, Markdown all.
  if (/[!-/:-@[-`{-~]/.test(character)) forms.push(`\\${character}`);
  // A form, and a form in a URL.
  if (character === ' ') forms.push('+', '%2b', '%252b');
  if (NAMED[character]) forms.push(NAMED[character]);
  return forms.flatMap((form) => [form, form.replace(/(?<=[%#x\du])[\da-f]+/g, (digits) => digits.toUpperCase())]);
}

describe('A token in a text', () => {
  it('never remains, in whichever way each of its characters is written', () => {
    const written = (characters: string[]) =>
      fc
        .constantFrom(...characters)
        .chain((plain) => fc.record({ plain: fc.constant(plain), quoted: fc.constantFrom(...formsOf(plain)) }));
    const anything = written(Array.from('aZ7 -._~+/=&<>"\'%#?:\\äÄ订\u{1F600}'));
    // No other character is written with a Z, so it's certain where a token ends: in `&amp;`, one that is `&a` could end early.
    const token = fc.tuple(fc.array(anything), written(['Z'])).map(([most, last]) => [...most, last]);
    const before = fc.constantFrom('', '?token=', '订单: "', '<p>');
    const after = fc.constantFrom('', '&more=1', '"。', '</p>');
    fc.assert(
      fc.property(token, before, after, (characters, before, after) => {
        const token = characters.map(({ plain }) => plain).join('');
        const quoted = characters.map(({ quoted }) => quoted).join('');
        assert.equal(redactToken(before + quoted + after, token), `${before}***${after}`);
      }),
    );
  });

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
