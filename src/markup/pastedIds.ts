/** Finds IDs in what people type, paste or drop: lists, tables, sentences. Pure. */

/** White space, commas, semicolons, bars, quotes, brackets, Chinese punctuation and invisible characters separate IDs. */
const WORD =
  /[^\p{C}\p{Z}\p{DI}\u2800,;|"'“”‘’`[\]{}<>—…·•\u3001-\u3004\u3008-\u3020\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65\u2460-\u249B\u2776-\u2793]+/gu;

const SPACE = '[^\\S\\r\\n]';
const BETWEEN = ',;|，；、\\t\\r\\n';
/** The rest up to a number that may be an ID. Lengths are limited, so that no text takes long. */
const upTo = (end: string, length: number) => `(?:(?!\\d{5})[^${end}]){0,${length}}`;

/** Words beside IDs that are no IDs, as their form shows. */
const NOTES = new RegExp(
  [
    // A name before a number in brackets, and a label before a number: Ann (7058314), Group 2: 518204736
    `(?<=^|[${BETWEEN}>)）:：])${upTo(`${BETWEEN}<>()（）:：`, 50)}(?=[<(（]\\d{5,30}[>)）]|(?::\\s|：)\\s{0,5}\\d{5})`,
    // The box or the number of an item: - [x], 1️⃣, 1. and 2、
    '(?<!\\d)\\d\\uFE0F?\\u20E3',
    '(?<!\\S)\\d{1,3}[.)](?=\\d{6,30}(?![\\d.,e]))',
    `^${SPACE}{0,20}[-*+•]${SPACE}\\[[ x]\\]${SPACE}`,
    '(?<!\\S)(?:[(（]\\d{1,3}[)）]|\\d{1,3}(?:[.)](?=\\s)|[．）]))(?=[^\\r\\n]{0,50}\\d{5})',
    `^${SPACE}{0,20}\\d{1,3}、(?=[^、\\r\\n]{0,50}\\d{5})`,
    // Text that runs into a number: id=518204736, @7058314
    '(?<![a-z\\d?&/#.=])[a-z_-]{0,20}(?:id|qq)[:=](?=\\d{5})|(?<=\\p{Lo})(?:id|qq)(?=\\d{5})',
    '(?<![^\\s<(（])(?:[@#]|No\\.)(?=\\d{5})',
    // A remark after a number, a heading or a comment, and a line break of a table.
    `(?<=\\d{5}${SPACE}?)[(（]${upTo('()（）\\r\\n', 100)}[)）]`,
    `(?<!\\S)#{1,6}${SPACE}${upTo('#\\r\\n', 200)}$`,
    '<br ?/?>',
  ].join('|'),
  'giu',
);
/** Bold, italic or struck out in Markdown. Stars may also hide digits: 7058****. */
const EMPHASIS =
  /(?<![\w*])(\*{1,3})([^\s*][^*\n]{0,200})\1(?![\w*])|(?<![\w~])(_{1,3}|~~)([^\s_~][^_~\n]{0,200})\3(?![\w~])/g;

/** A line with blanks in place of text that is no ID. */
const withoutNotes = (line: string) =>
  line.replace(NOTES, blank).replace(EMPHASIS, (_, stars?: string, bold = '', marks = '', other = '') => {
    return stars ? blank(stars) + bold + blank(stars) : blank(marks) + other + blank(marks);
  });

const blank = (text: string) => ' '.repeat(text.length);

/** The borders of words: Chinese runs into the text beside it, as in 群号:518204736, and long numbers have strokes between. */
const PARTING =
  /(?<=\d{5})[/\\&+→](?=\d{5})|(?<=\p{Lo})[.:!?()]|[.:!?()](?=\p{Lo})|(?<=[\p{Lo}\p{So}※]|^:)(?=\d{5})|(?<=\d{5})(?=[\p{Lo}\p{So}])/u;
const SENTENCE_END = /(?<![.:!?])[.:!?]+$/;
/** After a word, or after the name of a field in JSON. */
const COLON = /^["'”]?[:：]/;
/** Before the value of an attribute. */
const QUOTE = /^["'“‘]/;
const PARENTHESES = /^\(+|(?<!\))\)+$/g;
/** Letters and digits that an input method for Chinese made wide. */
const WIDE = /[０-９Ａ-Ｚａ-ｚ]+/g;

/** A text with wide letters and digits made narrow. Its length stays. */
export const narrow = (text: string) => text.replace(WIDE, (wide) => wide.normalize('NFKC'));

/**
 * The IDs in a text, one by one, and where the words that they are in begin. Any word may be an ID. But in a text with a
 * digit, words without one are labels if a value follows, if they are Chinese or `ID`, or if they have no letters. What
 * numbers, names or explains a long number isn't an ID, either.
 */
export function* idsIn(text: string): Generator<{ readonly id: string; readonly at: number }> {
  const hasNumber = /\p{Nd}/u.test(text);
  for (const { 0: line, index: start } of text.matchAll(/[^\r\n]+/g)) {
    for (const { 0: found, index } of withoutNotes(line).matchAll(WORD)) {
      const end = index + found.length;
      const isName =
        /:$/.test(found) ||
        COLON.test(line.slice(end, end + 2)) ||
        (/=$/.test(found) && QUOTE.test(line.slice(end, end + 1)));
      for (const part of found.split(PARTING)) {
        const word = narrow(part.replace(SENTENCE_END, ''));
        const id = word.lastIndexOf('(') > 0 ? word : word.replace(PARENTHESES, '');
        const isLabel = hasNumber && !/\p{Nd}/u.test(id) && (isName || /\p{Lo}|^\P{L}*$|^id$/iu.test(id));
        if (id !== '' && !isLabel) yield { id, at: start + index };
      }
    }
  }
}

/** The IDs in typed or pasted text, without duplicates. */
export const parseIds = (text: string): string[] => [...new Set(Array.from(idsIn(text), ({ id }) => id))];
