/** Finds recipients in a CSV or text file. */
import { l10n, type Uri, workspace } from 'vscode';
import { decodeText } from '../markup/decodeText.ts';
import { isChangedNumber } from '../markup/listedId.ts';
import { idsIn } from '../markup/pastedIds.ts';
import {
  chatKindOf,
  columnKey,
  isTableWithoutIds,
  type ListedRow,
  type RecipientCsv,
  type RowProblem,
  readRecipientCsv,
  readRow,
  rowProblem,
} from '../markup/recipientCsv.ts';
import { MAX_MEMBERS } from '../platform/audiences.ts';
import { tooManyText } from '../presentation/audienceNames.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import { askFile } from '../presentation/fileDialogs.ts';
import { formatCount, joinSentences } from '../presentation/formats.ts';
import { rowProblemText } from '../presentation/rowProblemText.ts';
import { isIdentifier } from '../service/fields.ts';
import type { Chat } from '../service/model.ts';
import { TimeSlices } from '../service/timeSlices.ts';

/** An ID, and what it belongs to if the file says so. */
export interface ListedId {
  readonly id: string;
  readonly kind?: Chat['kind'];
}

export interface ReadRecipients {
  /** Without duplicates. */
  readonly ids: readonly ListedId[];
  /** Why the other rows aren't used. */
  readonly unused: readonly RowProblem[];
}

/** In bytes. */
const MAX_FILE = 1_048_576;

/** Asks for a file and finds the recipients in it; undefined if the user cancels. @throws UserFacingError if it can't be used */
export async function askRecipientFile(title: string): Promise<ReadRecipients | undefined> {
  const filters = { [l10n.t('CSV and text')]: ['csv', 'tsv', 'txt', 'md'], [l10n.t('All files')]: ['*'] };
  const file = await askFile(title, filters);
  return file && readRecipientFile(file);
}

/** The recipients in a file. @throws UserFacingError if it can't be used */
export async function readRecipientFile(file: Uri): Promise<ReadRecipients> {
  const { size } = await workspace.fs.stat(file);
  if (size > MAX_FILE) throw new UserFacingError(l10n.t('The file is too large. The limit is 1 MB.'));
  const decoded = await decodeText(await workspace.fs.readFile(file));
  if (!decoded) throw new UserFacingError(l10n.t("The file isn't text in UTF-8 or GB18030."));
  return recipientsIn(decoded.pieces.join(''));
}

/**
 * The IDs in the `id` column of CSV, with their `kind` if there is such a column; otherwise every word of the text that
 * may be an ID. @throws UserFacingError if it's a table without that column, or there are none or too many
 */
export async function recipientsIn(text: string): Promise<ReadRecipients> {
  const csv = await readRecipientCsv(text);
  const problem = csv ? columnProblem(csv) : isTableWithoutIds(text) && rowProblem(1, 'noIdColumn');
  if (problem) throw new UserFacingError(rowProblemText(problem));
  const types = new Map<string, Set<Chat['kind']>>();
  const unused: RowProblem[] = [];
  await new TimeSlices().each(csv ? csvRows(csv) : textRows(text), (row) => {
    if (!row) return;
    if ('code' in row) {
      unused.push(row);
      return;
    }
    const known = types.get(row.id) ?? new Set();
    const kind = chatKindOf(row.kind);
    types.set(row.id, kind ? known.add(kind) : known);
    if (types.size > MAX_MEMBERS) throw new UserFacingError(tooManyText());
  });
  if (types.size === 0) {
    const [first] = unused;
    const why = first ? [l10n.t('Line {0}: {1}', formatCount(first.line), rowProblemText(first))] : [];
    throw new UserFacingError(joinSentences(l10n.t('There are no IDs in this file.'), ...why));
  }
  const ids = [...types].flatMap(([id, known]): ListedId[] =>
    known.size > 0 ? [...known].map((kind) => ({ id, kind })) : [{ id }],
  );
  return { ids, unused };
}

/** Why it isn't clear which column holds the IDs or kinds. Others don't matter here. */
function columnProblem({ isHeadBroken, headLine, problems }: RecipientCsv): RowProblem | undefined {
  if (isHeadBroken) return rowProblem(headLine, 'brokenQuote');
  return problems.find(
    ({ code, args: [name = ''] }) => code === 'duplicateColumn' && /^(?:id|kind)$/.test(columnKey(name)),
  );
}

type FileRow = Pick<ListedRow, 'id' | 'kind'> | RowProblem | undefined;

function* csvRows(csv: RecipientCsv): Iterable<FileRow> {
  for (const problem of csv.problems) if (problem.code === 'aboveHead') yield problem;
  for (const row of csv.rows) {
    yield readRow(csv, row);
    if (row.isBroken) return;
  }
}

/** Every word that may be an ID, those that aren't, and lines of labels alone. */
function* textRows(text: string): Iterable<FileRow> {
  const ids = idsIn(text);
  let next = ids.next();
  let line = 0;
  for (const { 0: content, index } of text.matchAll(/[^\r\n]*(?:\r\n|\r|\n|$)/gy)) {
    line++;
    let isUsed = false;
    for (; !next.done && next.value.at < index + content.length; next = ids.next()) {
      const { id } = next.value;
      const code = isChangedNumber(id) ? 'changedId' : isIdentifier(id) ? undefined : 'malformedId';
      yield code ? rowProblem(line, code, [id]) : { id, kind: '' };
      isUsed = true;
    }
    if (!isUsed) yield /[\p{L}\p{Nd}]/u.test(content) ? rowProblem(line, 'severalIds', [content.trim()]) : undefined;
  }
}
