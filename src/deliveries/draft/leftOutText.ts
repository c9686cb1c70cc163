/** Why someone is left out of a delivery, in words. */
import { l10n } from 'vscode';
import { escapeInvisible, excerpt } from '../../markup/escapeInvisible.ts';
import { joinPhrases } from '../../presentation/factParts.ts';
import { formatCount } from '../../presentation/formats.ts';
import { onListText } from '../../presentation/neverSend.ts';
import type { Chat } from '../../service/model.ts';
import { type Reason, type Rule, type Rules, reasonFor } from './leaveOut.ts';

/** How many of those left out are named for each rule. */
export const MAX_LEFT_OUT = 3;

/** How much of a note is shown (UTF-16 units). */
const MAX_NOTE = 100;

export const quotedNote = (note: string) => excerpt(note, MAX_NOTE, escapeInvisible);

/** Why one is left out. */
export function reasonText({ by, note }: Reason): string {
  switch (by) {
    case 'never':
      return onListText(note);
    case 'except':
      return note
        ? l10n.t('Under except: in the document: {0}', quotedNote(note))
        : l10n.t('Under except: in the document');
    case 'where':
      return l10n.t("Doesn't match where: in the document");
    case 'needless':
      return l10n.t("Had this message, or didn't exist");
  }
}

/** Why a chat gets nothing; undefined if it isn't left out. */
export function whyLeftOut(chat: Chat, rules: Rules): string | undefined {
  const reason = reasonFor(chat, rules);
  return reason && reasonText(reason);
}

/** How many a rule leaves out, before their names. */
export function ruleText(rule: Rule, count: number): string {
  const number = formatCount(count);
  switch (rule) {
    case 'never':
      return l10n.t('Left out, on your Do Not Send list ({0}):', number);
    case 'except':
      return l10n.t('Left out by except ({0}):', number);
    case 'where':
      return l10n.t('Left out by where ({0}):', number);
    case 'needless':
      return l10n.t("Left out, because they had this message or didn't exist ({0}):", number);
  }
}

/** How many are left out by each rule, in one line; empty if nobody is. */
export function leftOutCountText(counts: Readonly<Record<Rule, number>>): string {
  const phrases = [
    counts.never > 0 && l10n.t('Do Not Send list {0}', formatCount(counts.never)),
    counts.except > 0 && `except ${formatCount(counts.except)}`,
    counts.where > 0 && `where ${formatCount(counts.where)}`,
    counts.needless > 0 && l10n.t("had it or didn't exist {0}", formatCount(counts.needless)),
  ];
  const text = joinPhrases(...phrases);
  return text && l10n.t('Left out: {0}', text);
}

/** How many rows of the recipient file weren't picked. They aren't recorded by name. */
export const rowsText = (rows: number) =>
  l10n.t("Rows of the recipient file that don't match “where”: {0}.", formatCount(rows));
