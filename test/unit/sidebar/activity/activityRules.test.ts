import assert from 'node:assert/strict';
import type { Message } from '../../../../src/service/message.ts';
import { activityItem } from '../../../../src/sidebar/activity/activityItem.ts';
import { AlertWords } from '../../../../src/sidebar/activity/activityRules.ts';
import { message as listed } from '../watch/messages.ts';

const CHAT = { service: 'https://chats.example', kind: 'group', id: 'a', botId: 'b' } as const;

function message(fields: Record<string, unknown>): Message {
  const entry = listed(fields);
  return entry.readable ? entry.message : assert.fail();
}

const text = (said: string, more: object = {}) =>
  message({ msgId: 'm1', contentType: 'text', content: { text: said, ...more }, sendTime: 5 });

const itemOf = (entry: Message, ...entries: unknown[]) =>
  activityItem(CHAT, entry, { isReply: false, words: new AlertWords(entries), now: 9 });

/** Which of the user's words a message contains. */
const found = (said: string, ...entries: unknown[]) => itemOf(text(said), ...entries).words;

describe('A message with words of the user', () => {
  it('contains them as whole words or phrases in any case, and signs only as they are written', () => {
    for (const [entry, has, hasNot] of [
      ['deploy', ['Please deploy!', 'DÉPLOY', '(deploy)', 'a-deploy-b'], ['deployment', 'redeploy', 'dep loy', '']],
      ['deploy*', ['the deployment'], ['a redeploy']],
      ['*deploy*', ['deploy', 'deployment'], ['redeploy']],
      ['发布', ['请尽快发布新版本'], ['请尽快發布新版本', '发。布']],
      ['上线', ['今天上线v2'], ['下线']],
      ['release notes', ['New release notes', 'Notes on the release'], ['The release']],
      ['"release notes"', ['New release notes are out'], ['Notes on the release']],
      ['deploy -test', ['deploy to production'], ['deploy to test']],
      ['C++', ['We use C++.', 'c++11', 'Ｃ＋＋', '用C++写'], ['C', 'C+ +', 'abc++ or C', 'C, ++']],
      ['@here', ['@here: lunch', '大家好@here', '＠HERE'], ['here', 'here@', '@heretic is here', '@ here']],
      ['#ops', ['see #ops', '请看#ops频道', '＃Ops'], ['ops', '# ops', '#opsgenie, ops']],
      ['node.js', ['Node.js 24', 'node.js!'], ['node js', 'nodejs', 'node-js']],
      ['$100', ['only $100'], ['100', '$1000', '100$']],
      ['发布！', ['请发布！', '发布!'], ['发布', '发布。']],
      ['"on call: ops"', ['On call:  OPS', 'on call:\nops'], ['on call ops']],
      ['C++*', ['C++17'], ['C17']],
      ['#dep*', ['#deploy'], ['deploy']],
      ['-@here ops', ['ops here'], ['ops @here']],
      ["don't", ['DON’T'], ['don t']],
      ['👍🏽', ['👍', '👍🏿', '👍'], ['👎🏽']],
    ] as const) {
      for (const said of has) assert.deepEqual(found(said, entry), [entry], `${entry} in ${said}`);
      for (const said of hasNot) assert.deepEqual(found(said, entry), [], `${entry} in ${said}`);
    }
  });

  it('may have them on a button or far from its beginning, but not in what it quotes, nor as the name of its sender', () => {
    assert.deepEqual(found(`${'far '.repeat(24_000)} deploy`, 'deploy'), ['deploy']);
    assert.deepEqual(found(`${'far '.repeat(26_000)} deploy`, 'deploy'), []);
    const buttons = [[{ text: 'Deploy now', actionType: 1, url: 'https://a.example' }]];
    assert.deepEqual(itemOf(text('', { buttons }), 'deploy').words, ['deploy']);
    const answer = message({
      msgId: 'm2',
      parentId: 'm1',
      senderNickname: 'Deploy',
      senderId: 'deploy',
      contentType: 'text',
      content: { text: 'Done', parent: 'Alice : please deploy' },
    });
    assert.deepEqual(itemOf(answer, 'deploy').words, []);
  });

  it('of an unknown type is only named', () => {
    const call = message({ msgId: 'm1', contentType: 'hologram', content: { deploy: 'deploy' } });
    const { text: excerpt, words, sendTime } = itemOf(call, 'deploy', 'hologram');
    assert.deepEqual([excerpt, words, sendTime], ['hologram', ['hologram'], 9]);
  });

  it('is kept as an excerpt on one line', () => {
    const { text: excerpt, sendTime } = itemOf(text(`one\ntwo  three ${'x'.repeat(500)}`));
    assert.equal(excerpt, `one · two three ${'x'.repeat(184)}…`);
    assert.equal(sendTime, 5);
  });
});

describe('The words of the setting', () => {
  it('that can find nothing, or everything, are named', () => {
    const bad = ['', '  ', '!!!', '""', '-test', 7, null, {}, 'x'.repeat(101)];
    assert.deepEqual(new AlertWords(['deploy', ...bad, 'x'.repeat(100)]).unusable, bad);
    assert.deepEqual(found('deploy, test', 'deploy', ...bad), ['deploy']);
  });

  it('may be emoji, and count once', () => {
    assert.deepEqual(found('deploy, go 🚀', '🚀', ' deploy ', 'deploy'), ['🚀', 'deploy']);
  });

  it('are looked for up to a hundred, not counting those that can find nothing', () => {
    const hundred = Array.from({ length: 100 }, (_, at) => `word${at}`);
    const said = `${hundred.join(' ')} tea`;
    for (const [entries, isCut] of [
      [['!', ...hundred, 'word0'], true],
      [['!', ...hundred, 'tea'], true],
      [['!', 'word0', ...hundred], false],
    ] as const) {
      assert.deepEqual([found(said, ...entries), new AlertWords(entries).isCut], [hundred, isCut]);
    }
  });

  it('apply to what is kept as they were found in the whole message when it arrived, whatever its excerpt has', () => {
    const item = itemOf(
      text(`deploy tea ${'far '.repeat(1_000)} milk`),
      'deploy',
      'milk',
      'deploy -milk',
      'far -deploy',
    );
    const now = (...entries: string[]) => new AlertWords(entries).matchOf(item).words;
    assert.deepEqual(now('deploy -milk', 'deploy', 'milk', 'far -deploy'), ['deploy', 'milk']);
    assert.deepEqual(now('milk', 'tea', 'far -tea'), ['milk']);
    assert.deepEqual(now(), []);
    const cut = itemOf(text(`${'x'.repeat(196)} andalusia`), 'and');
    assert.deepEqual([cut.text.slice(-5), new AlertWords(['and']).matchOf(cut).words], [' and…', []]);
  });
});
