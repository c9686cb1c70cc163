/** What is wrong with the rows of a list of recipients. */
import { l10n } from 'vscode';
import { excerpt } from '../markup/escapeInvisible.ts';
import type { RowProblem } from '../markup/recipientCsv.ts';
import { formatCount } from './formats.ts';

/** A problem of a row in a list of recipients, in one sentence or two. */
export function rowProblemText({ code, args: [first = '', second = ''] }: Pick<RowProblem, 'code' | 'args'>): string {
  switch (code) {
    case 'noIdColumn':
      return l10n.t(
        'There is no id column. One of the first lines must name the columns, separated by commas, semicolons, or tabs.',
      );
    case 'noKind':
      return l10n.t('There is no kind column with person or group.');
    case 'duplicateColumn':
      return l10n.t(
        "The columns {0} and {1} can't be told apart. Rename one of them.",
        ...[first, second].map((text) => shorten(text)),
      );
    case 'aboveHead':
      return l10n.t("This row is above the names of the columns, so it isn't used. Move it below them.");
    case 'secondHead':
      return l10n.t('This row names the columns again. Delete it.');
    case 'cellCount':
      return l10n.t('This row has {0} values for {1} columns.', first, second);
    case 'missingCells':
      return l10n.t('This row ends before these columns, so they count as empty: {0}.', excerpt(first, 200));
    case 'brokenQuote':
      return l10n.t(
        "A quotation mark isn't closed, text follows the closing one, or this row is too long. The rows below aren't read.",
      );
    case 'unknownKind':
      return first
        ? l10n.t('Unknown kind {0}. Use person or group.', shorten(first))
        : l10n.t('The kind is missing. Use person or group.');
    case 'malformedId':
      return first
        ? l10n.t(
            "This ID isn't valid. IDs can't be longer than 200 characters, or contain spaces, line breaks, or invisible characters.",
          )
        : l10n.t('The ID is missing.');
    case 'severalIds':
      return l10n.t("{0} isn't one ID. Give each ID a row of its own.", shorten(first));
    case 'changedId':
      return l10n.t(
        'A spreadsheet has changed this number: {0}. Enter the ID again in a column that is formatted as text.',
        shorten(first),
      );
    case 'repeatedRow':
      return l10n.t('{0} is on line {1}, too. Only one message is sent.', shorten(first), formatCount(Number(second)));
    case 'contradiction':
      return l10n.t('{0} has other values on line {1}.', shorten(first), formatCount(Number(second)));
    case 'tooManyRows':
      return l10n.t('More than {0} recipients. Divide this file into several.', first);
  }
}

const shorten = (text: string) => excerpt(text, 60);
