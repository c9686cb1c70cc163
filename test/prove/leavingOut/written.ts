/** The document, the files and the settings of a case, as somebody may write them. */
import { audiencesOf, type Case, conditionsOf, type File, type List, rowsOf } from './cases.ts';
import { blockLines, type Node, Spelling } from './spelling.ts';

export interface Written {
  readonly document: string;
  /** By their paths beside the document. */
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array; readonly text: string }[];
  readonly settings: Readonly<Record<string, unknown>>;
  /** The path of the file under `except:`, as the document has it. */
  readonly exceptPath: string;
}

type Chats = Pick<Case, 'groups' | 'people' | 'audiences'>;

export function writtenOf(draft: Case): Written {
  const spell = new Spelling(draft.spelling);
  const path = spell.pick('all.csv', './all.csv', 'Alle K\u00E4ufer.csv', 'lists/all 1.csv');
  const exceptPath = spell.pick('past.csv', 'lists/past.csv', 'K\u00FCndigungen.csv');
  const idName = spell.pick('id', 'ID');
  const { file, except } = draft;
  const block = shuffled(
    [
      ...chatsOf(draft, spell),
      ...(file ? fileFields(file, path, spell) : []),
      ...whereField(draft, idName, spell),
      ...(except
        ? [field('except', { map: shuffled(exceptFields(except, exceptPath, spell), spell) })].filter(hasFields)
        : []),
      field('bot', { text: '30481126' }),
    ],
    spell,
  );
  const chat = spell.pick('chat', 'chat', '"chat"');
  const lines = [
    ...spell.pick<string[]>([], ['title: News'], ['# chat: {}']),
    `${chat}:${spell.pick('', ' # to all')}`,
    ...blockLines(block, spell.pick(2, 4, 1), spell),
    ...spell.pick<string[]>([], ['tags: [news]']),
  ];
  const body = draft.isPersonal ? 'Hello {{id}}' : 'Hello';
  const text = [`---${spell.pick('', ' ')}`, ...lines, spell.pick('---', '...'), '', body, ''].join('\n');
  const files = [
    ...(file ? [csvOf(file, path, idName, spell)] : []),
    ...(except?.file ? [csvOf(except.file, exceptPath, idName, spell)] : []),
  ];
  const settings = {
    audiences: Object.fromEntries(
      audiencesOf(draft).map(({ name, groups, people }) => [
        spell.composed(name),
        { groups: groups.map((id) => spell.settingId(id)), people: people.map((id) => spell.settingId(id)) },
      ]),
    ),
    'sending.never': neverSetting(draft.never, spell),
    'sending.batchSize': draft.batchSize,
  };
  return {
    document: spell.pick('', '\uFEFF') + text.replaceAll('\n', spell.pick('\n', '\r\n')),
    files,
    settings,
    exceptPath,
  };
}

export function neverSetting(list: List, spell: Spelling): unknown {
  if (list.length === 0) return spell.pick<unknown>(undefined, {}, { groups: [] }, { people: [], groups: [] });
  const entries = (of: 'group' | 'user') =>
    list
      .filter(({ kind }) => kind === of)
      .map(({ id, note }) => {
        const spelled = spell.settingId(id);
        return note ? { id: spelled, note: spell.padded(note) } : spell.pick<unknown>(spelled, { id: spelled });
      });
  return spell.pick(
    { groups: entries('group'), people: entries('user') },
    { people: entries('user'), groups: entries('group') },
  );
}

type Field = readonly [string, Node];
const field = (name: string, node: Node): Field => [name, node];
const hasFields = ([, node]: Field) => !('map' in node) || node.map.length > 0;

const chatsOf = ({ groups, people, audiences }: Chats, spell: Spelling): Field[] =>
  [
    { name: 'groups', items: groups, mayPad: true },
    { name: 'people', items: people, mayPad: true },
    { name: 'audiences', items: audiences.map(spell.composed), mayPad: true },
  ].flatMap(({ name, ...list }) =>
    list.items.length > 0 || spell.pick(false, false, true) ? [field(name, list)] : [],
  );

function fileFields(file: File, path: string, spell: Spelling): Field[] {
  const kind = file.kind === 'group' ? spell.pick('group', 'Group') : spell.pick('person', 'user', 'Person');
  const recipients = field('recipients', { text: path, mayPad: true });
  return file.kindIn === 'column' ? [recipients] : [recipients, field('kind', { text: kind })];
}

const exceptFields = ({ file, ...chats }: NonNullable<Case['except']>, path: string, spell: Spelling): Field[] => [
  ...chatsOf(chats, spell),
  ...(file ? fileFields(file, path, spell) : []),
];

/** `idName` is how the file calls its IDs. */
function whereField(draft: Case, idName: string, spell: Spelling): Field[] {
  const fields = (isBelowNot: boolean) =>
    conditionsOf(draft)
      .filter(({ isNot }) => isNot === isBelowNot)
      .map(({ column: named, values }) => {
        const column = named === 'id' ? idName : spell.composed(named);
        if (values === 'present') return field(column, { text: values, isWord: true });
        const [only, ...others] = values.map((one) => (one === 'present' ? one : spell.composed(one)));
        const isOne = others.length === 0 && only !== undefined && spell.pick(true, false);
        return field(column, isOne ? { text: only, mayPad: true } : { items: [only ?? '', ...others], mayPad: true });
      });
  const [map, below] = [fields(false), fields(true)];
  if (below.length > 0) map.push(field('not', { map: below }));
  return map.length > 0 ? [field('where', { map: shuffled(map, spell) })] : [];
}

function csvOf(file: File, path: string, idName: string, spell: Spelling): Written['files'][number] {
  const { columns, kindIn } = file;
  const names = [...columns, 'id', ...(kindIn === 'block' ? [] : ['kind'])];
  const order = shuffled(
    names.map((_, at) => at),
    spell,
  );
  const separator = names.length === 1 ? ',' : spell.pick(',', ';', '\t', '|');
  const row = (cells: readonly string[]) => order.map((at) => spell.cell(cells[at] ?? '', separator)).join(separator);
  const head = [...columns.map(spell.composed), idName, spell.pick('kind', 'Kind')].slice(0, names.length);
  const lines = rowsOf(file).flatMap((one) => {
    const kindText = one.kind === 'group' ? spell.pick('group', 'GROUP') : spell.pick('person', 'user', 'Person');
    const kind = one.isByDefault ? '' : kindText;
    const cells = [...columns.map((_, at) => spell.composed(one.cells[at] ?? '')), one.id, kind];
    const written = one.isTwice ? [row(cells), row(cells)] : [row(cells)];
    return [...spell.pick<string[]>([], [], [], ['']), ...written];
  });
  const above = spell.pick<string[]>([], [], [`sep=${separator}`], ['Customers', '']);
  const text = [...above, row(head), ...lines, ...spell.pick<string[]>([''], [])].join(spell.pick('\n', '\r\n'));
  const encoding = spell.pick<'utf8' | 'utf16le'>('utf8', 'utf8', 'utf16le');
  const mark = encoding === 'utf8' ? spell.pick('', '\uFEFF') : '\uFEFF';
  return { path: spell.composed(path), bytes: Buffer.from(mark + text, encoding), text };
}

/** In another order, now and then. */
function shuffled<T>(items: readonly T[], spell: Spelling): T[] {
  const left = [...items];
  const result: T[] = [];
  while (left.length > 0) result.push(...left.splice(spell.pick(0, 0, 1, 2) % left.length, 1));
  return result;
}
