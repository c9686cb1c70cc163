import assert from 'node:assert/strict';
import { forbiddenPlaceText, severalHostsText } from '../../../../../src/deliveries/draft/recipients/variableText.ts';

describe('The text of a problem with a variable', () => {
  it('shows a variable as it is written, so that its name is no part of the sentence', () => {
    assert.equal(
      severalHostsText('link', ['a.example', 'b.example']),
      'The links in {{link}} go to 2 hosts: a.example, b.example.',
    );
  });

  it('says why it can’t be where it is, and what to do', () => {
    for (const [place, said] of [
      ['afterHost', '{{order}} could change the host of this link. Put / before it.'],
      [
        'continued',
        'The text after {{order}} could change the host of this link. Begin that text with /, ?, or #, or put the whole address into the variable.',
      ],
      [
        'scheme',
        "{{order}} can't be in this kind of address. Variables work in addresses of the web, of mail, and of phones.",
      ],
      ['attribute', "{{order}} can't be in this attribute. Put it in the text, or in href, src, alt, or title."],
      ['unquoted', 'Put quotes around the attribute that {{order}} is in.'],
      ['tag', "{{order}} can't be in a tag, except in the value of an attribute."],
      ['code', "{{order}} can't be in a comment, a script, or a style. Put it in the text."],
    ] as const)
      assert.equal(forbiddenPlaceText('order', place), said);
  });

  it('shows the end of a long host, which says whose it is', () => {
    const long = `shop.example.${'a'.repeat(63)}.${'b'.repeat(50)}.evil`;
    assert.equal(
      severalHostsText('link', ['shop.example', long]),
      `The links in {{link}} go to 2 hosts: shop.example, …aaaa.${'b'.repeat(50)}.evil.`,
    );
    assert.equal(
      severalHostsText('link', ['shop.example', `👍🏽${'b'.repeat(53)}.evil`]),
      `The links in {{link}} go to 2 hosts: shop.example, …${'b'.repeat(53)}.evil.`,
    );
  });
});
