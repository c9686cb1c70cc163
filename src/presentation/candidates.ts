/** IDs that are looked up together, and what is said of each. */
import delay from 'delay';
import { l10n } from 'vscode';
import { isFailure } from '../service/errors.ts';
import type { Found } from '../service/model.ts';
import { displayName, KIND_ICONS, summaryOf } from './describe.ts';
import { type ListItem, safeLabel, separator, showProgress } from './dialogs.ts';
import { errorText } from './errorText.ts';
import { joinPhrases } from './factParts.ts';

/** An ID and what its lookup said: whose it is, or what went wrong; neither where it is nobody's. */
export interface Candidate {
  readonly id: string;
  readonly found?: Found | undefined;
  readonly error?: unknown;
}

export interface CandidateItem extends ListItem {
  candidate?: Candidate;
}

/** What takes no longer needs no notice, which would outlive it (milliseconds). */
const SOON = 300;

/** Looks all of them up; what was not answered when the person cancels is a failure like others. */
export async function lookUpAll(
  ids: readonly string[],
  look: (id: string, signal: AbortSignal) => Promise<Found | undefined>,
): Promise<Candidate[]> {
  const abort = new AbortController();
  let done = 0;
  let tell = () => {};
  const all = Promise.all(
    ids.map(async (id): Promise<Candidate> => {
      try {
        return { id, found: await look(id, abort.signal) };
      } catch (error) {
        return { id, error };
      } finally {
        done++;
        tell();
      }
    }),
  );
  const early = await Promise.race([all, delay(SOON, { value: undefined })]);
  if (early) return early;
  const title = l10n.t('Looking up');
  return showProgress(title, (report, cancellation) => {
    cancellation.onCancellationRequested(() => abort.abort());
    let told = 0;
    tell = () => {
      report({ message: l10n.t('{0} of {1}', done, ids.length), increment: (100 * (done - told)) / ids.length });
      told = done;
    };
    tell();
    return all;
  });
}

/** All of them as items to pick from, by what became of them. */
export function candidateItems(candidates: readonly Candidate[]): CandidateItem[] {
  const found = candidates.filter((one) => one.found);
  const failed = candidates.filter(({ error }) => error && !isFailure(error, 'notFound'));
  const missing = candidates.filter((one) => !found.includes(one) && !failed.includes(one));
  return [
    ...section(l10n.t('Found'), found),
    ...section(l10n.t('Does not exist'), missing),
    ...section(l10n.t('Could not be looked up'), failed),
  ];
}

function section(label: string, candidates: readonly Candidate[]): CandidateItem[] {
  return candidates.length > 0 ? [separator(label), ...candidates.map(item)] : [];
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

/** What is said of an ID that belongs to nobody. */
export const notFoundText = (id: string) => l10n.t('No user, bot or group has the ID {0}.', id);
