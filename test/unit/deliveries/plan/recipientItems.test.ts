import assert from 'node:assert/strict';
import { NO_RULES } from '../../../../src/deliveries/draft/leaveOut.ts';
import type { Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import { recipientItem, totalText } from '../../../../src/deliveries/plan/recipientItems.ts';
import type { Service } from '../../../../src/platform/service.ts';
import { user } from '../../presentation/resources.ts';

const first: Recipient = { kind: 'user', id: '7058314', name: 'Ann' };

describe('The item of a recipient', () => {
  it('has the user’s own name, then the other name, the ID and what is known, without repeating any', () => {
    const service = { directory: { peek: () => undefined } } as unknown as Service;
    const shown = (more: Partial<Recipient>) => {
      const { label, description, chats } = recipientItem({ ...first, ...more }, service);
      assert.deepEqual(chats, [{ kind: 'user', id: '7058314' }]);
      return [label, description];
    };
    assert.deepEqual(shown({}), ['$(account) Ann', '7058314']);
    assert.deepEqual(shown({ label: 'Boss' }), ['$(account) Boss', 'Ann · 7058314']);
    assert.deepEqual(shown({ name: '7058314', label: 'Boss' }), ['$(account) Boss', '7058314']);
    assert.deepEqual(shown({ name: '7058314' }), ['$(account) 7058314', '']);
  });

  it('says what is known of a person', () => {
    const service = { directory: { peek: () => user({ isVip: 1 }) } } as unknown as Service;
    assert.equal(recipientItem(first, service).description, '7058314 · VIP');
  });
});

describe('The total of selected chats', () => {
  it('has their number, and that of members as far as it is known', () => {
    const members: Record<string, number | undefined> = { one: 1, many: 182_340, unsaid: undefined };
    const peek = (kind: string, id: string) =>
      id in members ? { kind, resource: { headcount: members[id] } } : undefined;
    const service = { directory: { peek } } as unknown as Service;
    const total = (...ids: string[]) =>
      totalText([...ids.map((id) => ({ kind: 'group' as const, id }))], service, NO_RULES);
    assert.equal(totalText([], service, NO_RULES), '');
    assert.equal(totalText([first], service, NO_RULES), '1 recipient');
    assert.equal(total('one'), '1 recipient · 1 member');
    assert.equal(total('many', 'one'), '2 recipients · 182,341 members');
    for (const unknown of ['unsaid', 'nosuch']) assert.equal(total('one', unknown), '2 recipients · 1+ members');
    assert.equal(total('nosuch'), '1 recipient');
  });
});
