import assert from 'node:assert/strict';
import type { Service } from '../../../src/platform/service.ts';
import { chatItems, countText } from '../../../src/presentation/chatItems.ts';
import { group } from './resources.ts';

describe('Chats in a list', () => {
  it('are groups, then people, with what is known of each', () => {
    const directory = {
      labelOf: () => undefined,
      peek: (_: unknown, id: string) => (id === 'big' ? group({ name: 'Town', headcount: 342 }) : undefined),
      has: (_: unknown, id: string) => id === 'big' || id === '9',
    };
    const chats = [
      { kind: 'user', id: '7' },
      { kind: 'group', id: 'big' },
      { kind: 'user', id: '9' },
    ] as const;
    const items = chatItems(chats, { directory } as unknown as Service, 'not looked up');
    assert.deepEqual(
      items.map(({ label, description }) => (description === undefined ? label : `${label} | ${description}`)),
      [
        'Groups',
        '$(organization) Town | big · 342 members',
        'People',
        '$(account) 7 | 7 · not looked up',
        "$(warning) 9 | 9 · doesn't exist",
      ],
    );
    assert.deepEqual(items[1]?.chats, [chats[1]]);
    assert.equal(items[0]?.chats, undefined);
  });

  it('are counted by what they are', () => {
    for (const [groups, people, text] of [
      [0, 0, '0 groups'],
      [1, 0, '1 group'],
      [2, 0, '2 groups'],
      [0, 1, '1 person'],
      [0, 1_234, '1,234 people'],
      [1, 2, '3 chats (groups: 1, people: 2)'],
    ] as const)
      assert.equal(countText(groups, people), text);
  });
});
