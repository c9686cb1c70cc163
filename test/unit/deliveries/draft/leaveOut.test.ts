import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countByRule, leaveOut, NO_RULES, type Rules, reasonFor } from '../../../../src/deliveries/draft/leaveOut.ts';
import { type Chat, chatKey } from '../../../../src/service/model.ts';

const user = (id: string): Chat => ({ kind: 'user', id });
const notes = (ids: string, note = '') => new Map([...ids].map((id) => [chatKey(user(id)), note]));
const keys = (ids: string) => new Set(notes(ids).keys());

describe('Who is left out of a delivery', () => {
  it('is decided by the strongest rule: never, then except, then where, then needless; nobody else is', async () => {
    const rules: Rules = {
      never: notes('abcd', 'asked'),
      except: notes('abef', 'past.csv'),
      unmatched: notes('aceg'),
      needless: keys('aegh'),
    };
    const { kept, leftOut } = await leaveOut([...'abcdefghi'].map(user), rules);
    assert.deepEqual(
      leftOut.map(({ id, by, note }) => [id, by, note].join(' ').trim()),
      [
        'a never asked',
        'b never asked',
        'c never asked',
        'd never asked',
        'e except past.csv',
        'f except past.csv',
        'g where',
        'h needless',
      ],
    );
    assert.deepEqual(kept, [user('i')]);
    assert.deepEqual(await countByRule(leftOut, rules), { never: 4, except: 2, where: 1, needless: 1 });
    // The rows that aren't picked count even if nobody chose them, each by the strongest rule.
    assert.deepEqual(await countByRule([], rules), { never: 2, except: 1, where: 1, needless: 0 });
  });

  it('is of one kind: a group with the ID of a person on the list gets the message', () => {
    const rules = { ...NO_RULES, never: notes('7') };
    assert.deepEqual(reasonFor(user('7'), rules), { by: 'never', note: '' });
    assert.equal(reasonFor({ kind: 'group', id: '7' }, rules), undefined);
  });

  it('is nobody without rules', async () => {
    const chosen = [user('a')];
    assert.deepEqual(await leaveOut(chosen, NO_RULES), { kept: chosen, leftOut: [] });
  });

  it('and who gets the message are together those who were chosen, in their order', () => {
    const ids = fc.array(fc.constantFrom(...'abcdef')).map((all) => all.join(''));
    return fc.assert(
      fc.asyncProperty(ids, ids, ids, ids, ids, async (chosen, never, except, unmatched, needless) => {
        const rules = {
          never: notes(never),
          except: notes(except),
          unmatched: notes(unmatched),
          needless: keys(needless),
        };
        const all = [...chosen].map(user);
        const { kept, leftOut } = await leaveOut(all, rules);
        const isListed = ({ id }: Chat) => (never + except + unmatched + needless).includes(id);
        assert.deepEqual(
          kept,
          all.filter((one) => !isListed(one)),
        );
        assert.deepEqual(
          leftOut.map(({ kind, id }) => ({ kind, id })),
          all.filter(isListed),
        );
      }),
    );
  });
});
