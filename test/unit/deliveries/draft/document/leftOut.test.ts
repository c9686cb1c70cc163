import assert from 'node:assert/strict';
import { fixed, problemsOf, read, withBlock } from './read.ts';

/** What `where:` says: a line for each condition. */
const conditions = (...lines: string[]) =>
  read(withBlock('recipients: all.csv', 'where:', ...lines.map((line) => `  ${line}`))).where?.conditions.map(
    ({ column, values, isNot }) =>
      [isNot && 'not', column.name, values === 'present' ? values : `[${values.map(({ text }) => text)}]`]
        .filter(Boolean)
        .join(' '),
  );
const whereProblems = (...lines: string[]) => problemsOf(withBlock('recipients: all.csv', ...lines));

describe('The where: of a draft', () => {
  it('has a value, several, or any for a column, and what mustn’t hold below not:', () => {
    assert.deepEqual(
      conditions(
        'city: Berlin',
        'plan: [pro, " team "]',
        'email: present',
        'not:',
        '  country: DE',
        '  phone: present',
      ),
      ['city [Berlin]', 'plan [pro,team]', 'email present', 'not country [DE]', 'not phone present'],
    );
    assert.deepEqual(conditions('plan:', '  - pro', '  - team'), ['plan [pro,team]']);
  });

  it('keeps texts as they are written: numbers, Chinese, and a quoted “present”', () => {
    assert.deepEqual(conditions('code: 007', '城市: 北京', 'state: "present"', '"post code": 1_000'), [
      'code [007]',
      '城市 [北京]',
      'state [present]',
      'post code [1_000]',
    ]);
  });

  it('needs a recipient file, and something to compare', () => {
    assert.deepEqual(problemsOf(withBlock('groups: [1]', 'where:', '  city: Berlin')), [
      '<where> recipients is missing. where requires it.',
    ]);
    assert.deepEqual(whereProblems('where:'), ['<where> where has no value.']);
    assert.deepEqual(whereProblems('where: Berlin'), ['<Berlin> where must contain keys with values.']);
    assert.deepEqual(whereProblems('where:', '  city:', '  plan: []', '  tags: [{a: b}]', '  not:', '    x: ""'), [
      '<city> city has no value. To pick empty cells, write city: present below not:.',
      '<[]> plan has no value.',
      '<{a: b}> tags must be a single text value.',
      '<""> x has no value.',
    ]);
    assert.deepEqual(
      whereProblems('where:', '  city: a', '  city: b', '  not:', '    city: c', '    not: d', '  not:'),
      ['<city> Duplicate key city.', '<not> Duplicate key not.'],
    );
    assert.deepEqual(whereProblems('where:', '  city: a', '  not:'), ['<not> not has no value.']);
  });
});

describe('The except: of a draft', () => {
  it('names groups, people, audiences and a file, just as the block does', () => {
    const lines = [
      'groups: ["1"]',
      'people:',
      '  - 2',
      'audiences: [VIP list]',
      'recipients: past.csv',
      'kind: person',
    ];
    const { except, recipients } = read(withBlock('groups: [3]', 'except:', ...lines.map((line) => `  ${line}`)));
    assert.deepEqual(
      [except?.recipients, except?.audiences, recipients].map((all) =>
        all?.map((one) => ('name' in one ? one.name : `${one.kind} ${one.id}`)),
      ),
      [['group 1', 'user 2'], ['VIP list'], ['group 3']],
    );
    assert.deepEqual([except?.recipientFile?.path, except?.recipientFile?.kind], ['past.csv', 'user']);
  });

  it('has its problems where they are', () => {
    const inExcept = (...lines: string[]) => withBlock('groups: [3]', 'except:', ...lines.map((line) => `  ${line}`));
    assert.deepEqual(
      problemsOf(inExcept('people: [a b, 7, 7]', 'users: [1]', 'audiences: [customer]', 'kind: person')),
      [
        "<a b> This ID isn't valid. IDs can't be longer than 200 characters, or contain spaces, line breaks, or invisible characters.",
        'warning <7> 7 is listed twice.',
        '<users> Unknown key users.',
        "<customer> Audience customer isn't in your settings.",
        'warning <kind> kind has no effect without recipients.',
      ],
    );
    const empty = withBlock('groups: [1]', 'except:', 'people: [7]', 'bot: 2');
    assert.deepEqual(problemsOf(empty), [
      '<except> except has no keys. Indent those that belong to it further than except itself.',
    ]);
    assert.equal(fixed(empty), withBlock('groups: [1]', 'except:', '  people: [7]', 'bot: 2'));
    for (const other of [['bot: 2'], ['people:', '- 7']])
      assert.equal(fixed(withBlock('except:', ...other)), withBlock('except:', ...other));
    assert.deepEqual(problemsOf(withBlock('except: [7]')), ['<[7]> except must contain keys with values.']);
    assert.equal(read(inExcept('people: [a b]')).message, undefined);
    assert.match(fixed(withBlock('exclude:', '  people: [7]')), /\n {2}except:\n/);
    assert.match(fixed(withBlock('recipients: a.csv', 'filter:', '  city: x')), /\n {2}where:\n/);
  });
});
