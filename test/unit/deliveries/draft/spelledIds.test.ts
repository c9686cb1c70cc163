import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseDraft } from '../../../../src/deliveries/draft/document/parseDraft.ts';
import { parseAudiences } from '../../../../src/platform/audiences.ts';
import { addNever, parseNever, removeNever } from '../../../../src/platform/neverList.ts';
import { readRecipientCsv, readRow } from '../../../../src/presentation/recipientCsv.ts';
import type { Chat } from '../../../../src/service/model.ts';

const wide = (text: string) =>
  text.replace(/[!-~]/g, (character) => String.fromCodePoint(character.charCodeAt(0) + 0xfee0));
const grouped = (separator: string) => (id: string) => id.replace(/\B(?=(?:\d{3})+$)/g, separator);
const around = (before: string, after: string) => (id: string) => before + id + after;
const inside = (character: string) => (id: string) => id.slice(0, 3) + character + id.slice(3);

/** What people, programs and input methods make of an ID. */
const SPELLINGS: readonly ((id: string) => string)[] = [
  wide,
  ...['"', "'", '`', '*', '**', '_', '~~', '"""'].map((mark) => around(mark, mark)),
  ...['()', '（）', '[]', '【】', '<>', '《》', '{}', '“”', '‘’', '「」'].map(([open = '', close = '']) =>
    around(open, close),
  ),
  ...["'", '#', '＃', '@', '<@', 'id=', 'ID: ', 'QQ:', '群', 'No.'].map((before) => around(before, '')),
  ...['- ', '- [x] ', '1. ', '1、', '=', '+', '0', '$'].map((before) => around(before, '')),
  ...['.', '。', ',', '，', ';', '、', '!', '！', ':', '?', '…', '...', '号', '.0', ',00', '%', '€', '/', '\\'].map(
    (after) => around('', after),
  ),
  ...['(Ann)', ' (Ann)', '（张三）', ' Ann', ' # Ann', ' - Ann', '/Ann', '<br>'].map((after) => around('', after)),
  ...['Ann (', 'Ann Lee <', '张三（'].map((before) =>
    around(before, { '(': ')', '<': '>', '（': '）' }[before.slice(-1)] ?? ''),
  ),
  ...[',', '.', ' ', "'", '’', '\u00A0', '-', '_'].map(grouped),
  ...['\u200B', '\u202E', '\u00AD', '\uFEFF', '\u2800', '\u0007', '\t', '\n', ' '].flatMap((character) => [
    around(character, ''),
    around('', character),
    inside(character),
  ]),
  ...['https://a.example/', 'vscode://bot-chats.bot-chats/open?', 'www.a.example/?id=', 'mailto:'].map((before) =>
    around(before, ''),
  ),
  around('[Ann](https://a.example/', ')'),
  around('="', '"'),
  (id) => Number(id.replace(/\D/g, '')).toExponential(4).toUpperCase(),
  (id) => `${id.slice(0, -2)}…`,
  (id) => JSON.stringify({ id }),
];

describe('A spelling of an ID', () => {
  const id = fc.oneof(
    fc.integer({ min: 10_000, max: 999_999_999 }).map(String),
    fc.constantFrom('7', '007', 'big', 'a-1', 'x_9', 'Ann', '张三', '90071992547409931', 'oc_5f3a.b'),
  );
  const spelled = fc
    .tuple(id, fc.array(fc.constantFrom(...SPELLINGS), { maxLength: 3 }))
    .map(([one, ways]) => ways.reduce((text, way) => way(text), one));
  const several = fc
    .tuple(spelled, fc.constantFrom(',', '，', '、', ';', ' ', '|', '/', '\n', '\t', ' and ', '~', '..'), spelled)
    .map(([one, between, other]) => one + between + other);
  // A row that says `id` names the columns again.
  const isHead = (text: string) => /^\P{L}*id\P{L}*$/iu.test(text.normalize('NFKC'));
  const spelling = fc
    .oneof({ weight: 3, arbitrary: spelled }, several, fc.string({ unit: 'binary', maxLength: 8 }))
    .filter((text) => !isHead(text));

  /** The ID that a file with nothing but this cell has; undefined if the cell isn't one ID. */
  async function idInFile(text: string): Promise<string | undefined> {
    const csv = await readRecipientCsv(`id,name\n"${text.replaceAll('"', '""')}",Ann\n`);
    const [row, ...others] = csv?.rows ?? [];
    const read = csv && row && others.length === 0 ? readRow(csv, row) : undefined;
    return read && 'id' in read ? read.id : undefined;
  }

  it('leaves out of a delivery whom it leaves out in a file, or else nothing can be sent', async () => {
    await fc.assert(
      fc.asyncProperty(spelling, async (text) => {
        const inFile = await idInFile(text);
        const chat: Chat = { kind: 'user', id: inFile ?? '' };
        for (const entry of [text, { id: text, note: 'why' }]) {
          const { notes, unusable } = parseNever({ people: [entry] });
          assert.deepEqual([[...notes.keys()], unusable], inFile ? [[`user ${inFile}`], []] : [[], [entry]]);
        }
        const { audiences, unreadable } = parseAudiences({ out: { people: [text] } });
        assert.deepEqual(audiences.get('out'), inFile ? [chat] : undefined);
        assert.deepEqual(unreadable.get('out'), inFile ? undefined : [text]);
        const document = `---\nchat:\n  groups: [big]\n  except: { people: [${JSON.stringify(text)}] }\n---\nHi`;
        const { namedBy, message } = parseDraft(document, { keepFrontMatter: false, audiences: () => [] });
        const excepted = namedBy.except?.recipients.map((one) => one.id) ?? [];
        if (inFile === undefined) assert.equal(message, undefined);
        else assert.ok(message === undefined || excepted.includes(inFile), document);
      }),
    );
  });

  it('is recognized where the list is edited', async () => {
    await fc.assert(
      fc.asyncProperty(spelling, async (text) => {
        const inFile = await idInFile(text);
        fc.pre(inFile !== undefined);
        const chat: Chat = { kind: 'user', id: inFile ?? '' };
        const setting = { people: [text, 'a b'], other: 1 };
        assert.deepEqual(removeNever(setting, [chat]), { people: ['a b'], other: 1 });
        assert.deepEqual(addNever(setting, [chat], ''), { people: [inFile, 'a b'], other: 1 });
      }),
    );
  });
});
