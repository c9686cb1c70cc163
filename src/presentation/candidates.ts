/** Looks up several IDs at once, and shows the results to pick from. */
import delay from 'delay';
import { l10n } from 'vscode';
import { isChangedNumber } from '../markup/listedId.ts';
import { parseIds } from '../markup/pastedIds.ts';
import { isTableWithoutIds } from '../markup/recipientCsv.ts';
import { isFailure } from '../service/errors.ts';
import { isIdentifier } from '../service/fields.ts';
import type { Found } from '../service/model.ts';
import { section } from './chatItems.ts';
import { displayName, KIND_ICONS, summaryOf } from './describe.ts';
import { type ListItem, safeLabel, showProgress } from './dialogs.ts';
import { errorText } from './errorText.ts';
import { joinPhrases } from './factParts.ts';
import { rowProblemText } from './rowProblemText.ts';

/** An ID and the result of its lookup: what was found, or the error. Neither if the ID doesn't exist. */
export interface Candidate {
  readonly id: string;
  readonly found?: Found | undefined;
  readonly error?: unknown;
}

export interface CandidateItem extends ListItem {
  candidate?: Candidate;
}

/** Progress is shown only for lookups that take longer (milliseconds). */
const PROGRESS_DELAY = 300;

/** Looks up all IDs. Those still pending when the user cancels get an error like any other. */
export async function lookUpAll(
  ids: readonly string[],
  lookUp: (id: string, signal: AbortSignal) => Promise<Found | undefined>,
): Promise<Candidate[]> {
  const abort = new AbortController();
  let done = 0;
  let reportDone = () => {};
  const all = Promise.all(
    ids.map(async (id): Promise<Candidate> => {
      try {
        return { id, found: await lookUp(id, abort.signal) };
      } catch (error) {
        return { id, error };
      } finally {
        done++;
        reportDone();
      }
    }),
  );
  const early = await Promise.race([all, delay(PROGRESS_DELAY, { value: undefined })]);
  if (early) return early;
  const title = l10n.t('Looking up');
  return showProgress(title, (report, cancellation) => {
    cancellation.onCancellationRequested(() => abort.abort());
    let reported = 0;
    reportDone = () => {
      report({ message: l10n.t('{0} of {1}', done, ids.length), increment: (100 * (done - reported)) / ids.length });
      reported = done;
    };
    reportDone();
    return all;
  });
}

/** The candidates as items to pick from, grouped by result. */
export const candidateItems = (candidates: readonly Candidate[]): CandidateItem[] => byResult(candidates, item);

/** Items grouped by the result of a lookup. */
export function byResult<T extends Pick<Candidate, 'found' | 'error'>, I extends ListItem>(
  results: readonly T[],
  itemOf: (result: T) => I,
) {
  const found = results.filter((one) => one.found);
  const failed = results.filter(({ found, error }) => !found && error && !isFailure(error, 'notFound'));
  const missing = results.filter(({ found, error }) => !found && (!error || isFailure(error, 'notFound')));
  return [
    ...section(l10n.t('Found'), found.map(itemOf)),
    ...section(l10n.t("Doesn't exist"), missing.map(itemOf)),
    ...section(l10n.t('Lookup failed'), failed.map(itemOf)),
  ];
}

function item(candidate: Candidate): CandidateItem {
  const { id, found, error } = candidate;
  return found
    ? {
        candidate,
        label: safeLabel(displayName(found), KIND_ICONS[found.kind]),
        description: safeLabel(joinPhrases(id, summaryOf(found))),
      }
    : { candidate, label: safeLabel(id, 'warning'), detail: safeLabel(error ? errorText(error) : notFoundText(id)) };
}

/** Why typed text can't be used as IDs, or undefined. */
export function idsProblem(text: string): string | undefined {
  const ids = parseIds(text);
  if (ids.length === 0) return l10n.t('Enter at least one ID.');
  if (isTableWithoutIds(text)) return l10n.t('Enter only the IDs, without names of columns and other words.');
  const changed = ids.find(isChangedNumber);
  if (changed !== undefined) return rowProblemText({ code: 'changedId', args: [changed] });
  return ids.every(isIdentifier) ? undefined : l10n.t("An ID can't be longer than 200 characters.");
}

/** The message for an ID that doesn't exist. */
export const notFoundText = (id: string) => l10n.t('No person, bot, or group has the ID {0}.', id);
