import assert from 'node:assert/strict';
import { type NamedHistory, tabTitle } from '../../../../src/chats/history/historyPanels.ts';

const SANDBOX = 'sandbox:';

/** A history of a group, whose bot is named like its ID. */
const history = (id: string, botId = '1', service = SANDBOX, name = 'Book Club'): NamedHistory => ({
  botChat: { service, kind: 'group', id, botId },
  name,
  botName: `Bot ${botId}`,
});

const titles = (...open: NamedHistory[]) => open.map((one) => tabTitle(one, open, []));

describe('The tab of a history', () => {
  it('has the name of the chat', () => {
    assert.deepEqual(titles(history('10'), history('11', '1', SANDBOX, 'Hikers')), ['Book Club', 'Hikers']);
  });

  it('has the ID, too, if another chat has the same name', () => {
    assert.deepEqual(titles(history('10'), history('11')), ['Book Club (10)', 'Book Club (11)']);
  });

  it('has the name of the bot, too, if another bot reads the same chat', () => {
    assert.deepEqual(titles(history('10', '1'), history('10', '2')), ['Book Club (Bot 1)', 'Book Club (Bot 2)']);
  });

  it('has the ID of the bot if the bots have the same name', () => {
    const twins = [history('10', '1'), { ...history('10', '2'), botName: 'Bot 1' }];
    assert.deepEqual(titles(...twins), ['Book Club (1)', 'Book Club (2)']);
  });

  it('has the service, too, if the chat of another service has the same name', () => {
    const other = history('10', '1', 'https://chat.example/api');
    assert.deepEqual(titles(history('10'), other), ['Book Club (the sandbox)', 'Book Club (chat.example/api)']);
  });

  it('has everything that it takes', () => {
    assert.deepEqual(
      titles(history('10', '1'), history('10', '2'), history('11', '1'), history('10', '1', 'https://chat.example')),
      [
        'Book Club (10, Bot 1, the sandbox)',
        'Book Club (10, Bot 2, the sandbox)',
        'Book Club (11, the sandbox)',
        'Book Club (chat.example)',
      ],
    );
  });

  it("has the ID once if it's all that is known", () => {
    assert.deepEqual(titles(history('10', '1', SANDBOX, '10'), history('10', '2', SANDBOX, '10')), [
      '10 (Bot 1)',
      '10 (Bot 2)',
    ]);
  });

  it('has the ID, too, if a tab that is not restored yet may have the same name', () => {
    const only = history('10');
    const title = (unrestored: string) => tabTitle(only, [only], [unrestored]);
    assert.equal(title('Book Club'), 'Book Club (10)');
    assert.equal(title('Book Club (11)'), 'Book Club (10)');
    assert.equal(title('Book Club of Riverside'), 'Book Club');
  });

  it('has as much of the name as a tab has room for, and the ID if another one begins so', () => {
    const long = 'The same words again and again '.repeat(5).trim();
    const one = history('10', '1', SANDBOX, long);
    const other = history('11', '1', SANDBOX, `${long}!`);
    assert.deepEqual(titles(one), [`${long.slice(0, 60)}…`]);
    assert.deepEqual(titles(one, other), [`${long.slice(0, 60)}… (10)`, `${long.slice(0, 60)}… (11)`]);
  });
});
