import assert from 'node:assert/strict';
import { Uri } from 'vscode';
import type { ParsedDraft, Problem } from '../../../../src/drafts/document/parseDraft.ts';
import { hasReadableRecipients, previewMessage, toSendable } from '../../../../src/drafts/preview/draftView.ts';
import { parseRecipientTable } from '../../../../src/drafts/recipients/recipientTable.ts';

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

  it('knows its recipients unless their file can’t be used', async () => {
    const uri = Uri.file('/drafts/a.csv');
    const isReadable = async (text: string) => {
      const table = await parseRecipientTable(text, 'user');
      return hasReadableRecipients({ file: { uri, table, isOtherEncoding: false }, table });
    };
    assert.deepEqual(await Promise.all(['id\n7', 'id\n7\na b', 'id', 'name\nAnn', ''].map(isReadable)), [
      ...[true, true, true],
      ...[false, false],
    ]);
    const missing = { uri, problem: { code: 'noFile' as const, args: ['a.csv'] } };
    assert.equal(hasReadableRecipients({ file: missing, table: undefined }), false);
    assert.equal(hasReadableRecipients({ file: undefined, table: undefined }), true);
  });

  it('shows the bot and the buttons', () => {
    const buttons = [[{ text: 'Docs', actionType: 1, url: 'https://a.example', value: '' }]];
    const message = { contentType: 'text' as const, content: { text: 'a', buttons } };
    const { senderId, senderType, senderNickname, contentType, content } = previewMessage(
      message,
      '30481126',
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
