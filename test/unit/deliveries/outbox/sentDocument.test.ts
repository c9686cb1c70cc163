import assert from 'node:assert/strict';
import { parseDraft } from '../../../../src/deliveries/draft/document/parseDraft.ts';
import { hasDocument } from '../../../../src/deliveries/outbox/editedDocuments.ts';
import type { Delivery } from '../../../../src/deliveries/outbox/record.ts';
import { sentDocument } from '../../../../src/deliveries/outbox/sentDocument.ts';
import type { Outgoing } from '../../../../src/service/message.ts';
import { deliveryOf } from './testDeliveries.ts';

const image: Outgoing = { contentType: 'image', content: { imageKey: 'k' } };

const markdown = (text: string): Outgoing => ({ contentType: 'markdown', content: { text } });

describe('The document of a delivery', () => {
  it('is what it was when it was sent, if it was stored', () => {
    for (const document of ['---\nchat:\n  groups: [big] # the town\n---\r\nHi ', '']) {
      assert.equal(sentDocument({ document, message: markdown('Hi') }), document);
    }
  });

  it('is otherwise the text of its message, without front matter unless that says something', () => {
    assert.equal(sentDocument({ message: markdown('# Hi\n') }), '# Hi\n');
    const message: Outgoing = { contentType: 'html', content: { text: '<b>Hi</b>' } };
    assert.equal(sentDocument({ message }), '---\nchat:\n  type: html\n---\n\n<b>Hi</b>');
  });

  it('is otherwise one that sends the same message', () => {
    const buttons = [
      [
        { text: 'Open', actionType: 1, url: 'https://a.test' },
        { text: 'Copy', actionType: 2, value: '7' },
      ],
      [{ text: 'Yes', actionType: 3, value: 'yes' }],
    ];
    const messages: Outgoing[] = [
      markdown('# Hi\n\nThere'),
      markdown('---\ntype: html\n---\nnot front matter'),
      { contentType: 'markdown', content: { text: 'Hi', buttons } },
      { contentType: 'text', content: { text: 'Hi', buttons: buttons.slice(1) } },
      { contentType: 'html', content: { text: '<b>Hi</b>' } },
    ];
    for (const message of messages) {
      const parsed = parseDraft(sentDocument({ message }), { keepFrontMatter: false, audiences: () => [] });
      assert.deepEqual(parsed.message, message);
    }
  });

  it('exists only if the text of a saved document was sent', () => {
    const has = (changes: Partial<Delivery>) => hasDocument(deliveryOf([], changes));
    const source = 'file:///a.md';
    assert.deepEqual(
      [has({}), has({ source }), has({ source, message: image }), has({ source, message: image, document: 'x' })],
      [false, true, false, true],
    );
  });
});
