/** Shows the results of lookups to pick from. */
import { isChangedNumber } from '../markup/listedId.ts';
import { parseIds } from '../markup/pastedIds.ts';
import { mentionsToken } from '../markup/pastedToken.ts';
import { isIdentifier } from '../service/fields.ts';
import type { Chat, Found } from '../service/model.ts';
import { section } from './chatItems.ts';
import { KIND_ICONS, type KnownNames, nameOrId, otherName, ownName, summaryOf } from './describe.ts';
import { type ListItem, listItem } from './dialogs.ts';
import { errorText } from './errorText.ts';
import { joinPhrases } from './factParts.ts';
import { joinSentences } from './formats.ts';
import { type ChatLookup, isMissing, type Lookup } from './lookups.ts';
import { idProblemText, isTableWithoutIds } from './recipientCsv.ts';
import { l10n, type ShownText } from './shown.ts';

export interface CandidateItem extends ListItem {
  candidate?: Lookup;
}

/** The candidates as items to pick from, grouped by result. */
export const candidateItems = (candidates: readonly Lookup[], known: KnownNames): CandidateItem[] =>
  byResult(candidates, (one) => item(one, known));

/** Items grouped by the result of a lookup. */
export function byResult<T extends Pick<Lookup, 'found' | 'error'>, I extends ListItem>(
  results: readonly T[],
  itemOf: (result: T) => I,
) {
  const found = results.filter((one) => one.found);
  const failed = results.filter((one) => !one.found && !isMissing(one));
  return [
    ...section(l10n.t('Found'), found.map(itemOf)),
    ...section(l10n.t("Doesn't exist"), results.filter(isMissing).map(itemOf)),
    ...section(l10n.t('Lookup failed'), failed.map(itemOf)),
  ];
}

function item(candidate: Lookup, known: KnownNames): CandidateItem {
  const { id, found } = candidate;
  return found
    ? listItem({
        candidate,
        icon: KIND_ICONS[found.kind],
        label: nameOrId(known, found.kind, id),
        description: joinPhrases(otherName(known, found.kind, id), id, summaryOf(found)),
      })
    : listItem({ candidate, icon: 'warning', label: id, detail: problemText(candidate) });
}

/** Why an ID wasn't found, after what has the ID instead. */
export const problemText = ({ id, error, instead }: Omit<Lookup, 'kind'>) =>
  joinSentences(instead && insteadText(instead), error ? errorText(error) : notFoundText(id));

function insteadText(found: Found): ShownText {
  const name = ownName(found);
  switch (found.kind) {
    case 'group':
      return l10n.t('This is the ID of a group: {0}.', name);
    case 'bot':
      return l10n.t('This is the ID of a bot: {0}.', name);
    case 'user':
      return l10n.t('This is the ID of a person: {0}.', name);
  }
}

/** An item that says what an ID is, or why that isn't known, and as what it would be added. */
export function lookupItem({ chat, found, ...outcome }: ChatLookup, known: KnownNames): ListItem & { chat: Chat } {
  const { kind, id } = chat;
  const action = kind === 'group' ? l10n.t('add as a group') : l10n.t('add as a person');
  return listItem({
    chat,
    icon: KIND_ICONS[kind],
    label: nameOrId(known, kind, id),
    description: joinPhrases(otherName(known, kind, id), id, action),
    detail: found ? summaryOf(found) : problemText({ id, ...outcome }),
  });
}

/** Why typed text can't be used as IDs, or undefined. */
export function idsProblem(text: string): ShownText | undefined {
  const ids = parseIds(text);
  // Like an ID, a token would be sent to the address of lookups, and shown.
  if (mentionsToken(text)) return l10n.t('A token is in this text. Enter only IDs.');
  if (ids.length === 0) return l10n.t('Enter at least one ID.');
  if (isTableWithoutIds(text)) return l10n.t('Enter only the IDs, without names of columns and other words.');
  const changed = ids.find(isChangedNumber);
  if (changed !== undefined) return idProblemText('changed', changed);
  return ids.every(isIdentifier) ? undefined : l10n.t("An ID can't be longer than 200 characters.");
}

/** The message for an ID that doesn't exist. */
export const notFoundText = (id: string) => l10n.t('No person, bot, or group has the ID {0}.', id);
