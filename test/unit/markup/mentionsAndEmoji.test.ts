import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as v from 'valibot';
import { showEmojiCodes } from '../../../src/markup/emojiCodes.ts';
import { escapeInvisible } from '../../../src/markup/escapeInvisible.ts';
import { displayText, hideMarks, unnamedMentions } from '../../../src/markup/messageContent.ts';
import { toDraft } from '../../../src/markup/messageDraft.ts';
import { toMarkdown } from '../../../src/markup/messageFormats.ts';
import { quotationOf } from '../../../src/markup/quotation.ts';
import { htmlEntry } from '../../../src/markup/rendered/exportHtml.ts';
import { markdownEntry } from '../../../src/markup/rendered/exportMarkdown.ts';
import { renderMarkdown } from '../../../src/markup/rendered/markdownHtml.ts';
import { htmlText, markdownText } from '../../../src/markup/rendered/plainText.ts';
import { toText } from '../../../src/markup/rendered/shownText.ts';
import { Listed } from '../../../src/service/message.ts';
import { exportLabels, newConversation } from './exportLabels.ts';

const html = (text: string) => renderMarkdown(hideMarks(text), { loadImages: false })?.html.trim();

describe('The mark that ends a mention', () => {
  it('is hidden, whether or not the message lists whom it mentions', () => {
    for (const at of [undefined, [], ['1'], ['1', '2'], ['1', '1', '2']]) {
      const text = '@Ann B\u200B hi, @Ben\u200B';
      assert.equal(displayText({ text, ...(at && { at }) }), '@Ann B hi, @Ben');
      assert.equal(hideMarks(text), '@Ann B hi, @Ben');
    }
  });

  it('is hidden if it is a character reference', () => {
    for (const mark of ['&#8203;', '&#x200b;', '&#x200B;', '&ZeroWidthSpace;']) {
      const text = `@Ann B${mark} hi, @Ben${mark}`;
      assert.equal(html(text), '<p>@Ann B hi, @Ben</p>');
      assert.equal(markdownText(text, 'copied'), '@Ann B hi, @Ben');
      assert.equal(htmlText(`<p>${text}</p>`, 'copied'), '@Ann B hi, @Ben');
      assert.equal(htmlText(`<p>a${mark}b</p>`, 'copied'), 'a\u200Bb');
    }
  });

  it('is hidden after any name', () => {
    const assertHidden = (...names: string[]) => {
      for (const name of names) {
        assert.equal(displayText({ text: `你好@${name}\u200B` }), displayText({ text: `你好@${name}` }), name);
        assert.ok(!displayText({ text: `@${name}\u200B` }).includes('\u200B'), name);
      }
    };
    assertHidden('张三', 'Ann B. Fernhollow-Smith', 'user_01', '《小明》', '_', '.', 'A'.repeat(150), '名'.repeat(120));
    assertHidden('Ann 🌿', '👩‍👩‍👧', '**Ann**', 'Ann]', 'Ann [.OK]');
    assert.equal(displayText({ text: '**@Ann**\u200B, *@Ben\u200B*' }), '**@Ann**, *@Ben*');
    assert.equal(displayText({ text: '@Ann\u200B@Ben\u200B@Ann\u200B' }), '@Ann@Ben@Ann');
    assert.equal(displayText({ text: 'hi@Ann\u200B' }), 'hi@Ann');
  });

  it('is shown where nothing ends that it could belong to', () => {
    const assertShown = (...texts: string[]) => {
      for (const text of texts) assert.equal(displayText({ text }), text, JSON.stringify(text));
    };
    assertShown('a\u200Bb', '\u200B', '@\u200B', '@ Ann\u200B', 'a @ b\u200B', '@Ann\n\u200B');
    assertShown('write to ann@shop.example\u200B', 'ann.b@mail.shop.example or call\u200B');
    assertShown(`@${'a'.repeat(400)} b\u200B`, '[OK]\u200B', '[.]\u200B', '[. OK]\u200B');
    assert.equal(escapeInvisible(displayText({ text: '@Ann\u200B\u200B' })), '@Ann⟨U+200B⟩');
    assert.equal(escapeInvisible(displayText({ text: '@Ann\u200B a\u202E' })), '@Ann a⟨U+202E⟩');
  });

  it('loses nothing else of a text', () => {
    const pieces = fc.constantFrom('@', 'Ann', '张三', ' ', '\n', '\u200B', '[.', ']', 'nobody', '.', '*', 'b.c', '🌿');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        assert.equal(displayText({ text }).replaceAll('\u200B', ''), text.replaceAll('\u200B', ''));
      }),
    );
  });
});

