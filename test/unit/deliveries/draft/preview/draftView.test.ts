import assert from 'node:assert/strict';
import { Uri } from 'vscode';
import { knowsValues, previewMessage } from '../../../../../src/deliveries/draft/preview/draftView.ts';
import { parseRecipientTable } from '../../../../../src/deliveries/draft/recipients/recipientTable.ts';
import { read, withBlock } from '../document/read.ts';

describe('The preview of a draft', () => {
  it('knows the values of its recipients unless their file can’t be used', async () => {
    const [uri, parsed] = [Uri.file('/drafts/a.csv'), read('Hi')];
    const isReadable = async (text: string) => {
      const table = await parseRecipientTable(text, 'user');
      return knowsValues({ parsed, file: { uri, table, isOtherEncoding: false }, table });
    };
    assert.deepEqual(await Promise.all(['id\n7', 'id\n7\na b', 'id', 'name\nAnn', ''].map(isReadable)), [
      ...[true, true, true],
      ...[false, false],
    ]);
    const missing = { uri, problem: { text: "There's no file a.csv beside this document." } };
    assert.equal(knowsValues({ parsed, file: missing, table: undefined }), false);
    assert.equal(knowsValues({ parsed, file: undefined, table: undefined }), true);
    const misspelled = read(withBlock('csv: a.csv'));
    assert.equal(knowsValues({ parsed: misspelled, file: undefined, table: undefined }), false);
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
