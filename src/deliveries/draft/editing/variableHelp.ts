/** Completion of variables, and what they stand for. */
import { CompletionItem, CompletionItemKind, Hover, l10n, type Position, Range, type TextDocument } from 'vscode';
import { findVariables, isVariableName, textOf } from '../../../markup/template.ts';
import type { Connection } from '../../../platform/service.ts';
import { textTooltip } from '../../../presentation/card.ts';
import { singleLineName } from '../../../presentation/describe.ts';
import { firstTexts } from '../../../presentation/formats.ts';
import { firstRows, type RecipientTable } from '../recipients/recipientTable.ts';
import { DIRECTORY_VARIABLES, RecipientValues } from '../recipients/recipientValues.ts';
import type { Asked } from './keySuggestions.ts';

/** How many recipients a hover shows. */
const MAX_SHOWN = 3;

/** The columns of the file and what is known of every recipient, after two braces; undefined elsewhere. */
export function variableItems(
  { line, position }: Asked,
  table: RecipientTable | undefined,
): CompletionItem[] | undefined {
  const [, typed] = /\{\{([^{}|]*)$/.exec(line.slice(0, position.character)) ?? [];
  if (typed === undefined) return undefined;
  const name = typed.trimStart();
  const after = line.slice(position.character);
  // All of it, so that the cursor is behind it then.
  const [rest = '', end = '}}'] = /^[^{}|]*((?:\|[^{}]*)?\}\})/.exec(after) ?? [];
  const range = new Range(position.translate(0, -name.length), position.translate(0, rest.length));
  const columns = (table?.columns ?? []).filter(isVariableName);
  const [first] = table?.rows.values() ?? [];
  const item = (label: string, description: string, kind: CompletionItemKind, order: number) => {
    const one = new CompletionItem({ label: singleLineName(label), description: singleLineName(description) }, kind);
    one.filterText = label;
    one.insertText = label + end;
    one.range = range;
    one.sortText = String(order).padStart(4, '0');
    return one;
  };
  return [
    ...columns.map((column, at) => item(column, first?.cells[at] ?? '', CompletionItemKind.Field, at)),
    ...DIRECTORY_VARIABLES.filter((one) => !columns.includes(one)).map((one, at) =>
      item(one, l10n.t('from the profile'), CompletionItemKind.Variable, columns.length + at),
    ),
  ];
}

/** The value of a variable for the first recipients. Makes no request. */
export async function variableHover(
  document: TextDocument,
  position: Position,
  table: RecipientTable | undefined,
  connection: Pick<Connection, 'open' | 'state'>,
): Promise<Hover | undefined> {
  const { text } = document.lineAt(position);
  const at = position.character;
  const found = findVariables(text).find(({ start, end, isEscaped }) => !isEscaped && start <= at && at <= end);
  if (!found) return undefined;
  const { name, fallback, start, end } = found;
  const isColumn = table?.columns.includes(name) ?? false;
  if (!isColumn && !DIRECTORY_VARIABLES.includes(name)) return undefined;
  const service = (await connection.state()) === 'none' ? undefined : await connection.open().catch(() => undefined);
  const values = new RecipientValues(table, service?.directory);
  const first = firstRows(table, MAX_SHOWN + 1).map(({ chat }) => {
    const value = textOf(values.of(chat)(name)) || fallback;
    return `${textOf(values.of(chat)('name')) || chat.id}: ${value ?? l10n.t('(empty)')}`;
  });
  const lines = [
    isColumn ? l10n.t('A column of the recipient file.') : l10n.t('From the profile of the recipient.'),
    ...firstTexts(first, MAX_SHOWN, table?.rows.size),
    ...(fallback === undefined ? [] : [l10n.t('If it is empty: {0}', fallback)]),
  ];
  const range = new Range(position.with({ character: start }), position.with({ character: end }));
  return new Hover(textTooltip(lines.join('\n')), range);
}
