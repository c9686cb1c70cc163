import assert from 'node:assert/strict';
import { byResult, candidateItems, idsProblem, lookupItem, problemText } from '../../../src/presentation/candidates.ts';
import { listItem } from '../../../src/presentation/dialogs.ts';
import { idProblemText, isTableWithoutIds } from '../../../src/presentation/recipientCsv.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { bot, group, user } from './resources.ts';

describe('Typed IDs', () => {
  it('are refused with what to change, unless they can be looked up', () => {
    for (const [text, problem] of [
      ['7058314, big', undefined],
      ['x'.repeat(200), undefined],
      [' ,', 'Enter at least one ID.'],
      ['30481126 BOT_TOKEN=0a1b2c3d4e5f', 'A token is in this text. Enter only IDs.'],
      ['id,name\n7058314,Ann', 'Enter only the IDs, without names of columns and other words.'],
      ['x'.repeat(201), "An ID can't be longer than 200 characters."],
    ] as const)
      assert.equal(idsProblem(text), problem, text);
    assert.match(idsProblem('big 7.058314E+6') ?? '', /^A spreadsheet has changed this number: 7\.058314E\+6\. /);
  });

  it('are none in a table, even if that cannot be read', () => {
    const assertTable = (...texts: string[]) => {
      for (const text of texts) assert.ok(isTableWithoutIds(text), text);
    };
    assertTable('<td>7058314</td>', '<Cell ss:a="b">7</Cell>', 'id,name\n7058314,Ann', 'name id', '名称\tID');
    assertTable('{"id": 7058314, "name": "Ann"}', '- id: 7058314\n  name: Ann', 'sep=;\n7058314;Ann');
    assertTable('7058314,Ann\n7102649,Ben', 'Kunde;Nr\nAnn;7058314\nBen;7102649');
    assertTable('[{"id":"7058314","name":"Ann"},{"id":"7102649","name":"Ben"}]', "[{ id: '7058314', kind: 'user' }]");
    assertTable('[\n  {\n    "name": "Ann",\n    "id": 7058314\n  }\n]', 'ID: 7058314\nName: 张伟\n');
    assertTable('| Name | User |\n|---|---|\n| Ann | 7058314 |');
    for (const text of [
      '7058314\n7102649',
      '7058314, 7102649\n88123001, 88123002',
      'id: 7058314',
      '<7058314>',
      '{"ids":["7058314"]}',
      '[{"id":"7058314"}]',
      'Group ID: 7058314',
      'ID：7058314，QQ：7058314',
      'big, small',
    ])
      assert.ok(!isTableWithoutIds(text), text);
  });
});

describe('A cell that is no ID', () => {
  it('says why', () => {
    assert.equal(idProblemText('malformed', ''), 'The ID is missing.');
    assert.match(idProblemText('malformed', '—'), /^This ID isn't valid/);
    assert.equal(idProblemText('several', 'a b'), "a b isn't one ID. Give each ID a row of its own.");
    assert.equal(idProblemText('token', 'x'), 'This is a token, not an ID.');
    assert.equal(idProblemText('unclear', '+7'), "+7 isn't clearly an ID. Remove what isn't part of it.");
    assert.equal(idProblemText('address', 'x'), 'This is a link, not an ID.');
    assert.match(idProblemText('changed', '7'.repeat(99)), /: 7{60}…\. Enter the ID again/);
  });
});

describe('Results of lookups', () => {
  it('are those that were found, that do not exist, and that failed, in this order', () => {
    const failed = { error: new ServiceError({ kind: 'timedOut', after: 1_000 }), name: 'failed' };
    const results = [failed, { name: 'missing' }, { name: 'found', found: user({}) }];
    const items = byResult(results, ({ name }) => listItem({ label: name }));
    const labels = items.map(({ label }) => label);
    assert.deepEqual(labels, ['Found', 'found', "Doesn't exist", 'missing', 'Lookup failed', 'failed']);
  });

  describe('in a list', () => {
    const ann = user({ nickname: 'Ann', isVip: 1 });
    const known = {
      labelOf: (_: unknown, id: string) => (id === '7' ? 'Annie' : undefined),
      peek: (_: unknown, id: string) => (id === '7' ? ann : undefined),
    };
    const shown = ({ label, description, detail }: { label: string; description?: string; detail?: string }) =>
      [label, description, detail].filter(Boolean).join(' | ');

    it('have the names that are known, and say what is known of them, or why nothing is', () => {
      const items = candidateItems(
        [
          { id: '7', kind: 'user', found: ann },
          { id: '9', kind: 'user' },
        ],
        known,
      );
      assert.deepEqual(items.map(shown), [
        'Found',
        '$(account) Annie | Ann · 7 · VIP',
        "Doesn't exist",
        '$(warning) 9 | No person, bot, or group has the ID 9.',
      ]);
    });

    it('say as what each would be added', () => {
      const chats = [{ chat: { kind: 'user', id: '7' }, found: ann }, { chat: { kind: 'group', id: '9' } }] as const;
      const items = chats.map((one) => lookupItem(one, known));
      assert.deepEqual(items.map(shown), [
        '$(account) Annie | Ann · 7 · add as a person | VIP',
        '$(organization) 9 | 9 · add as a group | No person, bot, or group has the ID 9.',
      ]);
      assert.deepEqual(
        items.map(({ chat }) => chat),
        chats.map(({ chat }) => chat),
      );
    });
  });

  it('say what has an ID instead', () => {
    for (const [instead, kind] of [
      [group({ name: 'Ann' }), 'group'],
      [bot({ nickname: 'Ann' }), 'bot'],
      [user({ nickname: 'Ann' }), 'person'],
    ] as const) {
      const text = problemText({ id: '7', instead });
      assert.equal(text, `This is the ID of a ${kind}: Ann. No person, bot, or group has the ID 7.`);
    }
  });
});
