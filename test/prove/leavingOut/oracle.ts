/**
 * Who gets a message and who doesn't, by what the README says and nothing else: the list, then `except:`, then `where:`, each
 * over everyone who is chosen. As naive as can be, and without any code of the product.
 */
import { type Case, conditionsOf, type List, membersOf, type One, rowsOf } from './cases.ts';

export interface Expected {
  readonly kept: readonly string[];
  /** Those who are named, in the document or its audiences, and rows with a stronger reason than `where:`: each with the reason. */
  readonly leftOut: readonly string[];
  /** How many rows aren't picked, besides. */
  readonly rows: number;
  /** How many of those chosen are left out by each rule, rows and all. */
  readonly byRule: { never: number; except: number; where: number; needless: number };
}

const each = ({ groups, people }: { groups: readonly string[]; people: readonly string[] }): One[] => [
  ...groups.map((id): One => ({ kind: 'group', id })),
  ...people.map((id): One => ({ kind: 'user', id })),
];
const nameOf = ({ kind, id }: One) => `${kind} ${id}`;
const isSame = (one: One, other: One) => one.kind === other.kind && one.id === other.id;

export function expectedOf(draft: Case, path: string): Expected {
  const { file, except } = draft;
  const named = [...each(draft), ...draft.audiences.flatMap((name) => each(membersOf(draft, name)))];
  const rows = file ? rowsOf(file) : [];
  const chosen: One[] = [];
  for (const one of [...named, ...rows]) if (!chosen.some((other) => isSame(one, other))) chosen.push(one);

  const result = {
    kept: [] as string[],
    leftOut: [] as string[],
    rows: 0,
    byRule: { never: 0, except: 0, where: 0, needless: 0 },
  };
  for (const one of chosen) {
    const note = noteOf(one, draft.never);
    const says = except ? whoExcepts(one, draft, path) : undefined;
    const row = rows.find((other) => isSame(one, other));
    if (note !== undefined) {
      result.leftOut.push(`${nameOf(one)} never ${note}`);
      result.byRule.never++;
    } else if (says !== undefined) {
      result.leftOut.push(`${nameOf(one)} except ${says}`);
      result.byRule.except++;
    } else if (row && !isPicked(row, draft)) {
      if (named.some((other) => isSame(one, other))) result.leftOut.push(`${nameOf(one)} where `);
      else result.rows++;
      result.byRule.where++;
    } else result.kept.push(nameOf(one));
  }
  return result;
}

/** What the list says of someone: the first note that isn't empty. Undefined if they aren't on it. */
function noteOf(one: One, list: List): string | undefined {
  const entries = list.filter((entry) => isSame(one, entry));
  if (entries.length === 0) return undefined;
  return entries.find(({ note }) => note !== '')?.note ?? '';
}

export const isOn = (name: string, list: List) => list.some((entry) => nameOf(entry) === name);

/** The audience or the file that excepts someone, empty if the document itself does. Undefined if nothing does. */
function whoExcepts(one: One, draft: Case, path: string): string | undefined {
  const { except } = draft;
  if (!except) return undefined;
  if (each(except).some((other) => isSame(one, other))) return '';
  const audience = except.audiences.find((name) => each(membersOf(draft, name)).some((other) => isSame(one, other)));
  if (audience !== undefined) return audience;
  return except.file && rowsOf(except.file).some((other) => isSame(one, other)) ? path : undefined;
}

/** Whether every line of `where:` holds for a row, and none below `not:`. */
function isPicked(row: { id: string; cells: readonly string[] }, draft: Case): boolean {
  for (const { column, at, values, isNot } of conditionsOf(draft)) {
    const text = column === 'id' ? row.id : (row.cells[at] ?? '');
    // What looks the same is the same: an umlaut may be one character, or a letter and two dots.
    const holds = values === 'present' ? text !== '' : values.some((one) => looks(one) === looks(text));
    if (holds === isNot) return false;
  }
  return true;
}

const looks = (text: string) => text.replaceAll('o\u0308', '\u00F6');
