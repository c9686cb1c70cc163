import assert from 'node:assert/strict';
import { candidatePattern, idAt } from '../../../src/ids/findIds.ts';
import { matcherFor, onlyKnown, UNKNOWN } from './marked.ts';

const KNOWN = matcherFor(['big', 'a-b_c', '12', '12345678901', '0f8c', '7058314', '_x']);

/**
 * Asserts that the pointer at | finds the part in «», or nothing if there is none. The marks aren't part of the line.
 */
function assertFound(marked: string): void {
  const pointer = marked.replace(/[«»]/g, '').indexOf('|');
  const quoted = marked.replace('|', '');
  const line = quoted.replace(/[«»]/g, '');
  const start = quoted.indexOf('«');
  const end = quoted.indexOf('»') - 1;
  const expected = start < 0 ? undefined : { id: line.slice(start, end), start, end };
  assert.deepEqual(idAt(line, pointer, KNOWN), expected, marked);
}

const assertAll = (lines: string[]) => lines.forEach(assertFound);

describe('The ID at the pointer', () => {
  it('is 6 to 10 digits that stand alone', () => {
    assertAll(['«12|3456»', '«1234|567»', '«3048|1126»', '«51820|4736»', '«12345|67890»']);
    assertAll(['12|345', '1|2345', '123456|78902', '1234567890123|45', '']);
  });

  it('is found from its first character to the end of its last', () => {
    assertAll(['see «|518204736» now', 'see «5|18204736» now', 'see «51820473|6» now', 'see «518204736|» now']);
    assertAll(['|«518204736»', '«518204736|»', '«518204736»|']);
    assertAll(['se|e 518204736 now', 'see| 518204736 now', 'see 518204736 |now', 'see 518204736 no|w', '| 518204736']);
  });

  it('is the one under the pointer if there are several', () => {
    assertAll(['«7230|581» 7102649', '7230581 «7102|649»', '7230581 «|7102649»', '«7230581|» 7102649']);
  });

  it('may be in quotes, brackets or code, or at the end of a sentence', () => {
    assertAll(['"«7230|581»"', "'«7230|581»'", '(«7230|581»)', '[«7230|581»]', '<«7230|581»>', '`«7230|581»`']);
    assertAll([
      'to «7230|581».',
      'to «7230|581», please',
      'is it «7230|581»?',
      '«7230|581»!',
      '«7230|581»: Tom',
      '«7230|581»;',
    ]);
    assertAll(['**«7230|581»**', '│ «7230|581» │', '@«7230|581»', '"groupId": "«7230|581»",', '- «7230|581»']);
  });

  it('may touch Chinese text', () => {
    assertAll([
      '请问群«5182|04736»是谁的',
      '群«518204736|»。',
      '「«5182|04736»」',
      '用户：«7230|581»，机器人：30481126',
      '«7230|581»的群',
    ]);
    assertAll(['用|户7230581', '7230581的|群']);
  });

  it('has offsets in UTF-16 units', () => {
    assertAll(['👋🏽 «7230|581»', '𠮷«7230|581»𠮷']);
  });

  it('isn’t part of a word or a longer number', () => {
    assertAll(['a723|0581', '7230|581a', 'x-7230|581', '7230|581-1', '7230|581_', '2026-0|5-01', '20260501T12|0000Z']);
  });

  it('isn’t part of a decimal or a time', () => {
    assertAll(['3.141|592', '31415|9.2', '0.5182|04736', '1.123456|.2', '12:345|678', '345|678:12', 'x 1234567|,89']);
  });

  it('may follow a comma, a colon or an equals sign in data', () => {
    assertAll(['1,«2345|678»', '«12345|67»,890', 'id:«7230|581»', 'id=«7230|581»', '1,«7230|581»,Tom', '«7230|581»,1']);
  });

  it('isn’t an amount of money or a percentage', () => {
    assertAll(['$1234|567', '€1234|567', '¥1234|567', '£1234|567', '1234|567%']);
  });

  it('isn’t a telephone number', () => {
    assertAll(['+4420794|6095', '+44207946|0']);
  });

  it('isn’t a version, hash, color or issue', () => {
    assertAll(['1.2.2026|0501', 'v2026|0501', '#1234|56', '#5182|04736', '0f8c1d2|e', '1234567|e8', '0x1234|56']);
  });

  it('isn’t part of a path or a URL', () => {
    assertAll(['a/7230|581', '7230|581/b', 'C:\\7230|581', '7230|581\\b', 'https://chat.example/u/7230|581']);
    assertAll(['?id=7230|581', '?a=1&7230|581', '?a=1&id=7230|581', '%7230|581']);
  });
});

