import assert from 'node:assert/strict';
import { ChatEvents } from '../../../src/platform/chatEvents.ts';
import { MentionedIds } from '../../../src/platform/mentionedIds.ts';
import type { Service } from '../../../src/platform/service.ts';
import { deferred, settled } from '../deferred.ts';

describe('Messages that may have arrived', () => {
  const service = {} as Service;
  const chat = { kind: 'group', id: 'big' } as const;

  it('have arrived once all features that listen have shown them', async () => {
    const events = new ChatEvents();
    const shown = [deferred<void>(), deferred<void>()];
    const calls: unknown[] = [];
    const [first] = shown.map(({ promise }) =>
      events.onDidArrive((...arrived) => {
        calls.push(arrived);
        return promise;
      }),
    );
    let isDone = false;
    const done = events.arrived(service, [chat]).then(() => {
      isDone = true;
    });
    shown[0]?.resolve();
    await settled();
    assert.deepEqual([calls, isDone], [Array(2).fill([service, [chat]]), false]);
    shown[1]?.resolve();
    await done;
    first?.dispose();
    await events.arrived(service, [chat]);
    assert.equal(calls.length, 3);
    events.dispose();
    await events.arrived(service, [chat]);
    assert.equal(calls.length, 3);
  });
});

describe('What features tell each other of chats', () => {
  it('is heard by those that listen, until the window closes', () => {
    const chat = { service: 'https://open.example', kind: 'group', id: 'big', botId: '1' } as const;
    const read = { chat, newest: { msgId: 'm', sendTime: 1 } };
    const page = { chat, page: { latest: 1 }, entries: [] };
    const sent = { service: chat.service, messages: [{ kind: 'group', id: 'big', msgId: 'm' }] } as const;
    const events = new ChatEvents();
    const heard: unknown[] = [];
    for (const event of [events.onDidRead, events.onDidReadPage, events.onDidSend])
      event((what: unknown) => void heard.push(what));
    const tell = () => {
      events.read(chat, read.newest);
      events.pageRead(page);
      events.sent(sent);
    };
    tell();
    assert.deepEqual(heard, [read, page, sent]);
    events.dispose();
    tell();
    assert.equal(heard.length, 3);
  });
});

describe('IDs that features come across', () => {
  it('are kept with their first kind, and reported if any is new', () => {
    const mentioned = new MentionedIds();
    let changes = 0;
    mentioned.onDidChange(() => changes++);
    mentioned.add([{ kind: 'group', id: '7' }]);
    for (const kind of ['user', 'bot'] as const) mentioned.add([{ kind, id: '7' }]);
    assert.deepEqual([[...mentioned.kinds], changes], [[['7', 'group']], 1]);
    mentioned.clear();
    assert.equal(mentioned.kinds.size, 0);
  });

  it('are up to 5,000 of up to 100 characters', () => {
    const mentioned = new MentionedIds();
    const longest = 'x'.repeat(100);
    mentioned.add(['', `${longest}x`, longest].map((id) => ({ kind: 'group', id })));
    assert.deepEqual([...mentioned.kinds.keys()], [longest]);
    mentioned.add(Array.from({ length: 5_000 }, (_, at) => ({ kind: 'user', id: `${at}` })));
    assert.deepEqual(
      [mentioned.kinds.size, mentioned.kinds.has('4998'), mentioned.kinds.has('4999')],
      [5_000, true, false],
    );
  });

  it('can be read from sources as long as there are any', async () => {
    const mentioned = new MentionedIds();
    const sources = ['7', '8'].map((id) => mentioned.addSource(async () => [{ kind: 'user', id }]));
    assert.deepEqual(await mentioned.fromSources(), [
      { kind: 'user', id: '7' },
      { kind: 'user', id: '8' },
    ]);
    sources[0]?.dispose();
    assert.deepEqual(await mentioned.fromSources(), [{ kind: 'user', id: '8' }]);
    mentioned.dispose();
    assert.deepEqual(await mentioned.fromSources(), []);
  });
});
