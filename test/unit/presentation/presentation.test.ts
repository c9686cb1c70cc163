import assert from 'node:assert/strict';
import * as v from 'valibot';
import { cardOf } from '../../../src/presentation/card.ts';
import { displayName, summaryOf } from '../../../src/presentation/describe.ts';
import { errorText } from '../../../src/presentation/errorText.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { Bot, type Found, Group, User } from '../../../src/service/model.ts';

const group = (fields: object): Found => ({
  kind: 'group',
  resource: v.parse(Group, { groupId: 'big', ...fields }),
  raw: {},
});
const bot = (fields: object): Found => ({ kind: 'bot', resource: v.parse(Bot, { botId: '3048', ...fields }), raw: {} });
const user = (fields: object): Found => ({
  kind: 'user',
  resource: v.parse(User, { userId: '7', ...fields }),
  raw: {},
});

/** Decodes the entities that escape Markdown. */
const decodeEntities = (markdown: string) => markdown.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));

describe('A card', () => {
  const hostile = '[x](command:evil) ![y](https://a.example/p.png) <img src=z> **b** `c` $(trash) | https://a.example';
  /** The only syntax left is the card's own: an icon and bold labels. */
  const assertPlain = (value: string) =>
    assert.doesNotMatch(value.replace('$(organization) ', '').replaceAll('**', ''), /[[\]()<>*`$|!/]|https:/);

  it('renders names, introductions, labels and notes as plain text', () => {
    const card = cardOf(group({ name: hostile, introduction: hostile, category: hostile }), {
      label: hostile,
      notes: [hostile],
    });
    assert.ok(!card.isTrusted);
    assert.ok(!card.supportHtml);
    assertPlain(card.value);
    assert.equal(decodeEntities(card.value).split(hostile).length - 1, 4);
  });

  it('shows name, summary, introduction, facts and notes, in this order', () => {
    const found = group({
      id: 1042,
      name: 'Fern & Kettle',
      headcount: 342,
      introduction: 'Tea\nand plants.',
      category: 'work',
      createTime: 0,
      createBy: '7058314',
      checkChatInfoRecord: { id: 9, reason: 'spam', status: 0 },
    });
    const { value } = cardOf(found, { label: 'Shop team', notes: ['Sends as Order Desk.', 'Read today.'] });
    assert.equal(
      decodeEntities(value),
      [
        '$(organization) **Shop team · Fern & Kettle** 342 members',
        'Tea  \nand plants.',
        [
          '**ID:** big',
          '**Members:** 342',
          '**Category:** work',
          '**Created:** unknown',
          '**Created by:** 7058314',
          '**Review:** status 0 (meaning not documented) · spam',
        ].join('  \n'),
        'Sends as Order Desk.  \nRead today.',
      ].join('\n\n'),
    );
  });

  it('lists medals', () => {
    const { value } = cardOf(user({ medals: [{ name: 'Early bird', desc: 'Up before six' }, { name: 'Helper' }] }));
    assert.match(decodeEntities(value), /\*\*Medals:\*\* 2: Early bird, Helper/);
    assert.doesNotMatch(decodeEntities(value), /six/);
  });

  it('shows a name once if the label is the same, on one line', () => {
    assert.match(decodeEntities(cardOf(group({ name: 'Shop' }), { label: 'Shop ' }).value), /\*\*Shop\*\*/);
    assert.match(decodeEntities(cardOf(group({ name: 'A\n\n# B' })).value), /\*\*A # B\*\*/);
  });

  it('never turns indented lines into code', () => {
    const { value } = cardOf(group({ introduction: '    one\r\r    two\n\n\tthree' }), { notes: ['    four'] });
    assert.doesNotMatch(value, /^[ \t]+\S/m);
    assert.doesNotMatch(value, /\r/);
  });

  it('shows a small avatar below the title', () => {
    const { value } = cardOf(group({ introduction: 'Tea.' }), { avatar: 'data:image/png;base64,iVBO/w0+Gg==' });
    const [title, image, introduction] = value.split('\n\n');
    assert.equal(title, '$(organization) **big**');
    assert.equal(image, '![](data:image/png;base64,iVBO/w0+Gg==|width=48,height=48)');
    assert.equal(decodeEntities(introduction ?? ''), 'Tea.');
  });

  it("encodes the avatar’s address, so that it can't break out of the image", () => {
    const avatar = 'data:image/svg+xml,%3Csvg%3E|width=9,height=9)\n\n[x](command:evil "<é>\\\ud800&#41;';
    const { value } = cardOf(group({}), { avatar });
    const encoded =
      'data:image/svg+xml,%3Csvg%3E%7Cwidth=9,height=9%29%0A%0A%5Bx%5D%28command:evil%20%22%3C%C3%A9%3E%5C%EF%BF%BD%26%2341;';
    assert.equal(value.split('\n\n')[1], `![](${encoded}|width=48,height=48)`);
  });

  it("omits an avatar that isn't an image, or that would make the card too long", () => {
    const without = cardOf(group({})).value;
    const long = (length: number) => 'data:image/png;base64,'.padEnd(length, 'A');
    for (const avatar of ['https://a.example/p.png', 'command:evil', '', long(100_001)]) {
      assert.equal(cardOf(group({}), { avatar }).value, without);
    }
    const around = '\n\n![](|width=48,height=48)'.length;
    const most = 100_000 - without.length - around;
    assert.equal(cardOf(group({}), { avatar: long(most) }).value.length, 100_000);
    assert.equal(cardOf(group({}), { avatar: long(most + 1) }).value, without);
  });
});

describe('A summary', () => {
  it('counts members, users and days, and names known flags', () => {
    assert.equal(summaryOf(group({ headcount: 342 })), '342 members');
    assert.equal(summaryOf(group({ headcount: 1 })), '1 member');
    assert.equal(summaryOf(group({ headcount: 182_340 })), '182,340 members');
    assert.equal(summaryOf(group({})), '');
    assert.equal(summaryOf(bot({ headcount: 14, private: 1 })), '14 users · private');
    assert.equal(summaryOf(bot({ headcount: 1, private: 0 })), '1 user');
    assert.equal(summaryOf(user({ isVip: 1, onLineDay: 12 })), 'VIP · 12 days online');
    assert.equal(summaryOf(user({ isVip: 0, onLineDay: 1 })), '1 day online');
  });

  it('ignores undocumented flag values', () => {
    assert.equal(summaryOf(bot({ headcount: 14, private: 7 })), '14 users');
    assert.equal(summaryOf(user({ isVip: 7 })), '');
  });

  it('uses one formatter for thousands of rows', () => {
    const { NumberFormat } = Intl;
    let made = 0;
    class Counted extends NumberFormat {
      constructor(...options: ConstructorParameters<typeof NumberFormat>) {
        super(...options);
        made++;
      }
    }
    Object.assign(Intl, { NumberFormat: Counted });
    try {
      for (let n = 0; n < 2000; n++) summaryOf(group({ headcount: n }));
    } finally {
      Object.assign(Intl, { NumberFormat });
    }
    assert.ok(made <= 1, `${made} were made`);
  });

  it('goes with the ID as the name if there is no name', () => {
    assert.equal(displayName(group({ name: '' })), 'big');
    assert.equal(displayName(bot({ nickname: ' \n' })), '3048');
    assert.equal(displayName(user({ nickname: 'Alice' })), 'Alice');
  });
});

describe('A name', () => {
  const named = (name: string) => displayName(group({ name }));

  it('is shown on one line', () => assert.equal(named('Bob\n• Alice (7058314)\t!'), 'Bob • Alice (7058314) !'));
  it('loses bidirectional controls', () => assert.equal(named('\u202Eyloh\u2066 friend\u202C'), 'yloh friend'));
  it("is replaced by the ID if it's invisible", () => assert.equal(named('\u200B \uFEFF'), 'big'));
  it('keeps emoji sequences together', () => assert.equal(named('👩‍🌾 农场'), '👩‍🌾 农场'));
  it('is limited to the length that a row can show', () => assert.equal(named('x'.repeat(1_000_000)).length, 200));
});

describe('An error', () => {
  it('says how long to wait, and what to do about a redirect', () => {
    const http = (status: number, retryAfter?: number) =>
      errorText(new ServiceError({ kind: 'http', excerpt: '', status, ...(retryAfter && { retryAfter }) }));
    assert.match(http(429, 1_500), /HTTP status 429.*too many calls.*wait 2 seconds/);
    assert.match(http(302), /redirects to another address.*set the address/);
    assert.doesNotMatch(http(500), /wait|redirect/);
  });

  it("quotes the service's answer verbatim, and marks the observed meaning of its code", () => {
    const said = errorText(new ServiceError({ kind: 'rejected', code: 1007, text: '访问过于频繁', status: 200 }));
    assert.match(said, /code 1007: “访问过于频繁”/);
    assert.match(said, /Observed, not documented: too many calls/);
    const unauthorized = (text: string) =>
      errorText(new ServiceError({ kind: 'rejected', code: 1003, text, status: 200 })).replace(
        /.*not documented: /,
        '',
      );
    assert.equal(unauthorized('非法token'), 'the token was refused)');
    assert.equal(unauthorized('recvId值错误，该用户不是机器人好友'), 'the receiver is not a friend of the bot)');
    assert.equal(unauthorized('no'), 'the token was refused, or the receiver is not a friend of the bot)');
    assert.doesNotMatch(errorText(new ServiceError({ kind: 'rejected', code: 7, text: 'x', status: 200 })), /Observed/);
  });
});
