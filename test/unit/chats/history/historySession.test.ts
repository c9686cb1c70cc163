import assert from 'node:assert/strict';
import { ReadMark } from '../../../../src/chats/history/historySession.ts';
import { type Mark, Store } from '../../../../src/platform/store.ts';
import { memento } from '../../memory.ts';

describe('How far a chat was read', () => {
  it("is reported with the messages that can't be read, and never forgets the newest one that can", () => {
    const store = new Store(memento());
    const reported: Mark[] = [];
    const chatEvents = { read: (_: unknown, mark: Mark) => void reported.push(mark) };
    const chat = { service: 'https://chats.example', kind: 'group' as const, id: 'a', botId: 'b' };
    const mark = new ReadMark(chat, { store, chatEvents } as unknown as ConstructorParameters<typeof ReadMark>[1]);
    const readable = { msgId: 'm1', sendTime: 1, unreadable: 1 };
    const none = { msgId: '', sendTime: 0, unreadable: 50 };
    mark.move(readable, false);
    mark.move(none, false);
    assert.deepEqual(reported, [readable, none]);
    assert.deepEqual(store.get('readMarks'), [{ ...chat, msgId: 'm1', sendTime: 1 }]);
  });

  it('stays where another window has moved it until something newer is on the screen here', () => {
    const store = new Store(memento());
    const chatEvents = { read: () => {} };
    const chat = { service: 'https://chats.example', kind: 'group' as const, id: 'a', botId: 'b' };
    const open = () =>
      new ReadMark(chat, { store, chatEvents } as unknown as ConstructorParameters<typeof ReadMark>[1]);
    const here = open();
    const there = open();
    const at = (sendTime: number) => ({ msgId: `m${sendTime}`, sendTime });
    const saved = () => store.find('readMarks', chat)?.msgId;
    here.move(at(1), false);
    there.move(at(2), false);
    here.move(at(1), false);
    assert.equal(saved(), 'm2');
    here.move(at(3), false);
    assert.equal(saved(), 'm3');
    // What was the newest one is gone.
    here.move(at(2), false);
    assert.equal(saved(), 'm2');
  });
});
