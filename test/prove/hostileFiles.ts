/** Hostile files of recipients: what is in them is read and checked in slices. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseDraft } from '../../src/deliveries/draft/document/parseDraft.ts';
import type { DraftFile } from '../../src/deliveries/draft/recipients/recipientFiles.ts';
import { recipientProblems } from '../../src/deliveries/draft/recipients/recipientProblems.ts';
import { parseRecipientTable } from '../../src/deliveries/draft/recipients/recipientTable.ts';
import { decodeText } from '../../src/markup/decodeText.ts';
import { longestBlock, MAX_BLOCK } from './blocks.ts';
import { count, type Effort, type Proof, search } from './proof.ts';

/** Larger files aren't read (bytes). */
const MAX_SIZE = 32_000_000;

/** What comes before, and again and again after that. */
const HEADS = [
  '',
  'id\n',
  'id,__proto__,constructor\n',
  '"',
  'id\n"',
  'id,"',
  '\uFEFFid;name\r\n',
  'id\n7,"x" y',
  ' "id"\n',
  'sep=|\n\n"\n',
  `${'x;'.repeat(9_000)}\nid\n`,
];
const REPEATED = [
  ',',
  ';',
  '\t',
  '"',
  '""',
  '",',
  '"\n',
  '\n',
  '\r',
  '\r\n',
  ' ',
  ' "',
  'x',
  '张',
  '\u2028',
  'x\n',
  '7,=1+1\n',
  "'=\n",
  '7,"a\nb",c\r\n',
  '7,a\n',
  '7,058,314 ',
  '群号：(',
  '--',
  `${'x'.repeat(9_000)},`,
  `"${'x'.repeat(9_999)}",`,
  `{{name}} `,
];
const fileCases = fc.record({
  head: fc.constantFrom(...HEADS),
  repeated: fc.constantFrom(...REPEATED),
  size: fc.constantFrom(100, 1_000_000, 4_000_000, MAX_SIZE),
  tail: fc.constantFrom('', '"', '\n', '\0', '\uD800', ',7'),
  encoding: fc.constantFrom('utf8', 'utf16le'),
});
type FileCase = typeof fileCases extends fc.Arbitrary<infer F> ? F : never;

const DRAFT = '---\nchat:\n  recipients: a.csv\n  kind: person\n---\n\nDear {{nmae}} {{id}} {{constructor|x}}';

async function run(effort: Effort): Promise<string[]> {
  const draft = parseDraft(DRAFT, { keepFrontMatter: false, audiences: () => [] });
  let longest = 0;
  const nothingBlocks = fc.asyncProperty(fileCases, async (file) => {
    const bytes = bytesOf(file);
    const decoded = await decodeText(bytes);
    if (!decoded) return;
    const took = await longestBlock(async () => {
      const table = await parseRecipientTable(decoded.pieces, 'user');
      const file = { table, isOtherEncoding: false };
      await recipientProblems(DRAFT, draft, [{ named: draft.recipientFile, file }] as unknown as DraftFile[]);
    });
    longest = Math.max(longest, took);
    assert.ok(took <= MAX_BLOCK, `it held the thread for ${Math.round(took)} ms`);
  });
  const title = 'a file of recipients never blocks the thread, whatever is in it';
  const { found, cases } = await search({ name, properties: { [title]: nothingBlocks }, runsPerRound: 20 }, effort);
  effort.tally('payloads', cases);
  effort.report(`${name}: ${count(cases, 'hostile files')}, longest ${Math.round(longest)} ms`);
  return found;
}

function bytesOf({ head, repeated, size, tail, encoding }: FileCase): Uint8Array {
  const unit = encoding === 'utf8' ? Buffer.byteLength(repeated) : 2 * repeated.length;
  const text = head + repeated.repeat(Math.floor((size - 20) / unit)) + tail;
  return Buffer.from(encoding === 'utf8' ? text : `\uFEFF${text}`, encoding);
}

const name = 'hostileFiles';
export const hostileFiles: Proof = { name, run };
