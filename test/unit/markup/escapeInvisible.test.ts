import assert from 'node:assert/strict';
import { escapeAllInvisible, escapeInvisible, excerpt, keepCounts } from '../../../src/markup/escapeInvisible.ts';

describe('Escaping invisible characters', () => {
  const expectAll = (cases: Record<string, string>) => {
    for (const [text, expected] of Object.entries(cases))
      assert.equal(escapeInvisible(text), expected, JSON.stringify(text));
  };

  it('replaces each invisible character by its code point', () => {
    expectAll({
      'a\u0000b': 'a⟨U+0000⟩b',
      'a\u001B[31m': 'a⟨U+001B⟩[31m',
      'a\u007F\u0085\u009F': 'a⟨U+007F⟩⟨U+0085⟩⟨U+009F⟩',
      'a\u200B\u200E\u200Fb': 'a⟨U+200B⟩⟨U+200E⟩⟨U+200F⟩b',
      'holiday\u202Egpj.exe': 'holiday⟨U+202E⟩gpj.exe',
      '\u202A\u202B\u202C\u202D': '⟨U+202A⟩⟨U+202B⟩⟨U+202C⟩⟨U+202D⟩',
      '\u2060\u2066\u2067\u2068\u2069': '⟨U+2060⟩⟨U+2066⟩⟨U+2067⟩⟨U+2068⟩⟨U+2069⟩',
      'soft-\u00ADhyphen\uFEFF': 'soft-⟨U+00AD⟩hyphen⟨U+FEFF⟩',
      'a\u061Cb\u3164c\u2028d': 'a⟨U+061C⟩b⟨U+3164⟩c⟨U+2028⟩d',
      'a\u{E0068}\u{E0069}': 'a⟨U+E0068⟩⟨U+E0069⟩',
      'a\rb': 'a⟨U+000D⟩b',
    });
  });

  it("doesn't change visible text", () => {
    for (const text of ['', 'a\tb\nc', '商店 «é» ñ 𝔘', 'שלום مرحبا', '1️⃣ ❤️ ☺︎'])
      assert.equal(escapeInvisible(text), text, JSON.stringify(text));
  });

  it('normalizes line endings', () => {
    assert.equal(escapeInvisible('a\r\nb\r\n'), 'a\nb\n');
  });

  it('keeps joiners that scripts and emoji need', () => {
    const inWords = ['می\u200Cخواهم', 'क्\u200Dष', 'ක්\u200Dෂ', 'ന്\u200D'];
    const inEmoji = ['👩\u200D👩\u200D👧', '🏃🏽\u200D♂️', '❤️\u200D🔥', '🏳️\u200D🌈'];
    // Mongolian: its last letter is written apart.
    for (const text of [...inWords, ...inEmoji, 'ᠮᠣᠩᠭᠣᠯ\u180Eᠠ'])
      assert.equal(escapeInvisible(text), text, JSON.stringify(text));
  });

  it('escapes other joiners', () => {
    expectAll({
      'pay\u200Dpal': 'pay⟨U+200D⟩pal',
      'pay\u200Cpal': 'pay⟨U+200C⟩pal',
      'می\u200C\u200Cخ': 'می⟨U+200C⟩⟨U+200C⟩خ',
      '👩\u200Da': '👩⟨U+200D⟩a',
      '\u200D👩': '⟨U+200D⟩👩',
      'ᠯ\u180E\u180Eᠠ': 'ᠯ⟨U+180E⟩⟨U+180E⟩ᠠ',
      'pay\u180Epal': 'pay⟨U+180E⟩pal',
    });
  });

  const ordinary = [
    // Hebrew, as phones write it.
    'שלום\u200F!',
    'הפגישה מחר בשעה 10:00\u200F, נתראה.',
    '\u200Fבוקר טוב לכולם\u200F',
    'מה נשמע?\u200F\nGood morning',
    'הטלפון שלי: \u200E050-1234567',
    'תודה רבה ❤️\u200F',
    // Arabic, with dates and amounts.
    'الموعد ٢٥\u200F/١١\u200F/٢٠٢٦',
    'الاجتماع يوم 25\u200F/11\u200F/2026 الساعة 10',
    '٢٥\u200F/١١\u200F/٢٠٢٦',
    'السعر\u061C 100 ريال',
    // Persian.
    'نمی\u200Cخواهم کتاب\u200Cها را ببرم\u200F.',
    // Khmer, Thai, Lao and Burmese, where lines may break between words.
    'ខ្ញុំ\u200Bស្រលាញ់\u200Bភាសា\u200Bខ្មែរ។',
    'สวัสดี\u200Bครับ ยินดี\u200Bต้อนรับ',
    'ສະບາຍດີ\u200Bທຸກຄົນ',
    'မင်္ဂလာ\u200Bပါ',
    // German and Russian text from a page with soft hyphens.
    'Die Donau\u00ADdampf\u00ADschiff\u00ADfahrt, Bürger\u00ADmeister/innen.',
    'досто\u00ADпримеча\u00ADтельность',
    // A file from a Windows editor.
    '\uFEFFHello',
  ];

  it('keeps the marks that ordinary texts of a script need', () => {
    for (const text of ordinary) assert.equal(escapeInvisible(text), text, JSON.stringify(text));
  });

  it('escapes marks that could make an address, a file name or a number look like another', () => {
    const assertEscaped = (...texts: string[]) => {
      for (const text of texts) assert.match(escapeInvisible(text), /⟨U\+/, JSON.stringify(text));
    };
    assertEscaped('pay\u200Fpal', 'report\u200F.pdf', 'a\u200Eb', '\u200Fhi', 'Hello\u200F', '12\u200F34');
    assertEscaped('\u200E+972 50-123', 'שלום\u200Fexe.gpj', 'דוח\u200F.exe', 'קובץ (\u200Freport.exe)');
    assertEscaped('ראו https://a.example/\u200Fשלום', 'ב-Google\u200F.', 'שלום\u200F\u200F', 'שלום\u200F\u200E');
    assertEscaped('שלום\u202E', '\u2067שלום\u2069', '\u202Bשלום\u202C', 'שלום\u2060', 'pay\u200Bpal');
    assertEscaped('ไทย\u200B\u200Bไทย', 'ไทย\u200B', 'ไท\u200Bย.com', '微\u200B信', '微\u00AD信');
    assertEscaped('bank\u00AD.example', 'ba\u00ADnk.example', 'https://ba\u00ADnk', 'user_na\u00ADme');
    assertEscaped('a\u00AD\u00ADb', '\u00ADa', 'a\uFEFFb', 'שלום\uFEFF', 'שלום\u3164', 'שלום\u{E0061}');
  });

  it('escapes all marks but joiners in names, addresses and code', () => {
    for (const text of ordinary.filter((one) => !one.includes('نمی')))
      assert.match(escapeAllInvisible(text), /⟨U\+/, JSON.stringify(text));
    assert.equal(escapeAllInvisible('می\u200Cخواهم ❤️'), 'می\u200Cخواهم ❤️');
    assert.equal(excerpt('Pay\u00ADPal'), 'Pay⟨U+00AD⟩Pal');
    assert.equal(excerpt('שלום\u200F!', 300, escapeInvisible), 'שלום\u200F!');
  });

  it('keeps tag characters only in subdivision flags', () => {
    const england = '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}';
    assert.equal(escapeInvisible(england), england);
    assert.equal(escapeInvisible('\u{1F3F4}\u{E0067}'), '\u{1F3F4}⟨U+E0067⟩');
  });

  it('keeps one variation selector per character, and reveals text hidden in more', () => {
    assert.equal(escapeInvisible('☺\uFE0E'), '☺\uFE0E');
    assert.equal(escapeInvisible('☺\uFE0F\uFE01\u{E0101}'), '☺\uFE0F⟨U+FE01⟩⟨U+E0101⟩');
  });

  // Super-linear time makes the test time out.
  it('takes linear time for hostile text', () => {
    const marks = ['\u200D', '\u{1F3F4}\u{E0067}', '\u202E', 'א\u200F', '.\u200F', 'a\u00AD'];
    for (const text of [...marks, '्\u200D', 'ا\u200C', 'ไ\u200B']) escapeInvisible(text.repeat(200_000));
  });
});

describe('A number in Chinese', () => {
  it('stays on the line of what it counts', () => {
    assert.equal(keepCounts('发送给 7 个聊天（4 位用户），第 2 页'), '发送给 7\u00A0个聊天（4\u00A0位用户），第 2 页');
    assert.equal(keepCounts('7 days, 7 天'), '7 days, 7\u00A0天');
  });
});

describe('An excerpt', () => {
  it('is on one line, with an ellipsis if more follows', () => {
    assert.equal(excerpt('a\n b'), 'a b');
    assert.equal(excerpt('abcdef', 3), 'abc…');
    assert.equal(excerpt('abc👩\u200D👧', 6), 'abc…');
  });
});
