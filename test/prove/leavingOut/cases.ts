/** Random drafts with their files and settings, by what they mean. How they're written is up to `written.ts`. */
import fc from 'fast-check';

export type Kind = 'group' | 'user';

/** Whose message it is, as people see it: the type and the ID. */
export interface One {
  readonly kind: Kind;
  readonly id: string;
}

/** Few, so that rules meet: the same ID may be that of a group and of a person, and `007` isn't `7`. */
const IDS = ['7', '007', '1', '0', '12', 'big', 'a-1', 'x_9', '518204736', '7058314', '90071992547409931', 'NULL'];
const AUDIENCES = ['staff', 'team two', 'K\u00E4ufer', '客户', '12', 'null'];
/** What people call columns: no two of them are the same in other letters. */
const COLUMNS = ['city', 'plan', 'home town', 'Gr\u00F6\u00DFe', 'e: mail', '姓名', '#', 'null', 'present'];
/**
 * The values of a column. Some look alike and differ, and some differ and look the same; some mean something else in YAML or
 * CSV. Those of a column are few, so that rules meet.
 */
const VALUES = [
  ['Berlin', 'berlin', 'Berl in', 'present'],
  ['present', 'K\u00F6ln', 'Ko\u0308ln', 'Koln', 'k\u00F6ln'],
  ['7', '007', '\uFF17', '07', 'present'],
  ['fi', '\uFB01', 'FI'],
  ['present', 'Present', 'null', '~'],
  ['two words', 'two  words', 'two\nwords', 'two\\nwords'],
  ['a, b', 'a;b', 'a\tb', 'a | b', 'a'],
  ['say "hi"', "say 'hi'", '"', "it's"],
  ['yes', 'no', '-', '#1', '- a', 'a: b'],
  ['{x}', '[x', '&a', '*a', '!a', '%', '@', '|', '>', '\\'],
];

const id = fc.oneof(fc.constantFrom(...IDS.slice(0, 4)), fc.constantFrom(...IDS));
const kind = fc.constantFrom<Kind>('user', 'group');
const ids = fc.array(id, { maxLength: 4 });
const audienceNames = fc.array(fc.constantFrom(...AUDIENCES), { maxLength: 2 });

/** A CSV file. Its rows have as many cells as there are columns, besides `id` and `kind`. */
const files = fc.record({
  columns: fc.uniqueArray(fc.constantFrom(...COLUMNS), { maxLength: 4 }),
  /** What says the kinds of those in it. In both, the block does where the cell is empty. */
  kindIn: fc.constantFrom('block', 'column', 'both'),
  kind,
  /** Which values the columns have. */
  values: fc.tuple(...Array.from({ length: 4 }, () => fc.nat(VALUES.length - 1))),
  rows: fc.array(
    fc.record({
      id,
      kind: fc.option(kind),
      /** Which of these; null for an empty cell. */
      cells: fc.tuple(...Array.from({ length: 4 }, () => fc.option(fc.nat(11)))),
      /** Whether it stands there twice. */
      isTwice: fc.boolean(),
    }),
    { maxLength: 12 },
  ),
});
export type File = typeof files extends fc.Arbitrary<infer F> ? F : never;

const named = { groups: ids, people: ids, audiences: audienceNames };

/** A line of `where:`. The column is one of those of the file, or its ID. */
const conditions = fc.record({
  column: fc.nat(19),
  /** Null is `present`. */
  values: fc.option(fc.oneof(fc.tuple(fc.nat(11)), fc.array(fc.nat(11), { minLength: 1, maxLength: 4 })), { freq: 4 }),
  isNot: fc.boolean(),
});

/** The *Do Not Send* list. */
const lists = fc.array(fc.record({ kind, id, note: fc.constantFrom('', 'asked', 'moved (May)', '[a](command:b)') }), {
  maxLength: 6,
});
export type List = typeof lists extends fc.Arbitrary<infer L> ? L : never;

/** Small numbers are no likelier than others: most stand for something else. */
export const cases = fc.noBias(
  fc.record({
    ...named,
    file: fc.option(
      files.filter(({ rows }) => rows.length > 0),
      { freq: 8 },
    ),
    where: fc.option(fc.array(conditions, { minLength: 1, maxLength: 3 }), { freq: 6 }),
    except: fc.option(fc.record({ ...named, file: fc.option(files) })),
    members: fc.array(fc.record({ groups: ids, people: ids }), {
      minLength: AUDIENCES.length,
      maxLength: AUDIENCES.length,
    }),
    never: lists,
    isPersonal: fc.boolean(),
    batchSize: fc.constantFrom(1, 2, 3, 200),
    /** What the service does at first: it accepts all, lists some as not reached, refuses every call, or the token. */
    answers: fc.constantFrom('all', 'some', 'none', 'noToken'),
    unreached: ids,
    /** The list as it is once the user has confirmed, and before the delivery is resent or resumed. */
    neverThen: fc.option(lists, { freq: 3 }),
    neverLater: lists,
    /** How all of it is written. 0 is the plainest way. */
    spelling: fc.nat(),
  }),
);
export type Case = typeof cases extends fc.Arbitrary<infer C> ? C : never;

export const membersOf = ({ members }: Pick<Case, 'members'>, name: string) =>
  members[AUDIENCES.indexOf(name)] ?? { groups: [], people: [] };
export const audiencesOf = ({ members }: Pick<Case, 'members'>) =>
  members.map((lists, at) => ({ name: AUDIENCES[at] ?? '', ...lists }));

const nth = (values: readonly string[] | undefined, at: number) => values?.[at % values.length] ?? '';

/** The rows of a file with their kinds and texts, without another row for the same chat, which would be an error. */
export function rowsOf({ rows, kindIn, kind, values }: File) {
  const known = new Set<string>();
  return rows.flatMap(({ id, cells, ...row }) => {
    const rowKind = kindIn === 'block' ? kind : (row.kind ?? kind);
    if (known.has(`${rowKind} ${id}`)) return [];
    known.add(`${rowKind} ${id}`);
    const texts = cells.map((cell, at) => (cell === null ? '' : nth(VALUES[values[at] ?? 0], cell)));
    const isByDefault = kindIn !== 'column' && row.kind === null;
    return [{ id, kind: rowKind, cells: texts, isByDefault, isTwice: row.isTwice }];
  });
}

export interface Condition {
  readonly column: string;
  /** Where that is, among those beside `id`. */
  readonly at: number;
  readonly values: 'present' | readonly string[];
  readonly isNot: boolean;
}

/** The lines of `where:`, each column once above `not:` and once below. None without a file. */
export function conditionsOf({ file, where }: Pick<Case, 'file' | 'where'>): Condition[] {
  const known = new Set<string>();
  if (!file) return [];
  return (where ?? []).flatMap(({ column: any, values, isNot }): Condition[] => {
    const at = any % (file.columns.length + 1);
    const column = file.columns[at] ?? 'id';
    if (known.has(`${column} ${isNot}`)) return [];
    known.add(`${column} ${isNot}`);
    const among = column === 'id' ? IDS.slice(0, 6) : VALUES[file.values[at] ?? 0];
    return [{ column, at, values: values?.map((one) => nth(among, one)) ?? 'present', isNot }];
  });
}
