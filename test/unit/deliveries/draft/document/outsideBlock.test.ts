import assert from 'node:assert/strict';
import { fixed, problemsOf, read } from './read.ts';

const outside = (key: string) =>
  `<${key}> ${key} is outside the chat: block, so it would be ignored. Indent it below chat: with spaces.`;
const indented = '---\nchat:\n  groups: [518204736]\n  except:\n    people: [7058314]\n---\nHi';

describe('Keys of a block that stand outside it', () => {
  it('are errors if the block is empty: they have lost their indentation', () => {
    const text = '---\nchat:\ngroups: [518204736]\nexcept:\n  people: [7058314]\n---\nHi';
    assert.deepEqual(problemsOf(text), [outside('groups'), outside('except')]);
    assert.equal(read(text).message, undefined);
    assert.equal(fixed(text), indented);
    const fixes = read(text).problems.map((problem) => problem.fixes?.map(({ title }) => title));
    assert.deepEqual(fixes, [['Indent below chat:'], ['Indent below chat:']]);
    const more = '---\r\ntitle: a\r\nchat: # who\r\nbot: 1\r\n\r\npeople:\r\n- 7\r\ntags: [a]\r\n---\r\nHi';
    assert.equal(fixed(more), more.replace('bot', '  bot').replace('people:\r\n- 7', '  people:\r\n  - 7'));
    assert.deepEqual(problemsOf(fixed(more)), []);
    const all = '---\n  chat:\n  groups: [518204736]\n  except:\n    people: [7058314]\n---\nHi';
    assert.equal(fixed(all), '---\n  chat:\n    groups: [518204736]\n    except:\n      people: [7058314]\n---\nHi');
  });

  it('are errors if other blanks than spaces are before them', () => {
    for (const [one, two] of [
      ['\u3000', '\u3000\u3000'],
      ['\u00A0\u00A0', '\u00A0\u00A0\u00A0\u00A0'],
      ['\u2003\u2003', '\u2003\u2003\u2003\u2003'],
    ]) {
      const text = `---\nchat:\n${one}groups: [518204736]\n${one}except:\n${two}people: [7058314]\n---\nHi`;
      assert.ok(problemsOf(text).includes(outside('except')), JSON.stringify(text));
      assert.equal(read(text).message, undefined);
      assert.equal(fixed(text), indented);
    }
    const mixed = '---\nchat:\n    groups: [1]\n\u3000\u3000people: [2]\n---\nHi';
    assert.deepEqual(problemsOf(mixed), [outside('people')]);
    assert.equal(fixed(mixed), '---\nchat:\n    groups: [1]\n    people: [2]\n---\nHi');
  });

  it('are errors if they say who gets nothing, wherever they are', () => {
    const above = '---\nexcept:\n  people: [7058314]\ntitle: a\nchat:\n  groups: [518204736]\n---\nHi';
    assert.deepEqual(problemsOf(above), [outside('except')]);
    const below = '---\nchat:\n  groups: [518204736]\nexcept:\n  people: [7058314]\n---\nHi';
    assert.deepEqual(problemsOf(below), [outside('except')]);
    assert.equal(fixed(below), indented);
    const where = '---\nchat:\n    recipients: a.csv\nwhere:\n  city: Berlin\ntitle: a\n---\nHi';
    assert.deepEqual(problemsOf(where), [outside('where')]);
    assert.equal(fixed(where), where.replace('where:\n  city', '    where:\n      city'));
  });

  it('are warnings right below a block, unless they may be those of a page', () => {
    const text = (key: string) => `---\nchat:\n  groups: [1]\n${key}\n---\nHi`;
    assert.deepEqual(problemsOf(text('people: [2]')), [`warning ${outside('people')}`]);
    assert.deepEqual(problemsOf(text('type: html')), [`warning ${outside('type')}`]);
    assert.deepEqual(read(text('people: [2]')).message, { contentType: 'markdown', content: { text: 'Hi' } });
    for (const key of ['type: post', 'kind: essay', 'groups: [2]', 'title: a\npeople: [2]', 'people:'])
      assert.deepEqual(problemsOf(text(key)), [], key);
    assert.deepEqual(problemsOf('---\npeople: [2]\nchat:\n  groups: [1]\n---\nHi'), []);
  });

  it('are errors without a block, if they say who gets something and who doesn’t', () => {
    const text = (...lines: string[]) => ['---', ...lines, '---', 'Hi'].join('\n');
    const except = text('groups: [518204736]', 'except:', '  people: [7058314]');
    const said = 'is ignored, because there is no line with chat: above these keys.';
    assert.deepEqual(problemsOf(except), [`<except> except ${said}`]);
    assert.equal(read(except).message, undefined);
    assert.equal(fixed(except), indented);
    assert.equal(
      fixed(text('title: a', 'groups: [1]', 'except: {people: [7]}')),
      text('title: a', 'groups: [1]', 'except: {people: [7]}'),
    );
    assert.deepEqual(problemsOf(text('recipients: a.csv', 'where: {city: Berlin}')), [`<where> where ${said}`]);
    for (const other of [['where: Berlin', 'type: post'], ['except: {a: b}'], ['groups: [1]', 'people: [2]']])
      assert.deepEqual(problemsOf(text(...other)), [], other.join());
  });
});