describe('The known ID at the pointer', () => {
  it('may look like anything', () => {
    assertAll(['in «b|ig» letters', '«|big»', '«big|»', '«a-b|_c»', '«1|2»', '«12345|678901»', '«0f|8c»', '«|_x»']);
    assertAll(['群«b|ig»的', '"«b|ig»"', '«b|ig».', '«big|»,big']);
  });

  it('is found where an unknown number isn’t', () => {
    assertAll(['/«7058|314»/', '#«7058|314»', '+«7058|314»', '?id=«7058|314»', '«7058|314».md', '$«7058|314»']);
  });

  it('isn’t part of a longer word', () => {
    assertAll(['b|igger', 'too_b|ig', 'b|ig-ger', '1|23', 'Bi|g', '70583|140000000', '7058|314.5', '3.1|2']);
  });

  it('is looked for only in the word under the pointer', () => {
    const asked = new Set<string>();
    const isKnown = (id: string) => asked.size < asked.add(id).size;
    idAt('one two-2 three', 6, { candidates: candidatePattern([]), isKnown });
    assert.deepEqual([...asked], ['two-2']);
  });
});

describe('A line', () => {
  it('has no ID beyond its ends', () => {
    const one = onlyKnown('7230581', '');
    for (const offset of [-1, 8, 100]) assert.equal(idAt('7230581', offset, one), undefined);
    assert.equal(idAt('', 0, one), undefined);
  });

  it('is read only around the pointer, however long it is', () => {
    const lengths: number[] = [];
    const candidates = Object.assign(candidatePattern([]), {
      [Symbol.matchAll](text: string) {
        lengths.push(text.length);
        return RegExp.prototype[Symbol.matchAll].call(this, text);
      },
    });
    for (const far of [' x'.repeat(2_000_000), 'x'.repeat(4_000_000), '7'.repeat(4_000_000)]) {
      const line = `${far} 7230581 ${far}`;
      const expected = { id: '7230581', start: 4_000_001, end: 4_000_008 };
      assert.deepEqual(idAt(line, 4_000_003, { ...UNKNOWN, candidates }), expected);
      assert.equal(idAt(line, 2_000_000, { ...UNKNOWN, candidates }), undefined);
    }
    assert.ok(lengths.length === 6 && Math.max(...lengths) <= 512, String(lengths));
  });

  it('has no ID longer than 128 UTF-16 units', () => {
    const [longest, longer] = ['7'.repeat(128), '7'.repeat(129)];
    const matcher = onlyKnown(longest, longer);
    assert.equal(idAt(`x ${longest} x`, 2, matcher)?.id, longest);
    assert.equal(idAt(`x ${longest} x`, 130, matcher)?.id, longest);
    assert.equal(idAt(`x ${longer} x`, 9, matcher), undefined);
  });

  it('is read far enough from both ends of the longest ID', () => {
    const id = '7'.repeat(128);
    const matcher = matcherFor([], '[0-9]+');
    for (const line of [`#${id}`, `${id}.5`, `${id} 元`, `€ ${id}`])
      for (const within of [0, 128]) assert.equal(idAt(line, line.indexOf(id) + within, matcher), undefined, line);
  });
});
