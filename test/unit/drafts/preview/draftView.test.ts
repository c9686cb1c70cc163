import assert from 'node:assert/strict';
import type { ParsedDraft, Problem } from '../../../../src/drafts/document/parseDraft.ts';
import { previewMessage, toSendable, visibleRecipients } from '../../../../src/drafts/preview/draftView.ts';

const at = { start: 4, end: 9 };
const error = (start: number): Problem => ({ code: 'emptyBody', severity: 'error', start, end: start, args: [] });
/** What was read of a text whose first ten characters are its block. */
const reading = (text: string, more: Partial<ParsedDraft> = {}): ParsedDraft => ({
  message: { contentType: 'markdown', content: { text: text.slice(10) } },
  ...{ bot: undefined, recipients: [], audiences: [], hasBlock: true, problems: [] },
  body: { start: 10, end: text.length },
  ...more,
});

describe('What a preview shows of a draft', () => {
  it('is what would be sent, and to whom', () => {
    const text = '---chat---Hello';
    const chats = [
      { type: 'user' as const, id: '7' },
      { type: 'group' as const, id: '7' },
    ];
    assert.deepEqual(toSendable(text, reading(text, { bot: { id: '3', ...at } }), chats), {
      message: { contentType: 'markdown', content: { text: 'Hello' } },
      botId: '3',
      chats: [
        { type: 'user', id: '7' },
        { type: 'group', id: '7' },
      ],
    });
  });

  it('is an empty message where nothing is missing but its words', () => {
    const text = '---chat--- \n';
    const empty = reading(text, { message: undefined, problems: [error(10)] });
    assert.deepEqual(toSendable(text, empty, [])?.message, { contentType: 'text', content: { text: '' } });
  });

  it('is nothing new where the front matter is wrong, whatever stands below it', () => {
    for (const text of ['---chat---Hello', '---chat---']) {
      const wrong = reading(text, { message: undefined, problems: [error(4)] });
      assert.equal(toSendable(text, wrong, []), undefined);
    }
  });

  it('names 20 recipients, unless all are asked for', () => {
    const chats = Array.from({ length: 21 }, (_, index) => ({ type: 'user' as const, id: `${index}` }));
    const draft = { message: { contentType: 'text' as const, content: { text: 'a' } }, botId: '', chats };
    assert.deepEqual([visibleRecipients(draft, false).length, visibleRecipients(draft, true).length], [20, 21]);
  });

  it('is a message of the bot, with the buttons that it will have', () => {
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
