/** Completion of variables, and what they stand for. */
import { CompletionItemKind, type Position, Range, type TextDocument } from 'vscode';
import { findVariables, isVariableName, textOf } from '../../../markup/template.ts';
import type { Connection } from '../../../platform/service.ts';
import { singleLineName } from '../../../presentation/describe.ts';
import { firstTexts } from '../../../presentation/formats.ts';
import { CardHover, l10n, Suggestion, textCard } from '../../../presentation/shown.ts';
import type { ChatBlock } from '../document/chatBlock.ts';
import {
  type DirectoryVariable,
  firstRows,
  type RecipientTable,
  RecipientValues,
} from '../recipients/recipientTable.ts';
import type { Asked } from './keySuggestions.ts';

/** How many recipients a hover shows. */
const MAX_SHOWN = 3;

/** What variables of profiles stand for. */
const profileTexts = (): Readonly<Record<DirectoryVariable, string>> => ({
  name: l10n.t('name of the group or person'),
  id: l10n.t('ID of the group or person'),
  nickname: l10n.t('name of the person in the profile'),
  registerTimeText: l10n.t('when the person registered'),
  registerTime: l10n.t('when the person registered, in seconds since 1970'),
  onLineDay: l10n.t('how many days the person was online'),
  continuousOnLineDay: l10n.t('how many days in a row the person was online'),
  isVip: l10n.t('1 for a VIP, 0 for others'),
  avatarUrl: l10n.t('URL of the avatar'),
  introduction: l10n.t('introduction of the group'),
  category: l10n.t('category of the group'),
  headcount: l10n.t('number of members of the group'),
  createBy: l10n.t('ID of the person who created the group'),
  createTime: l10n.t('when the group was created, in seconds since 1970'),
  readHistory: l10n.t('1 if new members can read earlier messages, 0 if not'),
});

/** The values that are known without a request. */
async function knownValues(table: RecipientTable | undefined, connection: Pick<Connection, 'open' | 'state'>) {
  const service = (await connection.state()) === 'none' ? undefined : await connection.open().catch(() => undefined);
  return new RecipientValues(table, service?.directory);
}

/**
 * The columns of the file and what is known of every recipient, with what the first one gets, after two braces; undefined
 * elsewhere. Makes no request.
 */
export async function variableItems(
  { line, position }: Asked,
  { recipients }: Pick<ChatBlock, 'recipients'>,
  table: RecipientTable | undefined,
  connection: Pick<Connection, 'open' | 'state'>,
): Promise<Suggestion[] | undefined> {
  const [, typed] = /\{\{([^{}|]*)$/.exec(line.slice(0, position.character)) ?? [];
  if (typed === undefined) return undefined;
  const name = typed.trimStart();
  const after = line.slice(position.character);
  // The rest of the variable is replaced, too, so that the cursor is behind it then.
  const [rest = '', end = '}}'] = /^[^{}|]*((?:\|[^{}]*)?\}\})/.exec(after) ?? [];
  const range = new Range(position.translate(0, -name.length), position.translate(0, rest.length));
  const columns = (table?.columns ?? []).filter(isVariableName);
  const [first] = table?.rows.values() ?? [];
  const chat = first?.chat ?? recipients[0];
  const values = chat ? (await knownValues(table, connection)).of(chat) : () => '';
  // If the file has no column for names, {{name}} is the nickname, so that {{nickname}} isn't offered.
  const isOffered = (name: string) => !columns.includes(name) && (name !== 'nickname' || columns.includes('name'));
  const item = (label: string, description: string, kind: CompletionItemKind, order: number) => {
    const one = new Suggestion({ label: singleLineName(label), description: singleLineName(description) }, kind);
    one.filterText = label;
    one.insertText = label + end;
    one.range = range;
    one.sortText = String(order).padStart(4, '0');
    return one;
  };
  return [
    ...columns.map((column, at) => item(column, first?.cells[at] ?? '', CompletionItemKind.Field, at)),
    ...Object.entries(profileTexts())
      .filter(([name]) => isOffered(name))
      .map(([name, text], at) => {
        const value = textOf(values(name));
        const description = value ? l10n.t('{0} ({1})', text, value) : text;
        return item(name, description, CompletionItemKind.Variable, columns.length + at);
      }),
  ];
}

/** The value of a variable for the first recipients. Makes no request. */
export async function variableHover(
  document: TextDocument,
  position: Position,
  table: RecipientTable | undefined,
  connection: Pick<Connection, 'open' | 'state'>,
): Promise<CardHover | undefined> {
  const at = position.character;
  const found = findVariables(document.lineAt(position).text).find(
    ({ start, end, isEscaped }) => !isEscaped && start <= at && at <= end,
  );
  if (!found) return undefined;
  const { name, fallback, start, end } = found;
  const text = table?.columns.includes(name)
    ? l10n.t('A column of the recipient file.')
    : Object.entries(profileTexts()).find(([one]) => one === name)?.[1];
  if (text === undefined) return undefined;
  const values = await knownValues(table, connection);
  const first = firstRows(table, MAX_SHOWN + 1).map(({ chat }) => {
    const value = textOf(values.of(chat)(name)) || fallback;
    return `${textOf(values.of(chat)('name')) || chat.id}: ${value ?? l10n.t('(empty)')}`;
  });
  const lines = [
    text,
    ...firstTexts(first, MAX_SHOWN, table?.rows.size),
    ...(fallback === undefined ? [] : [l10n.t('If it is empty: {0}', fallback)]),
  ];
  const range = new Range(position.with({ character: start }), position.with({ character: end }));
  return new CardHover(textCard(lines.join('\n')), range);
}
