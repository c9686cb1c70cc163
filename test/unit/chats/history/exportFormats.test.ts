import assert from 'node:assert/strict';
import * as v from 'valibot';
import { newProgress } from '../../../../src/chats/history/commands/exportProgress.ts';
import { exportFormat, type FormatName } from '../../../../src/chats/history/commands/formats.ts';
import { SANDBOX_ADDRESS } from '../../../../src/platform/service.ts';
import { Listed } from '../../../../src/service/message.ts';
import { botChat } from './export-chat.ts';

const BEGAN = new Date(2026, 2, 9, 9, 30).getTime();

const formatOf = (name: FormatName, bot = '', chat = botChat) =>
  exportFormat(name, { chat: 'River Walkers', bot }, newProgress(chat, BEGAN));

/** Messages in a format, without the escapes of Markdown. */
const written = (name: FormatName, ...messages: object[]) => {
  const { entry } = formatOf(name);
  return messages
    .map((message) => entry(v.parse(Listed, message)))
    .join('')
    .replace(/\\(?=[^\w\s])/g, '');
};

describe('A document with a history', () => {
  it('says whose it is, and when and how it was read', () => {
    const facts = formatOf('md', 'Order Desk').heading.match(/^- .*$/gm);
    assert.deepEqual(facts?.slice(0, 5), [
      '- Chat: big',
      '- Bot: Order Desk (30481126)',
      '- Service: https://service.example',
      '- Range: Entire history',
      '- Messages: 0',
    ]);
    assert.match(facts?.[5] ?? '', /^- Exported: .*9:30/);
    assert.match(formatOf('md').heading, /^- Bot: 30481126$/m);
    assert.match(formatOf('md', '', { ...botChat, service: SANDBOX_ADDRESS }).heading, /^- Service: Sandbox$/m);
  });

  const button = (actionType: number) => ({
    content: { text: 'a', buttons: [[{ text: 'b', actionType, url: 'https://b.example', value: 'c' }]] },
  });
  for (const [what, message, words] of [
    ['a command', { commandName: 'order' }, 'Command order'],
    ['who is mentioned', { content: { text: 'a', at: ['7', '8'] } }, 'Mentions 7, 8'],
    ['that its time is unknown', { sendTime: undefined }, 'time unknown'],
    ['that HTML is shown as its source', { contentType: 'html' }, 'HTML, shown as source'],
    ['a type that is unknown', { contentType: 'odd', content: { x: 1 } }, 'Message type “odd”, shown as received'],
    ['that it answers a message from before', { parentId: 'gone' }, 'Reply to an earlier message'],
    ['that a bot has sent it', { senderType: 'bot' }, 'Bot'],
    ['what a button opens', button(1), 'Opens '],
    ['what a button copies', button(2), 'Copies “c”'],
    ['what a button reports', button(3), 'Reports “c”'],
    ['that nobody knows what a button does', button(9), 'Unknown action type 9'],
  ] as const)
    it(`says of a message ${what}`, () => {
      const plain = { msgId: 'm', senderNickname: 'Ann', contentType: 'text', content: { text: 'a' }, sendTime: BEGAN };
      for (const name of ['md', 'html'] as const) {
        const text = written(name, { ...plain, ...message });
        assert.ok(text.includes(words), text);
        assert.ok(!written(name, plain).includes(words));
      }
    });

  it('in HTML is one page, in which Markdown is rendered', () => {
    const { heading, ending } = formatOf('html');
    assert.match(heading, /^<!DOCTYPE html>.*default-src 'none'; style-src 'unsafe-inline'/s);
    assert.match(ending, /<\/html>\n$/);
    const text = written('html', {
      msgId: 'm',
      contentType: 'markdown',
      content: { text: '**a** ![b](https://b.example)' },
    });
    assert.match(text, /<strong>a<\/strong>/);
    assert.doesNotMatch(text, /<img/);
  });

  it('says that a message can’t be read', () => {
    for (const name of ['md', 'html'] as const)
      assert.match(written(name, { odd: 1 }), /This message can(?:'|&#39;)t be read\. Original content:/);
  });
});
