/**
 * What people get wrong in front matter: keys of the `chat:` block beside it, where nobody would notice that an exception isn't
 * read, and what YAML takes otherwise than they mean it, which is wide colons, tabs, and braces and # without quotes.
 */
import { isMap, isScalar, type ParsedNode, visit, type YAMLMap } from 'yaml';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { findVariables } from '../../../markup/template.ts';
import { chatKindOf } from '../../../presentation/recipientCsv.ts';
import { l10n } from '../../../presentation/shown.ts';
import {
  ACTION_KEYS,
  BLOCK_KEYS,
  type BlockKey,
  BUTTON_KEYS,
  CONTENT_TYPES,
  isBlockKey,
  isRule,
  REQUIRED_KEYS,
} from './keys.ts';
import { parseYaml } from './parseYaml.ts';
import { type Fix, type ReportProblem, startOfLine, type TextRange } from './problem.ts';
import { NOT } from './where.ts';
import { isEmptyNode, keysOf, rangeOf } from './yamlFields.ts';

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
  // Something else in the front matter may be wrong as well.
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

type Item = YAMLMap.Parsed['items'][number];

/** A key with the blanks before it that YAML takes for a part of it. */
const BLANKS = /^[\p{Zs}\u200B\uFEFF]+/u;

/**
 * Reports keys of a block that have lost their indentation, or that are indented with other characters than spaces, and
 * returns them. `at` is the item of the block among those of the front matter, with which `text` ends.
 */
export function reportOutside(text: string, items: readonly Item[], at: number, report: ReportProblem): BlockKey[] {
  const block = items[at];
  if (!block) return [];
  const own = block.value ? keysOf(block.value) : [];
  const isEmpty = !block.value || isEmptyNode(block.value);
  const found: BlockKey[] = [];
  // Other keys of a site's page may be called the same.
  let isNext = true;
  const fix = indentFix(text, items, at);
  for (const [index, item] of items.entries()) {
    if (index === at) continue;
    const written = isScalar(item.key) ? item.key.source : '';
    const name = written.replace(BLANKS, '');
    const key = isBlockKey(name) ? name : undefined;
    const isIndented = name !== written;
    isNext &&= index < at || key !== undefined;
    if (!key || (!isIndented && own.includes(key))) continue;
    const isBelow = index > at && isNext;
    const isOwn = isOwnKey(key, item);
    if (!isIndented && !isOwn && !(isBelow && (isEmpty || mayBeMeant(key, item)))) continue;
    const { start, end } = rangeOf(item.key);
    const severity = isIndented || isOwn || isEmpty ? 'error' : 'warning';
    const place = { start: start + written.length - name.length, end };
    report(place, outsideText(key), { severity, ...(isBelow && fix && { fixes: [fix] }) });
    found.push(key);
  }
  return found;
}

/** Reports keys of the block in front matter without one, if they say who gets something and who doesn't. `place` is the YAML. */
export function reportWithoutBlock(
  text: string,
  items: readonly Item[],
  place: TextRange,
  report: ReportProblem,
): BlockKey[] {
  const found = items.flatMap((item) => {
    const name = isScalar(item.key) ? item.key.source : '';
    return isBlockKey(name) ? [{ name, key: item.key, isOwn: isOwnKey(name, item) }] : [];
  });
  if (!found.some(({ isOwn }) => isOwn) || found.every(({ isOwn }) => isOwn)) return [];
  const block = `chat:\n${text.slice(place.start, place.end).replace(/^(?=.*\S)/gm, '  ')}`;
  const fix: Fix = { title: l10n.t('Add chat: above'), edits: [{ ...place, text: block }] };
  // Keys that the block doesn't know belong to a site, so there's no fix.
  const fixes = found.length === items.length ? [fix] : [];
  for (const { name, key, isOwn } of found)
    if (isOwn)
      report(rangeOf(key), l10n.t('{0} is ignored, because there is no line with chat: above these keys.', name), {
        fixes,
      });
  return found.map(({ name }) => name);
}

/** Whether only the block can have a key: no page of a site says who gets something. */
const isOwnKey = (key: BlockKey, { value }: Item) => isRule(key) && isMap(value);

/** Whether a key has a value that it could have in a block. */
function mayBeMeant(key: BlockKey, { value }: Item): boolean {
  if (!value || isEmptyNode(value)) return false;
  const text = isScalar(value) ? value.source.trim() : '';
  if (key === 'type') return CONTENT_TYPES.some((type) => type === text);
  return key !== 'kind' || chatKindOf(text) !== undefined;
}

/** Indents the keys of a block right below it with spaces; undefined if nothing shows how far. */
function indentFix(text: string, items: readonly Item[], at: number): Fix | undefined {
  const isStray = ({ key }: Item) => isScalar(key) && isBlockKey(key.source.replace(BLANKS, ''));
  const after = items.slice(at + 1);
  const next = after.findIndex((item) => !isNested(item) && !isStray(item));
  const first = after[0]?.key.range[0];
  if (first === undefined || next === 0) return undefined;
  const value = items[at]?.value;
  const ownKey = isMap(value) && !value.flow ? value.items[0]?.key.range[0] : undefined;
  if (ownKey === undefined && value && !isEmptyNode(value)) return undefined;
  const from = startOfLine(text, first);
  const beyond = after[next]?.key.range[0];
  const to = beyond === undefined ? text.length : startOfLine(text, beyond);
  const width = (blanks: string) => blanks.replaceAll('\u3000', '  ').replace(/[\u200B\uFEFF]/g, '').length;
  const widthAt = (offset: number) => width(/^[\p{Zs}\u200B\uFEFF]*/u.exec(text.slice(offset))?.[0] ?? '');
  const chat = widthAt(startOfLine(text, items[at]?.key.range[0] ?? 0));
  const column = ownKey === undefined ? Math.max(chat + 2, widthAt(from)) : ownKey - startOfLine(text, ownKey);
  const more = column - widthAt(from);
  const indented = text
    .slice(from, to)
    .replace(/^([\p{Zs}\u200B\uFEFF]*)(?=\S)/gmu, (blanks) => ' '.repeat(Math.max(0, width(blanks) + more)));
  return { title: l10n.t('Indent below chat:'), edits: [{ start: from, end: to, text: indented }] };
}

/** Whether YAML takes a nested key for one of the block, because of the blanks before it. */
const isNested = ({ key }: Item) => isScalar(key) && BLANKS.test(key.source);

const outsideText = (key: string) =>
  l10n.t('{0} is outside the chat: block, so it would be ignored. Indent it below chat: with spaces.', key);
