import assert from 'node:assert/strict';
import type { ParsedDraft, Problem } from '../../../../src/drafts/document/parseDraft.ts';
import { previewMessage, toSendable, visibleRecipients } from '../../../../src/drafts/preview/draftView.ts';

const at = { start: 4, end: 9 };
const error = (start: number): Problem => ({ code: 'emptyBody', severity: 'error', start, end: start, args: [] });
/** The parsed draft of a text whose first ten characters are its front matter. */
const draftOf = (text: string, more: Partial<ParsedDraft> = {}): ParsedDraft => ({
  message: { contentType: 'markdown', content: { text: text.slice(10) } },
  ...{
    bot: undefined,
    recipients: [],
    audiences: [],
    isTemplate: false,
    variables: [],
    recipientFile: undefined,
    hasBlock: true,
    problems: [],
  },
  body: { start: 10, end: text.length },
  ...more,
});

describe('The preview of a draft', () => {
  it('shows the message and its recipients', () => {
    const text = '---chat---Hello';
    const chats = [
      { type: 'user' as const, id: '7' },
      { type: 'group' as const, id: '7' },
    ];
    assert.deepEqual(toSendable(text, draftOf(text, { bot: { id: '3', ...at } }), chats), {
      message: { contentType: 'markdown', content: { text: 'Hello' } },
      botId: '3',
      chats: [
        { type: 'user', id: '7' },
        { type: 'group', id: '7' },
      ],
    });
  });

  it('shows an empty message if only the text is missing', () => {
    const text = '---chat--- \n';
    const empty = draftOf(text, { message: undefined, problems: [error(10)] });
    assert.deepEqual(toSendable(text, empty, [])?.message, { contentType: 'text', content: { text: '' } });
  });

  it('doesn’t change while the front matter is invalid', () => {
    for (const text of ['---chat---Hello', '---chat---']) {
      const wrong = draftOf(text, { message: undefined, problems: [error(4)] });
      assert.equal(toSendable(text, wrong, []), undefined);
    }
  });

  it('shows 20 recipients at first', () => {
    const chats = Array.from({ length: 21 }, (_, index) => ({ type: 'user' as const, id: `${index}` }));
    const draft = { message: { contentType: 'text' as const, content: { text: 'a' } }, botId: '', chats };
    assert.deepEqual([visibleRecipients(draft, false).length, visibleRecipients(draft, true).length], [20, 21]);
  });

  it('shows the bot and the buttons', () => {
    const buttons = [[{ text: 'Docs', actionType: 1, url: 'https://a.example', value: '' }]];
    const message = { contentType: 'text' as const, content: { text: 'a', buttons } };
    const { senderId, senderType, senderNickname, contentType, content } = previewMessage(
      { message, botId: '30481126', chats: [] },
      'Order Desk',
    );
    assert.deepEqual(
      { senderId, senderType, senderNickname, contentType, content },
      {
        senderId: '30481126',
        senderType: 'bot',
        senderNickname: 'Order Desk',
        contentType: 'text',
        content: message.content,
      },
    );
  });
});
