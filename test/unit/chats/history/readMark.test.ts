import assert from 'node:assert/strict';
import { ReadMark } from '../../../../src/chats/history/readMark.ts';
import { type Mark, Store } from '../../../../src/platform/store.ts';
import { memento } from '../../memory.ts';

describe('How far a chat was read', () => {
  it("is reported with the messages that can't be read, and never forgets the newest one that can", () => {
    const store = new Store(memento());
    const reported: Mark[] = [];
    const chatEvents = { read: (_: unknown, mark: Mark) => void reported.push(mark) };
    const chat = { service: 'https://chats.example', kind: 'group' as const, id: 'a', botId: 'b' };
    const mark = new ReadMark(chat, { store, chatEvents } as unknown as ConstructorParameters<typeof ReadMark>[1]);
    const [readable, none] = [
      { msgId: 'm1', sendTime: 1, unreadable: 1 },
      { msgId: '', sendTime: 0, unreadable: 50 },
    ];
    mark.move(readable, false);
    mark.move(none, false);
    assert.deepEqual(reported, [readable, none]);
    assert.deepEqual(store.get('readMarks'), [{ ...chat, msgId: 'm1', sendTime: 1 }]);
  });
});
