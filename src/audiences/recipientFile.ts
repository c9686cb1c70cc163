/** Finds recipients in a CSV or text file. */
import { l10n, type Uri, workspace } from 'vscode';
import { cellText } from '../markup/csv.ts';
import { decodeText } from '../markup/decodeText.ts';
import { chatTypeOf, type RecipientCsv, readRecipientCsv } from '../markup/recipientCsv.ts';
import { MAX_MEMBERS } from '../platform/audiences.ts';
import { tooManyText } from '../presentation/audienceNames.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import { askFile } from '../presentation/fileDialogs.ts';
import { idsIn, isIdentifier } from '../service/fields.ts';
import type { Chat } from '../service/model.ts';
import { TimeSlices } from '../service/timeSlices.ts';

/** An ID, and what it belongs to if the file says so. */
export interface ListedId {
  readonly id: string;
  readonly type?: Chat['type'];
}

/** In bytes. */
const MAX_FILE = 1_048_576;

/** Asks for a file and finds the IDs in it; undefined if the user cancels. @throws UserFacingError if it can't be used */
export async function askRecipientFile(title: string): Promise<ListedId[] | undefined> {
  const filters = { [l10n.t('CSV and text')]: ['csv', 'tsv', 'txt', 'md'], [l10n.t('All files')]: ['*'] };
  const file = await askFile(title, filters);
  return file && readRecipientFile(file);
}

/** The IDs in a file, without duplicates. @throws UserFacingError if it can't be used */
export async function readRecipientFile(file: Uri): Promise<ListedId[]> {
  const { size } = await workspace.fs.stat(file);
  if (size > MAX_FILE) throw new UserFacingError(l10n.t('The file is too large. The limit is 1 MB.'));
  const decoded = await decodeText(await workspace.fs.readFile(file));
  if (!decoded) throw new UserFacingError(l10n.t("The file isn't text in UTF-8 or GB18030."));
  const ids = await recipientsIn(decoded.pieces.join(''));
  if (ids.length === 0) throw new UserFacingError(l10n.t('There are no IDs in this file.'));
  return ids;
}

/**
 * The IDs in the `id` column of CSV, with their `kind` if there is such a column; otherwise every word of the text that
 * may be an ID. Without duplicates. @throws UserFacingError if there are too many
 */
export async function recipientsIn(text: string): Promise<ListedId[]> {
  const types = new Map<string, Set<Chat['type']>>();
  await new TimeSlices().each(csvIds(text) ?? textIds(text), ({ id, type }) => {
    if (!isIdentifier(id)) return;
    const known = types.get(id) ?? new Set();
    types.set(id, type ? known.add(type) : known);
    if (types.size > MAX_MEMBERS) throw new UserFacingError(tooManyText());
  });
  return [...types].flatMap(([id, known]): ListedId[] =>
    known.size > 0 ? [...known].map((type) => ({ id, type })) : [{ id }],
  );
}

/** What the `id` column holds; undefined if there is none. */
function csvIds(text: string): Iterable<ListedId> | undefined {
  const csv = readRecipientCsv(text.trimStart());
  return csv && listedIds(csv);
}

function* listedIds({ rows, idColumn, kindColumn }: RecipientCsv): Iterable<ListedId> {
  for (const { cells } of rows) {
    const type = chatTypeOf(cells[kindColumn] ?? '');
    yield { id: cellText(cells[idColumn] ?? ''), ...(type && { type }) };
  }
}

function* textIds(text: string): Iterable<ListedId> {
  for (const id of idsIn(text)) yield { id };
}
