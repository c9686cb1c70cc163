/** Who is left out of a delivery, from the text of a document and its files to the calls. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { count, type Effort, type Proof, search } from '../proof.ts';
import { type Case, cases } from './cases.ts';
import { type Expected, expectedOf, isOn } from './oracle.ts';
import { type Result, type Round, run as runCase } from './product.ts';
import { Spelling } from './spelling.ts';
import { neverSetting, type Written, writtenOf } from './written.ts';

/** What was really tried, so that nobody takes cases for more than they are. */
interface Tried {
  sent: number;
  leftOut: number;
  again: number;
}

async function run(effort: Effort): Promise<string[]> {
  const tried: Tried = { sent: 0, leftOut: 0, again: 0 };
  const properties = {
    'who is on the Do Not Send list, under except: or not picked by where: gets nothing, and everyone else one message':
      fc.asyncProperty(cases, (one) => assertRules(one, tried)),
  };
  const { found, cases: tries } = await search({ name, properties, runsPerRound: 200 }, effort);
  effort.tally('payloads', tries);
  const what = [count(tried.sent, 'sent to'), count(tried.leftOut, 'left out'), count(tried.again, 'sent to again')];
  effort.report(`${name}: ${count(tries, 'drafts')}, ${what.join(', ')}: ${found.length} found`);
  return found;
}

/** Tries one case, and says how it was written if it fails. */
async function assertRules(draft: Case, tried: Tried): Promise<void> {
  const written = writtenOf(draft);
  const spell = new Spelling(draft.spelling);
  const changesThen = draft.neverThen !== null && draft.answers !== 'noToken';
  const never = [neverSetting(draft.neverThen ?? [], spell), neverSetting(draft.neverLater, spell)] as const;
  const result = await runCase(written, draft, never, changesThen);
  const expected = expectedOf(draft, written.exceptPath);
  try {
    assertFirst(draft, expected, result, changesThen);
    tried.sent += result.first.called.length;
    tried.leftOut += expected.leftOut.length + expected.rows;
    if (result.second) assertSecond(draft, result.first, result.second, expected);
    tried.again += result.second?.called.length ?? 0;
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${asText(written, result)}`, { cause: error });
  }
}

function assertFirst(draft: Case, expected: Expected, { first, counts, byRule, stored }: Result, changes: boolean) {
  const { kept } = expected;
  const called = draft.answers === 'noToken' ? firstOf(kept, first.called) : kept;
  const late = (changes && draft.neverThen) || [];
  assertSame(
    first.called,
    called.filter((one) => !isOn(one, late)),
    'is sent to',
  );
  const groups = kept.filter((one) => one.startsWith('group ')).length;
  const leftOut = expected.leftOut.length + expected.rows;
  assert.deepEqual({ ...counts }, { group: groups, user: kept.length - groups, leftOut }, 'the line above the block');
  assert.deepEqual(byRule, expected.byRule, 'the preview');
  if (kept.length === 0) {
    assert.deepEqual([first.asked, stored], [[], undefined], 'nobody gets it');
    // Without anyone to leave out, the user is asked whom to send to.
    const why = leftOut === 0 ? /^$/ : /^Nothing is sent: everyone is left out\.|\. where: picks no row of .+\.csv\.$/;
    assert.match(first.error ?? '', why);
    return;
  }
  assert.equal(first.error, undefined);
  assert.equal(first.asked.length, 1, 'questions');
  const [{ question = '', lines = [] } = {}] = first.asked;
  assert.ok(question.includes(` to ${chats(groups, kept.length - groups)}?`), question);
  assert.deepEqual(countsIn(lines), [
    by(expected, 'never'),
    by(expected, 'except'),
    by(expected, 'where') + expected.rows,
  ]);
  assertSame(stored?.people ?? [], expected.leftOut, 'is stored as left out');
  assert.equal(stored?.rows, expected.rows, 'rows in the outbox');
}

/** A resend or the rest of a delivery goes to those whom it was confirmed for and didn't reach, but for the list as it is now. */
function assertSecond(draft: Case, first: Round, second: Round, { kept }: Expected) {
  const { answers, unreached, neverLater } = draft;
  const isReached = (one: string) => answers === 'all' || !unreached.includes(one.split(' ')[1] ?? '');
  const left = answers === 'noToken' ? kept : first.called.filter((one) => answers === 'none' || !isReached(one));
  assertSame(
    second.called,
    left.filter((one) => !isOn(one, neverLater)),
    'is sent to again',
  );
}

/** Everyone once, in whatever order. */
function assertSame(found: readonly string[], expected: readonly string[], what: string) {
  assert.deepEqual(found.toSorted(), expected.toSorted(), `who ${what}`);
}

/** A refused token ends a delivery after one call: its recipients are some of them. */
const firstOf = (kept: readonly string[], called: readonly string[]) =>
  called.length > 0 ? kept.filter((one) => called.includes(one)) : kept.slice(0, 1);

const by = ({ leftOut }: Expected, rule: string) => leftOut.filter((one) => one.split(' ')[2] === rule).length;

function chats(groups: number, people: number): string {
  if (people === 0) return groups === 1 ? '1 group' : `${groups} groups`;
  if (groups === 0) return people === 1 ? '1 person' : `${people} people`;
  return `${groups + people} chats (groups: ${groups}, people: ${people})`;
}

/** How many the lines of a question say, by rule. */
function countsIn(lines: readonly string[]): number[] {
  const patterns = [
    /^⊘ Left out, on your Do Not Send list \((\d+)\):/,
    /^⊘ Left out by except \((\d+)\):/,
    /^⊘ Left out by where \((\d+)\):/,
  ];
  return patterns.map((pattern) => Number(lines.map((line) => pattern.exec(line)?.[1]).find(Boolean) ?? 0));
}

const asText = ({ document, files, settings }: Written, result: Result) =>
  [
    document,
    ...files.map(({ path, text }) => `${path}:\n${text}`),
    JSON.stringify(settings),
    JSON.stringify(result, null, 1),
  ].join('\n---------\n');

const name = 'leavingOut';
export const leavingOut: Proof = { name, run };
