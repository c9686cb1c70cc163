import assert from 'node:assert/strict';
import { Settings } from '../../../src/platform/settings.ts';
import { configure, written } from '../test-service.ts';

describe('A setting that was edited by hand', () => {
  const settings = new Settings();

  /** What is read of a setting with each of these values. */
  const reading = async (name: string, values: readonly unknown[], read: () => unknown) => {
    const all: unknown[] = [];
    try {
      for (const value of values) {
        await configure({ [name]: value });
        all.push(read());
      }
    } finally {
      await configure({ [name]: undefined });
    }
    return all;
  };

  it('asks for the nearest number that is possible, not for the usual one', async () => {
    const values = [undefined, -1, 0, 0.5, 2.7, 1e9, '7', false];
    assert.deepEqual(
      await reading('history.refreshSeconds', values, () => settings.refreshSeconds),
      [15, 0, 0, 0.5, 2.7, 1e9, 15, 15],
    );
    assert.deepEqual(
      await reading('service.callsPerSecond', values, () => settings.service.callsPerSecond),
      [10, 1, 1, 1, 2, 1000, 10, 10],
    );
    assert.deepEqual(
      await reading('sending.batchSize', values, () => settings.batchSize),
      [200, 1, 1, 1, 2, 10_000, 200, 200],
    );
  });

  it('asks for no lookups if it says something else than which', async () => {
    assert.deepEqual(
      await reading('hover.lookUp', [undefined, 'any', 'known', 'none', 'Never', false, 0], () => settings.hoverLookUp),
      ['any', 'any', 'known', 'never', 'never', 'never', 'never'],
    );
  });

  it('may be one word instead of a list of words, and is never ignored', async () => {
    assert.deepEqual(
      await reading('watching.words', [undefined, [], ['a', 7], '发布', { a: 1 }, true], () => settings.watchedWords),
      [[], [], ['a', 7], ['发布'], [{ a: 1 }], [true]],
    );
  });

  it('is on only if it is true', async () => {
    const flags = {
      'service.sandbox': () => settings.service.sandbox,
      'service.allowPlainHttp': () => settings.service.allowPlainHttp,
      'watching.notify': () => settings.notifiesOfMessages,
      'watching.notifyMatches': () => settings.notifiesOfMatches,
      'agents.enabled': () => settings.agentsEnabled,
    };
    for (const [name, read] of Object.entries(flags))
      assert.deepEqual(await reading(name, [true, 'true', 1, false], read), [true, false, false, false], name);
  });

  it('is no text if it is something else', async () => {
    const address = ' https://a.example ';
    assert.deepEqual(await reading('service.webUrl', [address, 7], () => settings.service.webUrl), [
      address.trim(),
      '',
    ]);
    assert.deepEqual(await reading('service.openApiUrl', [address, 7], () => settings.service.openApiUrl), [
      address.trim(),
      '',
    ]);
    assert.deepEqual(await reading('ids.pattern', [String.raw`\d+`, 7], () => settings.idPattern), [
      String.raw`\d+`,
      '',
    ]);
  });

  it('lets agents see nothing, and sends no front matter, if it says something else than which', async () => {
    assert.deepEqual(
      await reading('agents.access', ['ask', 'chosen', 'all', 'none', 'All', true], () => settings.agentAccess),
      ['ask', 'chosen', 'all', 'none', 'none', 'none'],
    );
    assert.deepEqual(
      await reading('sending.frontMatter', ['keep', 'omit', 'Keep', true], () => settings.keepsFrontMatter),
      [true, false, false, false],
    );
  });

  it('lists chats in full, each once, or none', async () => {
    const lists = { 'history.remoteImagesIn': () => settings.imagesIn, 'agents.chats': () => settings.agentChats };
    const chats = [
      { kind: 'group', id: '1' },
      { kind: 'group', id: '2' },
      { kind: 'user', id: '1' },
    ];
    for (const [name, read] of Object.entries(lists)) {
      const readable = [{ groups: ['1', '2', '1'], people: ['1', '1'] }, { people: [] }, {}];
      assert.deepEqual(await reading(name, readable, read), [chats, [], []], name);
      for (const unreadable of [{ groups: '1' }, { groups: ['1', null] }, { groups: ['1'], persons: [] }, ['1'], true])
        assert.deepEqual(await reading(name, [unreadable], read), [undefined], `${name} ${JSON.stringify(unreadable)}`);
    }
  });
});

describe('A setting that the extension writes', () => {
  const settings = new Settings();
  afterEach(() => configure({ 'history.remoteImagesIn': undefined, 'service.callsPerSecond': undefined }));

  it('is one of the user', async () => {
    await settings.setImagesIn([
      { kind: 'user', id: '7' },
      { kind: 'group', id: '1' },
    ]);
    assert.deepEqual(written('history.remoteImagesIn'), {
      workspace: undefined,
      user: { groups: ['1'], people: ['7'] },
    });
    await settings.saveService({ callsPerSecond: 20 });
    assert.deepEqual(written('service.callsPerSecond'), { workspace: undefined, user: 20 });
  });
});
