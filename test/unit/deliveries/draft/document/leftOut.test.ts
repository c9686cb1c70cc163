import assert from 'node:assert/strict';
import { hasMistake, hasProblems, haveMistakes, read, withBlock } from './read.ts';

/** What `where:` says: a line for each condition. */
const conditions = (...lines: string[]) =>
  read(withBlock('recipients: all.csv', 'where:', ...lines.map((line) => `  ${line}`))).where?.conditions.map(
    ({ column, values, isNot }) =>
      [isNot && 'not', column.name, values === 'present' ? values : `[${values.map(({ text }) => text)}]`]
        .filter(Boolean)
        .join(' '),
  );
const ofFile = (...lines: string[]) => withBlock('recipients: all.csv', ...lines);

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
    hasMistake(withBlock('groups: [1]', '‹where›:', '  city: Berlin'), 'recipients is missing. where requires it.');
    hasProblems(ofFile('‹where›:'), 'where has no value.');
    hasProblems(ofFile('where: ‹Berlin›'), 'where needs keys that are columns of the file.');
    hasProblems(
      ofFile('where:', '  ‹city›:', '  plan: ‹[]›', '  tags: [‹{a: b}›]', '  not:', '    x: ‹""›'),
      'city has no value. To pick empty cells, write city: present below not:.',
      'plan has no value.',
      'tags must be a single text value.',
      'x has no value.',
    );
    hasProblems(
      ofFile('where:', '  city: a', '  ‹city›: b', '  not:', '    city: c', '    not: d', '  ‹not›:'),
      'Duplicate key city.',
      'Duplicate key not.',
    );
    hasProblems(ofFile('where:', '  city: a', '  ‹not›:'), 'not has no value.');
    hasProblems(ofFile('where:', '  not: ‹Berlin›'), 'not needs keys that are columns of the file.');
    hasProblems(ofFile('where:', '  ‹[a]›: Berlin'), 'where must be a single text value.');
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
    assert.equal(namedBy.except?.recipientFile?.path, 'past.csv');
    assert.equal(namedBy.except?.recipientFile?.kind, 'user');
  });

  it('has its problems where they are', () => {
    const inExcept = (...lines: string[]) => withBlock('groups: [3]', 'except:', ...lines.map((line) => `  ${line}`));
    hasProblems(
      inExcept('people: [‹a b›, 7, ‹7›]', '‹users›: [1]', 'audiences: [‹customer›]', '‹kind›: person'),
      "This ID isn't valid. IDs can't be longer than 200 characters, or contain spaces, line breaks, or invisible characters.",
      'warning: 7 is listed twice.',
      'Unknown key users.',
      "Audience customer isn't in your settings.",
      'warning: kind has no effect without recipients.',
    );
    assert.equal(read(inExcept('people: [a b]')).message, undefined);
    haveMistakes('except has no keys. Indent those that belong to it further than except itself.', [
      ['groups: [1]\n‹except›:\npeople: [7]\nbot: 2', 'groups: [1]\nexcept:\n  people: [7]\nbot: 2'],
      ['‹except›:\nbot: 2'],
      ['‹except›:\npeople:\n- 7'],
    ]);
    haveMistakes('Unknown key exclude.', [['‹exclude›:\n  people: [7]', 'except:\n  people: [7]']]);
    haveMistakes('Unknown key filter.', [
      ['recipients: a.csv\n‹filter›:\n  city: x', 'recipients: a.csv\nwhere:\n  city: x'],
    ]);
  });

  it('needs keys, below which a fix puts a list', () => {
    haveMistakes('except needs keys, such as groups, people, audiences, recipients.', [
      ['except: ‹[7, 8]› # a', 'except: { people: [7, 8] } # a', 'except: { groups: [7, 8] } # a'],
      [
        'except:\n    # a\n    ‹- 7 # b\n    - 8›',
        'except:\n    # a\n    people:\n    - 7 # b\n    - 8',
        'except:\n    # a\n    groups:\n    - 7 # b\n    - 8',
      ],
      ['except: ‹[customers, VIP list]›', 'except: { audiences: [customers, VIP list] }'],
      ['except: ‹7›'],
      ['except: ‹[[7]]›'],
      ['except:\n‹- 7›'],
    ]);
    hasProblems(withBlock('except:', '    # a', '    people:', '    - 7 # b', '    - 8'));
  });
});
