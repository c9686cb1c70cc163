import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { escapeInvisible } from '../../../src/markup/escapeInvisible.ts';
import { shownText } from '../../../src/markup/safeText.ts';
import * as cards from '../../../src/presentation/card.ts';
import { textCard } from '../../../src/presentation/shown.ts';
import type { Found, Kind } from '../../../src/service/model.ts';
import { group, user } from './resources.ts';

/** Decodes the entities that escape Markdown. */
const decodeEntities = (markdown: string) => markdown.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));

const nobody = { peek: () => undefined, labelOf: () => undefined };
const cardOf = (found: Found, options: Partial<cards.CardOptions> = {}) =>
  cards.cardOf(found, { known: nobody, ...options });
const called = (label: string) => ({
  known: { ...nobody, labelOf: (kind: Kind) => (kind === 'group' ? label : undefined) },
});

describe('A card', () => {
  const hostile = '[x](command:evil) ![y](https://a.example/p.png) <img src=z> **b** `c` $(trash) | https://a.example';
  /** The only syntax left is the card's own: an icon and bold labels. */
  const assertPlain = (value: string) =>
    assert.doesNotMatch(value.replace('$(organization) ', '').replaceAll('**', ''), /[[\]()<>*`$|!/]|https:/);

  it('renders names, introductions, labels and notes as plain text', () => {
    const card = cardOf(group({ name: hostile, introduction: hostile, category: hostile }), {
      ...called(hostile),
      notes: [escapeInvisible(hostile)],
    });
    assert.ok(!card.isTrusted);
    assert.ok(!card.supportHtml);
    assertPlain(card.value);
    assert.equal(decodeEntities(card.value).split(hostile).length - 1, 4);
  });

  it('shows invisible characters in introductions, facts and tooltips', () => {
    const { value } = cardOf(group({ name: 'a\u202Eb', introduction: 'c\u202Ed', category: 'e\u200Ff' }));
    assert.doesNotMatch(value, /[\u202E\u200F]/);
    assert.match(decodeEntities(value), /\*\*ab\*\*.*c⟨U\+202E⟩d.*e⟨U\+200F⟩f/s);
    assert.equal(decodeEntities(textCard('a\u202Eb\nc').value), 'a⟨U+202E⟩b  \nc');
  });

  it('names those whom it refers to if that needs no request', () => {
    const found = group({ createBy: '7058314', groupBotRel: { botId: '3048' } });
    const alice = user({ nickname: 'Alice\nFernhollow' });
    const known = { ...nobody, peek: (kind: Kind) => (kind === 'user' ? alice : undefined) };
    const facts = decodeEntities(cardOf(found, { known }).value);
    assert.match(facts, /\*\*Created by:\*\* Alice Fernhollow \(7058314\)/);
    assert.match(facts, /\*\*Bot:\*\* 3048 /);
    assert.match(decodeEntities(cardOf(found).value), /\*\*Created by:\*\* 7058314/);
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
    const { value } = cardOf(found, {
      ...called('Shop team'),
      notes: [shownText`Sends as Order Desk.`, shownText`Read today.`],
    });
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
          '**Review:** spam',
        ].join('  \n'),
        'Sends as Order Desk.  \nRead today.',
      ].join('\n\n'),
    );
  });

  it('leaves out a review of which only a number is known', () => {
    const found = group({ checkChatInfoRecord: { id: 9, chatId: 'big', status: 0 } });
    assert.doesNotMatch(decodeEntities(cardOf(found).value), /Review/);
  });

  it('lists medals', () => {
    const { value } = cardOf(user({ medals: [{ name: 'Early bird', desc: 'Up before six' }, { name: 'Helper' }] }));
    assert.match(decodeEntities(value), /\*\*Medals:\*\* 2: Early bird, Helper/);
    assert.doesNotMatch(decodeEntities(value), /six/);
  });

  it('shows a name once if the label is the same, on one line', () => {
    assert.match(decodeEntities(cardOf(group({ name: 'Shop' }), called('Shop ')).value), /\*\*Shop\*\*/);
    assert.match(decodeEntities(cardOf(group({ name: 'A\n\n# B' })).value), /\*\*A # B\*\*/);
  });

  it('never turns indented lines into code', () => {
    const { value } = cardOf(group({ introduction: '    one\r\r    two\n\n\tthree' }), {
      notes: [shownText`    four`],
    });
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

describe('The card of an ID of which little is known', () => {
  it('has a note', () => {
    const note = shownText`It doesn't exist.`;
    for (const [reference, known, title] of [
      [{ id: '7' }, nobody, '**7**'],
      [{ kind: 'user', id: '7' }, nobody, '$(account) **7**'],
      [{ kind: 'group', id: '7' }, called('Shop').known, '$(organization) **Shop · 7**'],
    ] as const)
      assert.equal(decodeEntities(cards.noteCard(reference, known, note).value), `${title}  \nIt doesn't exist.`);
  });
});

describe('The actions beside a card', () => {
  const shown = (kind: Kind, isListed: boolean) =>
    cards.actionsFor({ kind }, isListed).map(({ name, icon, label }) => `${name}: $(${icon}) ${label}`);

  it('read a chat, send to it, copy its ID, and add it to the sidebar unless it is there', () => {
    const chat = [
      'openHistory: $(comment-discussion) Open History',
      'newMessage: $(edit) New Message…',
      'send: $(send) Send Existing Draft…',
      'showDeliveries: $(inbox) Show Deliveries…',
      'copyId: $(copy) Copy ID',
    ];
    const add = 'addToSidebar: $(add) Add to Sidebar';
    assert.deepEqual(shown('group', true), chat);
    assert.deepEqual(shown('user', false), [...chat, add]);
  });

  it('are few for a bot, which has no history and gets no messages', () => {
    assert.deepEqual(shown('bot', true), ['copyId: $(copy) Copy ID']);
  });
});

describe('A text tooltip', () => {
  it("keeps line breaks, and never becomes code however it's indented", () => {
    for (const indent of ['', '    ', '\t', ' \t ', '\n    ', '\r\n\t']) {
      const html = new MarkdownIt({ html: true }).render(textCard(`${indent}[a](b) <b>\n\t    c`).value);
      assert.equal(html, '<p>[a](b) &lt;b&gt;<br>\nc</p>\n', JSON.stringify(indent));
    }
  });

  it('is cut at the length that VS Code shows', () => {
    assert.equal(textCard('x'.repeat(700_000)).value, `${'x'.repeat(20_000)}…`);
    assert.equal(textCard('x'.repeat(20_000)).value, 'x'.repeat(20_000));
  });
});
