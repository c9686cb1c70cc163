import assert from 'node:assert/strict';
import { forbiddenPlaceText, severalHostsText } from '../../../../../src/deliveries/draft/recipients/variableText.ts';

describe('The text of a problem with a variable', () => {
  it('shows a variable as it is written, so that its name is no part of the sentence', () => {
    assert.equal(
      forbiddenPlaceText('order', 'afterHost'),
      '{{order}} could change the host of this link. Put / before it.',
    );
    assert.equal(
      severalHostsText('link', ['a.example', 'b.example']),
      'The links in {{link}} go to 2 hosts: a.example, b.example.',
    );
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
