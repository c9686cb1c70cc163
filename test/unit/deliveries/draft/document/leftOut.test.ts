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
    assert.deepEqual(whereProblems('where: Berlin'), ['<Berlin> where needs keys that are columns of the file.']);
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
    const { namedBy, recipients } = read(withBlock('groups: [3]', 'except:', ...lines.map((line) => `  ${line}`)));
    assert.deepEqual(
      [namedBy.except?.recipients, namedBy.except?.audiences, recipients].map((all) =>
        all?.map((one) => ('name' in one ? one.name : `${one.kind} ${one.id}`)),
      ),
      [['group 1', 'user 2'], ['VIP list'], ['group 3']],
    );
    assert.deepEqual([namedBy.except?.recipientFile?.path, namedBy.except?.recipientFile?.kind], ['past.csv', 'user']);
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
    assert.equal(read(inExcept('people: [a b]')).message, undefined);
    assert.match(fixed(withBlock('exclude:', '  people: [7]')), /\n {2}except:\n/);
    assert.match(fixed(withBlock('recipients: a.csv', 'filter:', '  city: x')), /\n {2}where:\n/);
  });

  it('needs keys, below which a fix puts a list', () => {
    const said = 'except needs keys, such as groups, people, audiences, recipients.';
    const inline = withBlock('except: [7, 8] # a');
    assert.deepEqual(problemsOf(inline), [`<[7, 8]> ${said}`]);
    assert.equal(fixed(inline, 0), withBlock('except: { people: [7, 8] } # a'));
    assert.equal(fixed(inline, 1), withBlock('except: { groups: [7, 8] } # a'));
    const lines = withBlock('except:', '    # a', '    - 7 # b', '    - 8');
    assert.equal(fixed(lines), withBlock('except:', '    # a', '    people:', '    - 7 # b', '    - 8'));
    assert.deepEqual(problemsOf(fixed(lines)), []);
    const audiences = withBlock('except: [customers, VIP list]');
    assert.equal(fixed(audiences), withBlock('except: { audiences: [customers, VIP list] }'));
    for (const other of [['except: 7'], ['except: [[7]]'], ['except:', '- 7']]) {
      assert.match(problemsOf(withBlock(...other)).join(), /^<[^>]*> except needs keys/);
      assert.equal(fixed(withBlock(...other)), withBlock(...other));
    }
  });
});
