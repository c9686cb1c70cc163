import assert from 'node:assert/strict';
import { Uri } from 'vscode';
import { atMessage, chatLink, findChatLinks, isOurAddress, parseChatLink } from '../../../src/protocol/chatLink.ts';

const CHAT = { digest: '0123456789ab', kind: 'group', id: '518204736', botId: '30481126' } as const;

describe('A link to a chat', () => {
  it('is opened by the extension, and names the chat and the bot', () => {
    const link = chatLink('vscode', CHAT);
    assert.match(link, /^vscode:\/\/bot-chats\.bot-chats\/open\?/);
    assert.deepEqual(parseChatLink(Uri.parse(link)), CHAT);
  });

  it('may lead to a message or a person, and name no bot', () => {
    assert.deepEqual(parseChatLink(Uri.parse(`${chatLink('vscode', CHAT)}#m1`)), { ...CHAT, msgId: 'm1' });
    for (const kind of ['group', 'user'] as const)
      for (const botId of [undefined, '30481126']) {
        const chat = { ...CHAT, kind, botId };
        assert.deepEqual(parseChatLink(Uri.parse(chatLink('vscode', chat))), chat);
      }
  });

  it('holds any ID, and does not end early in Markdown', () => {
    const odd = { ...CHAT, id: `a&b=c%26#d/e?f"g'(h)[i]` };
    const link = chatLink('vscode', odd) + atMessage(odd.id);
    assert.doesNotMatch(link, /[\s()[\]"'<>]/);
    assert.deepEqual(parseChatLink(Uri.parse(link)), { ...odd, msgId: odd.id });
  });

  it('is found in a text, without what follows it', () => {
    const [link, other] = [chatLink('vscode', CHAT), chatLink('code-oss', { ...CHAT, botId: undefined })];
    const texts = (text: string) => findChatLinks(text).map(({ start, end }) => text.slice(start, end));
    assert.deepEqual(texts(`See ${link}#m1. Or **${other}**, [this](${link}#m2)!`), [
      `${link}#m1`,
      other,
      `${link}#m2`,
    ]);
    assert.deepEqual(
      findChatLinks(` ${link}#m1`).map(({ isToMessage, address }) => [isToMessage, address]),
      [[true, `${link}#m1`]],
    );
    assert.equal(findChatLinks(other)[0]?.isToMessage, false);
    const marks = chatLink('vscode', { ...CHAT, id: 'a_b-c.d~e*f!' });
    for (const marked of [marks, `${marks}#m_1-2.3-`]) assert.deepEqual(texts(`**${marked}.**`), [marked]);
    for (const broken of [
      'vscode://bot-chats.bot-chats/open?%5B%5D',
      `${link}.#m1`,
      `${link}#%E0%A4%A`,
      'vscode://other.other/open?%5D',
    ])
      assert.deepEqual(texts(broken), [], broken);
  });

  it('is told from an ID, even if it is broken', () => {
    for (const text of [
      chatLink('vscode', CHAT),
      ` ${chatLink('code-oss', CHAT)}#m1\n`,
      'vscode://bot-chats.bot-chats/',
    ])
      assert.ok(isOurAddress(text), text);
    for (const text of [
      '518204736',
      'bot-chats.bot-chats/open',
      'https://chat.example/open',
      `See ${chatLink('vscode', CHAT)}`,
    ])
      assert.ok(!isOurAddress(text), text);
  });

  it('is rejected if anything else is in it', () => {
    const parsed = (query: string, { path = '/open', fragment = '' } = {}) =>
      parseChatLink(Uri.from({ scheme: 'vscode', authority: 'a', path, query, fragment }));
    const good = '["d","group","1","2"]';
    for (const wrong of [{ path: '/other' }, { fragment: 'a b' }, { fragment: '1'.repeat(201) }])
      assert.equal(parsed(good, wrong), undefined, JSON.stringify(wrong));
    for (const query of [
      '',
      '{',
      '[]',
      '["d","bot","1"]',
      '["d","group",""]',
      '["d","group","1","a b"]',
      '["d","group","1","2","3"]',
      '["d","group","1\u202E","2"]',
      JSON.stringify(['d', 'group', '1'.repeat(201), '2']),
      JSON.stringify(['d', 'group', '1', '2'.repeat(201)]),
      JSON.stringify(['d'.repeat(201), 'group', '1', '2']),
    ])
      assert.equal(parsed(query), undefined, query);
    assert.ok(parsed(JSON.stringify(['d', 'group', '1'.repeat(200), '2'])));
  });
});
