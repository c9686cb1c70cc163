import assert from 'node:assert/strict';
import { Audiences, audienceNamed, parseAudiences } from '../../../src/platform/audiences.ts';
import type { Chat } from '../../../src/service/model.ts';
import { configure, configureWorkspace, written } from '../test-service.ts';

const read = (setting: unknown) => {
  const { audiences, unreadable } = parseAudiences(setting);
  return { audiences: Object.fromEntries(audiences), unreadable: Object.fromEntries(unreadable) };
};
const group = (id: string): Chat => ({ kind: 'group', id });
const user = (id: string): Chat => ({ kind: 'user', id });

describe('The audiences in a setting', () => {
  it('are named lists of groups and people', () => {
    const setting = {
      customers: { groups: ['518204736', 'big'], people: ['7058314'] },
      顾客: { people: ['7102649'] },
      nobody: {},
    };
    assert.deepEqual(read(setting), {
      audiences: {
        customers: [group('518204736'), group('big'), user('7058314')],
        顾客: [user('7102649')],
        nobody: [],
      },
      unreadable: {},
    });
  });

  it('may list IDs as safe integers, and have no duplicates', () => {
    const setting = {
      all: { groups: [518204736, ' 518204736 ', '５１８２０４７３６', 9007199254740991], people: [518204736] },
    };
    assert.deepEqual(read(setting).audiences, {
      all: [group('518204736'), group('9007199254740991'), user('518204736')],
    });
  });

  it('are found by their names, even if these are written in another form, but first as they are', () => {
    const [short, long] = ['Jos\u00E9', 'Jose\u0301'];
    const all = [[long], [short], [short, long], [long, short]].map((names) =>
      [short, ` ${long} `].map(audienceNamed(names)),
    );
    assert.deepEqual(all.slice(0, 2), [
      [long, long],
      [short, short],
    ]);
    assert.deepEqual([all[2]?.[0], all[3]?.[0]], [short, short]);
    assert.equal(audienceNamed([short])('jose'), 'jose');
  });

  it('are reported as unreadable with every part that is invalid', () => {
    const bad = {
      a: { groups: ['1', ''] },
      b: { groups: [2 ** 53] },
      c: { people: [1.5] },
      d: { people: '7058314' },
      e: ['7058314'],
      f: null,
      g: { groups: ['1'], persons: ['2'] },
      h: { groups: [null] },
      i: { groups: ['1\n2'] },
      j: { people: ['7058\u200b314', '7058314,7102649', '7102649'] },
    };
    assert.deepEqual(read({ ...bad, good: { groups: ['1'] } }), {
      audiences: { good: [group('1')] },
      unreadable: {
        a: [''],
        b: [2 ** 53],
        c: [1.5],
        d: [{ people: '7058314' }],
        e: [['7058314']],
        f: [null],
        g: ['persons'],
        h: [null],
        i: ['1\n2'],
        j: ['7058\u200b314', '7058314,7102649'],
      },
    });
  });

  it('are none if there is no setting, and can’t be read if it isn’t an object', () => {
    for (const setting of [undefined, null]) assert.deepEqual(read(setting), { audiences: {}, unreadable: {} });
    for (const setting of [7, 'customers', true, [], ['7058314'], [{ people: ['7058314'] }]])
      assert.deepEqual(read(setting), { audiences: {}, unreadable: { 'botChats.audiences': [setting] } });
  });
});

describe('Audiences', () => {
  const audiences = new Audiences();
  afterEach(async () => {
    await configure({ audiences: undefined });
    await configureWorkspace('audiences', undefined);
  });

  it('are those of the workspace and the user, each saved where it is defined, and new ones for the user', async () => {
    await configure({ audiences: { staff: { people: ['7'] } } });
    audiences.check();
    await configureWorkspace('audiences', { shop: { groups: ['1'] } });
    audiences.check();
    assert.deepEqual(audiences.names().toSorted(), ['shop', 'staff']);
    assert.deepEqual(audiences.get('shop'), [group('1')]);
    assert.equal(audiences.get('nobody'), undefined);
    await audiences.save('shop', [group('2')]);
    await audiences.save('new', [user('8')]);
    assert.deepEqual(written('audiences'), {
      workspace: { shop: { groups: ['2'], people: [] } },
      user: { staff: { people: ['7'] }, new: { groups: [], people: ['8'] } },
    });
  });

  it('are not saved over something else in the setting', async () => {
    const failure = { name: 'InvalidSettingError', setting: 'botChats.audiences' };
    await configure({ audiences: { staff: { people: ['7'] } } });
    await configureWorkspace('audiences', ['7']);
    assert.throws(() => audiences.check(), failure);
    await assert.rejects(audiences.save('staff', []), failure);
    assert.deepEqual(written('audiences'), { workspace: ['7'], user: { staff: { people: ['7'] } } });
  });
});