describe('Who is mentioned', () => {
  it('is in the text if it has as many mentions as people are listed', () => {
    for (const content of [
      { text: '@Ann\u200B', at: ['1'] },
      { text: '@Ann\u200B and again @Ann\u200B', at: ['1'] },
      { text: '@Ann\u200B', at: ['1', '1'] },
      { text: '@Ann\u200B @Ben\u200B', at: ['1', '2', '1'] },
      { text: '@全体成员 hi', at: ['all'] },
      { text: '@全体成员', at: ['all'] },
      { text: '@全体成员 and @Ann\u200B', at: ['all', '1'] },
      { text: 'a' },
      { text: 'a', at: [] },
    ]) {
      assert.deepEqual(unnamedMentions(content), [], JSON.stringify(content));
    }
  });

  it('is not all in the text otherwise', () => {
    for (const content of [
      { text: '@Ann\u200B', at: ['1', '2'] },
      { text: 'hi', at: ['1'] },
      { text: 'hi', at: ['all'] },
      { text: 'ann@shop.example\u200B', at: ['1'] },
      { text: 'hi [.OK]\u200B', at: ['1'] },
      { text: '@Ann or not [.OK]\u200B', at: ['1'] },
      { at: ['1'] },
    ]) {
      assert.deepEqual(unnamedMentions(content), content.at, JSON.stringify(content));
    }
  });

  it('is in copies and exports, as on pages, if the text has no name', () => {
    const content = { text: 'hi', at: ['<7>', '8', '8'], tip: 'note' };
    for (const contentType of ['text', 'tip', 'weird']) {
      const entry = v.parse(Listed, { msgId: 'm', contentType, content });
      assert.ok(toText(entry).endsWith('hi\n\n@<7> @8\n\nnote'), toText(entry));
      assert.ok(toMarkdown(entry).endsWith('hi\n\n@&lt;7> @8\n\nnote'), toMarkdown(entry));
      const exported = [
        markdownEntry(entry, newConversation().next(entry), exportLabels),
        htmlEntry(entry, newConversation().next(entry), { labels: exportLabels }),
      ];
      for (const text of exported) assert.match(text, /Mentions &lt;7(?:>|&gt;), 8\b/);
      assert.ok(!toDraft(entry).includes('8'));
    }
    const named = v.parse(Listed, { msgId: 'm', contentType: 'text', content: { text: '@Ann\u200B', at: ['7'] } });
    assert.equal(toText(named), '@Ann');
  });
});

describe('An emoji code', () => {
  it('is drawn as its emoji, without the mark that ends it', () => {
    for (const [text, shown] of [
      ['好的[.OK][.点赞]', '好的👌👍'],
      ['好的[.OK]\u200B[.点赞]\u200B!', '好的👌👍!'],
      ['[.上箭头][.上箭头\uFE0F][.左箭头][.左箭头\uFE0F]', '⬆️⬆️⬅️⬅️'],
      ['[.按键1]', '1️⃣'],
      ['[.呼气]', '😮‍💨'],
      ['@Ann\u200B[.OK]\u200B', '@Ann👌'],
      ['[[.OK]]', '[👌]'],
    ] as const) {
      assert.equal(displayText({ text }), shown, text);
      assert.equal(escapeInvisible(displayText({ text })), shown, text);
      assert.equal(html(text), `<p>${shown}</p>`, text);
    }
  });

  it('stays as it is if it is unknown', () => {
    for (const text of ['[.nobody]', '[.ok]', '[. OK]', '[OK]', '[.OK', '.OK]', '[.]', '[.constructor]', '[.OK\n]']) {
      assert.equal(displayText({ text }), text, text);
      assert.equal(showEmojiCodes(text), text, text);
    }
    assert.equal(displayText({ text: '[.nobody]\u200B' }), '[.nobody]');
  });

  it('is drawn everywhere in Markdown but in code and addresses', () => {
    for (const [markdown, shown] of [
      ['**[.OK]** a', '<p><strong>👌</strong> a</p>'],
      ['**好[.OK]\u200B**', '<p><strong>好👌</strong></p>'],
      ['# [.OK]', '<h1>👌</h1>'],
      ['[.OK][.OK]', '<p>👌👌</p>'],
      ['`[.OK]`', '<p><code>[.OK]</code></p>'],
      ['```\n[.OK]\n```', '<pre dir="auto"><code>[.OK]\n</code></pre>'],
      ['\\[.OK\\]', '<p>[.OK]</p>'],
    ] as const) {
      assert.equal(html(markdown), shown, markdown);
    }
    assert.match(html('https://shop.example/a [.OK]') ?? '', /<a href="https:\/\/shop\.example\/a"[^>]*>.*<\/a> 👌/);
    const beforeEmoji = /<a href="https:\/\/shop\.example\/a(?:\?b)?"[^>]*>[^<[]*<\/a>(?:<\/strong>)?[👌👍]/u;
    assert.match(html('https://shop.example/a[.OK]') ?? '', beforeEmoji);
    assert.match(html('**https://shop.example/a**[.OK]\u200B') ?? '', beforeEmoji);
    assert.match(html('https://shop.example/a?b[.点赞]') ?? '', beforeEmoji);
    assert.match(html('<https://shop.example/[.OK]>') ?? '', />https:\/\/shop\.example\/\[\.OK\]<\/a>/);
    assert.match(html('[a [.OK]](https://shop.example)') ?? '', />a 👌<\/a>/);
    assert.match(html('![a [.OK]](https://shop.example/a.png)') ?? '', />a 👌<\/a>/);
  });

  it('stays as it is in the source of Markdown where it is the text of a link, or escaped', () => {
    for (const [source, copied] of [
      ['[.OK](https://a.example/) [.OK]', '[.OK](https://a.example/) 👌'],
      ['![.OK](<https://a.example/b.png>)', '![.OK](<https://a.example/b.png>)'],
      ['[.OK]: https://a.example/', '[.OK]: https://a.example/'],
      ['\\[.OK] [.OK](a) [.按键1][.OK]: a', '\\[.OK] 👌\\(a) 1️⃣👌\\: a'],
    ] as const) {
      const entry = v.parse(Listed, { msgId: 'm', contentType: 'markdown', content: { text: source } });
      assert.equal(toMarkdown(entry), copied, source);
    }
  });

  it('is drawn in what a reply quotes', () => {
    assert.equal(quotationOf({ parent: 'Ann : @Ben\u200B好的[.OK]\u200B' })?.text, '@Ben好的👌');
  });
});
