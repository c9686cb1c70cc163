/**
 * Bold text whose stars Markdown leaves as they are: between a letter outside and a punctuation mark inside, they begin or
 * end nothing, as in `**注意：**明天`. Chinese has no spaces there that would make it bold.
 */
import { l10n } from 'vscode';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { proseIn } from '../../../markup/markdownCode.ts';
import type { Problem } from './problem.ts';
import { isIn } from './variables.ts';

/** At most this many are reported. */
const MAX_REPORTED = 20;

const BOLD = /(?<![\\*])\*\*(?=[^\s*])[^*\r\n]{1,500}\*\*(?!\*)/g;

/** Braces may be those of a variable, whose value decides. */
const STARTS_WITH_MARK = /^\*\*(?!\{)[\p{P}\p{S}]/u;
const ENDS_WITH_MARK = /(?!\})[\p{P}\p{S}]\*\*$/u;

/** Those outside code in a Markdown text from an offset on. Takes linear time. */
export function unclosedBold(text: string, from: number): Problem[] {
  const part = text.slice(from);
  const isInProse = isIn(part.includes('**') ? proseIn(part, '**') : []);
  const found = Array.from(part.matchAll(BOLD)).flatMap(({ 0: bold, index }): Problem[] => {
    const [start, end] = [from + index, from + index + bold.length];
    const edits = [
      ...(STARTS_WITH_MARK.test(bold) && /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, start - 2), start))
        ? [start]
        : []),
      ...(ENDS_WITH_MARK.test(bold) && /^[\p{L}\p{N}]/u.test(text.slice(end, end + 2)) ? [end] : []),
    ].map((at) => ({ start: at, end: at, text: ' ' }));
    if (!isInProse(index) || edits.length === 0) return [];
    const said = l10n.t("{0} isn't bold: Markdown needs a space between letters and its stars.", excerpt(bold, 60));
    return [{ severity: 'warning', text: said, start, end, fixes: [{ title: l10n.t('Add a space'), edits }] }];
  });
  return found.slice(0, MAX_REPORTED);
}
