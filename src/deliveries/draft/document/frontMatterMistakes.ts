/** What people write in front matter that YAML takes otherwise: wide colons, tabs, and braces and # without quotes. */
import { l10n } from 'vscode';
import { isScalar, type ParsedNode, visit } from 'yaml';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { findVariables } from '../../../markup/template.ts';
import { ACTION_KEYS, BLOCK_KEYS, BUTTON_KEYS, REQUIRED_KEYS } from './keys.ts';
import { parseYaml } from './parseYaml.ts';
import type { Fix, ReportProblem, TextRange } from './problem.ts';
import { NOT } from './where.ts';

/** The colons after keys of the block that an input method for Chinese made wide: YAML takes them for letters. */
export function wideColonsIn(text: string, start: number, end: number): TextRange[] {
  const line = /^[ \t]*(?:-[ \t]+)*["']?(\w{1,20})["']?[ \t]*[：﹕][ \t]*/gmu;
  return Array.from(text.slice(start, end).matchAll(line)).flatMap(({ 0: all, 1: key = '', index }) => {
    if (key !== 'chat' && !WRITTEN_KEYS.has(key)) return [];
    const at = start + index + all.search(/[：﹕]/u);
    return [{ start: at, end: start + index + all.length }];
  });
}

const WRITTEN_KEYS: ReadonlySet<string> = new Set([...BLOCK_KEYS, ...BUTTON_KEYS, ...ACTION_KEYS, NOT]);

export function reportWideColons(places: readonly TextRange[], report: ReportProblem): void {
  const edits = places.map((place) => ({ ...place, text: ': ' }));
  const all: Fix = { title: l10n.t('Replace all with plain colons'), edits };
  for (const edit of edits) {
    const fixes = [{ title: l10n.t('Replace with a plain colon'), edits: [edit] }, ...(edits.length > 1 ? [all] : [])];
    const place = { start: edit.start, end: edit.start + 1 };
    report(place, l10n.t('This colon is a full-width one. YAML needs a plain colon and a space.'), { fixes });
  }
}

/** How far apart tab stops may be: what is written with tabs and spaces fits together only at one of them. */
const TAB_WIDTHS = [2, 4, 8];

/** Indents with spaces instead of tabs; undefined if the front matter has no tabs, or if they aren't what is wrong with it. */
export function spacesFix(text: string, start: number, error: string): Fix | undefined {
  const indents = Array.from(text.slice(start).matchAll(/^(?=[ -]*\t)[ \t]*(?:-[ \t]+)*/gm));
  if (indents.length === 0) return undefined;
  const tried = TAB_WIDTHS.map((width) => {
    const edits = indents.map(({ 0: indent, index }) => ({
      start: start + index,
      end: start + index + indent.length,
      text: withSpaces(indent, width),
    }));
    let at = 0;
    const pieces = edits.map((edit) => {
      const piece = text.slice(at, edit.start) + edit.text;
      at = edit.end;
      return piece;
    });
    const parsed = parseYaml(pieces.join('') + text.slice(at), start);
    return { edits, error: 'error' in parsed ? parsed.error : undefined };
  });
  // Something else may be wrong as well.
  const best = tried.find((one) => one.error === undefined) ?? tried.find((one) => one.error !== error);
  return best && { title: l10n.t('Replace the tabs with spaces'), edits: best.edits };
}

const withSpaces = (indent: string, width: number) =>
  indent.split('\t').reduce((line, part) => line.padEnd((Math.floor(line.length / width) + 1) * width) + part);

/** A value in the line at an offset that begins with a variable: YAML takes its braces for a map. */
export function unquotedVariable(text: string, line: number): TextRange | undefined {
  const [content = ''] = text.slice(line).split(/\r?\n/, 1);
  const before = /[:-][ \t]+(?=\{\{)/.exec(content);
  if (!before) return undefined;
  const at = before.index + before[0].length;
  const value = content.slice(at);
  // In brackets or braces, other values follow, elsewhere perhaps a comment.
  const isInBrackets = /[[{]/.test(content.slice(0, at));
  const [own = ''] = (isInBrackets ? /^(?:\{\{[^{}]*\}\}|[^,[\]{}])*/ : /^(?:(?!\s#).)*/).exec(value) ?? [];
  return own ? { start: line + at, end: line + at + own.trimEnd().length } : undefined;
}

/** Keys whose values may have variables. */
const TEXT_KEYS: ReadonlySet<string> = new Set([
  ...BUTTON_KEYS,
  ...ACTION_KEYS,
  ...Object.values(REQUIRED_KEYS).flat(),
]);

/** Reports values that end before a variable because YAML takes the rest for a comment, as in `Order #{{order}}`. */
export function reportCommented(text: string, block: ParsedNode, report: ReportProblem): void {
  visit(block, {
    Pair: (_, { key, value }) => {
      if (!isScalar(key) || !isScalar(value) || value.type !== 'PLAIN' || !TEXT_KEYS.has(String(key.value))) return;
      const [start, at] = value.range ?? [0, 0];
      const [comment = ''] = /^[ \t]+#[^\r\n]*/.exec(text.slice(at)) ?? [];
      const whole = text.slice(start, at) + comment.trimEnd();
      if (findVariables(whole).every(({ end }) => end <= at - start)) return;
      const end = start + whole.length;
      const quote = /["\\]/.test(whole) ? "'" : '"';
      const edits = [start, end].map((at) => ({ start: at, end: at, text: quote }));
      const fixes = at > start && !whole.includes(quote) ? [{ title: l10n.t('Add quotes'), edits }] : [];
      const hash = at + comment.indexOf('#');
      report({ start: hash, end }, commentedText(text.slice(hash, end)), { severity: 'warning', fixes });
    },
  });
}

const commentedText = (comment: string) =>
  l10n.t(
    "In YAML, # begins a comment, so this isn't a part of the value: {0}. Put quotes around the value.",
    excerpt(comment, 60),
  );
