import assert from 'node:assert/strict';
import { parseDraft } from '../../../../../src/deliveries/draft/document/parseDraft.ts';
import { problemText } from '../../../../../src/deliveries/draft/editing/problemText.ts';

describe('The text of a problem', () => {
  it('says in plain words what is wrong with YAML, and leaves rare errors to the parser', () => {
    const textFor = (yaml: string) => {
      const draft = parseDraft(`---\n${yaml}\n---\nHi`, { keepFrontMatter: false, audiences: () => [] });
      return draft.problems.map(problemText);
    };
    const invalid = (why: string) => [`The front matter isn't valid YAML: ${why}.`];
    assert.deepEqual(textFor('chat:\n--- a'), invalid('a second document begins here'));
    assert.deepEqual(textFor('chat:\n\tbot: 1'), invalid('indent lines with spaces instead of tabs'));
    const unclosed = invalid("a bracket or brace isn't closed, or a line isn't indented like the others");
    assert.deepEqual(textFor('chat:\n  people: [1'), unclosed);
    const nested = invalid("a value with a colon needs quotes, or a line isn't indented like the others");
    assert.deepEqual(textFor('chat:\n  bot: a: b'), nested);
    assert.deepEqual(textFor('chat:\n bot: 1\n  people: 2'), nested);
    const special = invalid('put quotes around a value that begins with a special character');
    assert.deepEqual(textFor('chat:\n  bot: @a'), special);
    const missing = invalid('a colon, comma, space, or quotation mark is missing');
    assert.deepEqual(textFor('chat:\n  bot: "3'), missing);
    assert.deepEqual(textFor('chat:\n  bot: 3\n  people'), missing);
    const unexpected = invalid("this character isn't expected here. Put quotes around text that contains it");
    assert.deepEqual(textFor('chat:\n  bot: - 3'), unexpected);
    assert.deepEqual(textFor('chat: "\\z"'), invalid('Invalid escape sequence \\z'));
    assert.deepEqual(textFor(`chat: ${'['.repeat(200)}`), ['The front matter is nested too deeply.']);
  });

  it('shows a variable as it is written, so that its name is no part of the sentence', () => {
    assert.equal(
      problemText({ code: 'forbiddenPlace', args: ['order', 'afterHost'] }),
      '{{order}} could change the host of this link. Put / before it.',
    );
    assert.equal(
      problemText({ code: 'severalHosts', args: ['link', 'a.example', 'b.example'] }),
      'The links in {{link}} go to 2 hosts: a.example, b.example.',
    );
  });

  it('shows the end of a long host, which says whose it is', () => {
    const long = `shop.example.${'a'.repeat(63)}.${'b'.repeat(50)}.evil`;
    assert.equal(
      problemText({ code: 'severalHosts', args: ['link', 'shop.example', long] }),
      `The links in {{link}} go to 2 hosts: shop.example, …aaaa.${'b'.repeat(50)}.evil.`,
    );
    assert.equal(
      problemText({ code: 'severalHosts', args: ['link', 'shop.example', `👍🏽${'b'.repeat(53)}.evil`] }),
      `The links in {{link}} go to 2 hosts: shop.example, …${'b'.repeat(53)}.evil.`,
    );
  });
});
