/** Finds keys of the `chat:` block that stand beside it: nobody would notice that an exception isn't read. */
import { l10n } from 'vscode';
import { isMap, isScalar, type YAMLMap } from 'yaml';
import { chatKindOf } from '../../../presentation/recipientCsv.ts';
import { type BlockKey, CONTENT_TYPES, isBlockKey, isRule } from './keys.ts';
import { type Fix, type ReportProblem, startOfLine, type TextRange } from './problem.ts';
import { isEmptyNode, keysOf, rangeOf } from './yamlFields.ts';

type Item = YAMLMap.Parsed['items'][number];

/** A key with the blanks before it that YAML takes for a part of it. */
const BLANKS = /^[\p{Zs}\u200B\uFEFF]+/u;

/**
 * Reports keys of a block that have lost their indentation, or that are indented with other characters than spaces, and
 * returns them. `at` is the item of the block among those of the front matter, which ends at `end`.
 */
export function reportOutside(
  text: string,
  items: readonly Item[],
  at: number,
  end: number,
  report: ReportProblem,
): BlockKey[] {
  const block = items[at];
  if (!block) return [];
  const own = block.value ? keysOf(block.value) : [];
  const isEmpty = !block.value || isEmptyNode(block.value);
  const found: BlockKey[] = [];
  // Other keys of a site's page may be called the same.
  let isNext = true;
  const fix = indentFix(text, items, at, end);
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

/** The same for front matter without a block, if it says who gets something and who doesn't. `place` is its YAML. */
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
  // Others are a site's.
  const fixes = found.length === items.length ? [fix] : [];
  for (const { name, key, isOwn } of found)
    if (isOwn)
      report(rangeOf(key), l10n.t('{0} is ignored, because there is no line with chat: above these keys.', name), {
        fixes,
      });
  return found.map(({ name }) => name);
}

/** Whether a key can be that of the block alone: no page of a site says who gets something. */
const isOwnKey = (key: BlockKey, { value }: Item) => isRule(key) && isMap(value);

/** Whether the value of a key is one that it has in a block. */
function mayBeMeant(key: BlockKey, { value }: Item): boolean {
  if (!value || isEmptyNode(value)) return false;
  const text = isScalar(value) ? value.source.trim() : '';
  if (key === 'type') return CONTENT_TYPES.some((type) => type === text);
  return key !== 'kind' || chatKindOf(text) !== undefined;
}

/** Indents the keys of a block right below it with spaces; undefined if nothing shows how far. */
function indentFix(text: string, items: readonly Item[], at: number, end: number): Fix | undefined {
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
  const to = beyond === undefined ? end : startOfLine(text, beyond);
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

/** Whether YAML takes a key of a key of the block for one beside it, because of the blanks before it. */
const isNested = ({ key }: Item) => isScalar(key) && BLANKS.test(key.source);

const outsideText = (key: string) =>
  l10n.t('{0} is outside the chat: block, so it would be ignored. Indent it below chat: with spaces.', key);
