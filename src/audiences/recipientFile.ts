/** Finds recipients in a CSV or text file. */
import { type Uri, workspace } from 'vscode';
import { decodeText } from '../markup/decodeText.ts';
import { isChangedNumber } from '../markup/listedId.ts';
import { idsIn } from '../markup/pastedIds.ts';
import { mentionsToken } from '../markup/pastedToken.ts';
import { MAX_MEMBERS } from '../platform/audiences.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import { askFile } from '../presentation/fileDialogs.ts';
import { formatCount, joinSentences } from '../presentation/formats.ts';
import {
  brokenRow,
  chatKindOf,
  columnKey,
  idProblemText,
  isTableWithoutIds,
  type ListedRow,
  noIdColumnText,
  type RecipientCsv,
  type RowProblem,
  readRecipientCsv,
  readRow,
  rowProblem,
  sameNames,
  sameNamesText,
} from '../presentation/recipientCsv.ts';
import { l10n, type ShownText } from '../presentation/shown.ts';
import { isIdentifier } from '../service/fields.ts';
import type { Chat } from '../service/model.ts';
import { TimeSlices } from '../service/timeSlices.ts';

/** An ID, and what it belongs to if the file says so. */
export interface ListedId {
  readonly id: string;
  readonly kind?: Chat['kind'];
}

export interface ReadRecipients {
  /** The IDs, without duplicates. */
  readonly ids: readonly ListedId[];
  /** Why the other rows aren't used. */
  readonly unused: readonly RowProblem[];
}

/** The size of the largest file that is read, in bytes. */
const MAX_FILE = 1_048_576;

/** Asks for a file and finds the recipients in it; undefined if the user cancels. @throws UserFacingError if it can't be used */
export async function askRecipientFile(title: ShownText): Promise<ReadRecipients | undefined> {
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
  const problem = csv ? columnProblem(csv) : isTableWithoutIds(text) && noIdColumnText();
  if (problem) throw new UserFacingError(problem);
  const types = new Map<string, Set<Chat['kind']>>();
  const unused: RowProblem[] = [];
  await new TimeSlices().each(csv ? csvRows(csv) : textRows(text), (row) => {
    if (!row) return;
    if ('text' in row) {
      unused.push(row);
      return;
    }
    const known = types.get(row.id) ?? new Set();
    const kind = chatKindOf(row.kind);
    types.set(row.id, kind ? known.add(kind) : known);
    if (types.size > MAX_MEMBERS)
      throw new UserFacingError(
        l10n.t('More than {0} recipients. Divide this file into several.', formatCount(MAX_MEMBERS)),
      );
  });
  if (types.size === 0) {
    const [first] = unused;
    const why = first ? [l10n.t('Line {0}: {1}', formatCount(first.line), first.text)] : [];
    throw new UserFacingError(joinSentences(l10n.t('There are no IDs in this file.'), ...why));
  }
  const ids = [...types].flatMap(([id, known]): ListedId[] =>
    known.size > 0 ? [...known].map((kind) => ({ id, kind })) : [{ id }],
  );
  return { ids, unused };
}

/** Why it isn't clear which column holds the IDs or kinds. Other columns don't matter here. */
function columnProblem(csv: RecipientCsv): string | undefined {
  if (csv.isHeadBroken) return brokenRow(csv.headLine).text;
  const names = sameNames(csv);
  return names && /^(?:id|kind)$/.test(columnKey(names[0])) ? sameNamesText(names) : undefined;
}

type FileRow = Pick<ListedRow, 'id' | 'kind'> | RowProblem | undefined;

function* csvRows(csv: RecipientCsv): Iterable<FileRow> {
  yield* csv.above;
  for (const row of csv.rows) {
    yield readRow(csv, row);
    if (row.isBroken) return;
  }
}

/** The rows of a text: words that may be IDs, words that aren't, and lines of labels alone. */
function* textRows(text: string): Iterable<FileRow> {
  const ids = idsIn(text);
  let next = ids.next();
  let line = 0;
  for (const { 0: content, index } of text.matchAll(/[^\r\n]*(?:\r\n|\r|\n|$)/gy)) {
    line++;
    let isUsed = false;
    const isSecret = mentionsToken(content);
    for (; !next.done && next.value.at < index + content.length; next = ids.next()) {
      if (isSecret) continue;
      const { id } = next.value;
      const problem = isChangedNumber(id) ? 'changed' : isIdentifier(id) ? undefined : 'malformed';
      yield problem ? rowProblem(line, idProblemText(problem, id)) : { id, kind: '' };
      isUsed = true;
    }
    if (isSecret) yield rowProblem(line, l10n.t('A token is in this line.'));
    else if (isUsed || !/[\p{L}\p{Nd}]/u.test(content)) yield undefined;
    else yield rowProblem(line, idProblemText('several', content.trim()));
  }
}
