/** Why someone is left out of a delivery, in words. */
import { escapeInvisible, excerpt } from '../../markup/escapeInvisible.ts';
import { joinPhrases } from '../../presentation/factParts.ts';
import { formatCount } from '../../presentation/formats.ts';
import { onListText } from '../../presentation/neverSend.ts';
import { l10n, type ShownText, shownText } from '../../presentation/shown.ts';
import type { Chat } from '../../service/model.ts';
import { type Reason, RULES, type Rule, type Rules } from './leaveOut.ts';

/** How many people who are left out are named for each rule. */
export const MAX_LEFT_OUT = 3;

/** How much of a note is shown (UTF-16 units). */
const MAX_NOTE = 100;

export const quotedNote = (note: string) => excerpt(note, MAX_NOTE, escapeInvisible);

/** The texts about a rule; numbers are formatted. */
interface RuleTexts {
  /** Why one is left out. */
  reason(note: string): ShownText;
  /** How many people are left out, before their names. */
  heading(number: ShownText): ShownText;
  /** How many people are left out, beside the counts of other rules. */
  count(number: ShownText): ShownText;
}

const TEXTS: Readonly<Record<Rule, RuleTexts>> = {
  never: {
    reason: onListText,
    heading: (number) => l10n.t('Left out, on your Do Not Send list ({0}):', number),
    count: (number) => l10n.t('Do Not Send list {0}', number),
  },
  except: {
    reason: (note) =>
      note ? l10n.t('Under except: in the document: {0}', quotedNote(note)) : l10n.t('Under except: in the document'),
    heading: (number) => l10n.t('Left out by except ({0}):', number),
    count: (number) => shownText`except ${number}`,
  },
  where: {
    reason: () => l10n.t("Doesn't match where: in the document"),
    heading: (number) => l10n.t('Left out by where ({0}):', number),
    count: (number) => shownText`where ${number}`,
  },
  needless: {
    reason: () => l10n.t("Had this message, or didn't exist"),
    heading: (number) => l10n.t("Left out, because they had this message or didn't exist ({0}):", number),
    count: (number) => l10n.t("had it or didn't exist {0}", number),
  },
};

/** Why one is left out. */
export const reasonText = ({ by, note }: Reason) => TEXTS[by].reason(note);

/** Why a chat gets nothing; undefined if it isn't left out. */
export function whyLeftOut(chat: Chat, rules: Rules): ShownText | undefined {
  const reason = rules.reasonFor(chat);
  return reason && reasonText(reason);
}

/** How many people a rule leaves out, before their names. */
export const ruleText = (rule: Rule, count: number) => TEXTS[rule].heading(formatCount(count));

/** How many people each rule leaves out, in one line; empty if nobody is left out. */
export function leftOutCountText(counts: Readonly<Record<Rule, number>>): ShownText {
  const text = joinPhrases(...RULES.map((rule) => counts[rule] > 0 && TEXTS[rule].count(formatCount(counts[rule]))));
  return text && l10n.t('Left out: {0}', text);
}

/** How many rows of the recipient file weren't picked; such rows aren't recorded by name. */
export const rowsText = (rows: number) =>
  l10n.t("Rows of the recipient file that don't match “where”: {0}.", formatCount(rows));
