/** Reads the YAML nodes of the `chat:` block, and reports what it can't read. */
import { isAlias, isMap, isScalar, isSeq, type ParsedNode, Scalar, type YAMLMap } from 'yaml';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { compileTemplate, renderTemplate } from '../../../markup/template.ts';
import { isForbidden } from '../../../markup/variablePlaces.ts';
import { joinNames } from '../../../presentation/formats.ts';
import { l10n } from '../../../presentation/shown.ts';
import { parseUrl } from '../../../service/address.ts';
import { suggestionsFor } from './keys.ts';
import { type ReportProblem, renameFix, type TextRange } from './problem.ts';

export interface Field {
  key: Scalar.Parsed;
  value: ParsedNode;
}
export type Fields<Key extends string> = { [K in Key]?: Field };

/** The fields of a map by key; undefined if it isn't a map. `extra` keys are allowed like `known` ones, but not suggested. */
export function readMap<Key extends string, Extra extends string = never>(
  node: ParsedNode,
  name: string,
  known: readonly Key[],
  report: ReportProblem,
  extra: readonly Extra[] = [],
): Fields<Key | Extra> | undefined {
  if (!isSupported(node, report)) return undefined;
  if (!isMap(node)) {
    report(rangeOf(node), keysExpected(name, known));
    return undefined;
  }
  const all: readonly string[] = [...known, ...extra];
  const present = new Set(keysOf(node));
  const fields: Record<string, Field> = Object.create(null);
  for (const { key, value } of node.items) {
    if (!isSupported(key, report)) continue;
    if (!isScalar(key)) {
      report(rangeOf(key), textExpected(name));
    } else if (!all.includes(key.source)) {
      const suggestions = suggestionsFor(key.source, known).filter((one) => !present.has(one));
      const fixes = suggestions.map((one) => renameFix(rangeOf(key), one));
      report(rangeOf(key), unknownKeyText(key.source), { fixes });
    } else if (fields[key.source]) {
      report(rangeOf(key), duplicateKeyText(key.source));
    } else {
      fields[key.source] = { key, value: value ?? emptyAfter(key) };
    }
  }
  return fields as Fields<Key | Extra>;
}

/** Says that a value must be a map, and its most important keys: the block has too many for a sentence. */
export const keysExpected = (name: string, known: readonly string[]) =>
  l10n.t('{0} needs keys, such as {1}.', name, joinNames(known.slice(0, 4)));

/** The keys of a map as written, empty for a key that is not a scalar. No keys for any other node. */
export function keysOf(node: ParsedNode | undefined): string[] {
  return isMap(node) ? node.items.map(({ key }) => (isScalar(key) ? key.source : '')) : [];
}

const WIDE_OPENING = /^[［【]/;
/** A closing bracket, also a wide one, to which the opening one may be missing. */
const CLOSING = /[\]］】]$/;

/** The items of a list; none for a missing value. `itemsIn` finds items that only white space separates. */
export function readList(
  { key, value }: Field,
  report: ReportProblem,
  itemsIn: (text: string) => readonly string[] = () => [],
): ParsedNode[] {
  if (!isSupported(value, report)) return [];
  if (isSeq(value)) return value.items;
  if (isEmptyNode(value)) return [];
  const { start, end } = rangeOf(value);
  const source = isScalar(value) ? value.source : '';
  // The brackets may be those of an input method for Chinese.
  const isPlain = isScalar(value) && value.type === 'PLAIN';
  const opening = isPlain && WIDE_OPENING.test(source) ? 1 : 0;
  const closing = isPlain && CLOSING.test(source) ? 1 : 0;
  const brackets = [
    { start, end: start + opening, text: '[' },
    { start: end - closing, end, text: ']' },
  ];
  const isBlock = isScalar(value) && /^BLOCK_/.test(value.type ?? '');
  // The text has several lines, without commas.
  const isFolded = isPlain && end - start !== source.length;
  const isParted = !isBlock && !isFolded && source.split(',').every((one) => !/\S\s+\S/.test(one));
  const items = isScalar(value) && !isParted ? itemsIn(source) : [];
  const list = `[${items.map(toYaml).join(', ')}]${isBlock ? '\n' : ''}`;
  const edits = items.length > 0 ? [{ start, end, text: list }] : brackets;
  const canConvert = isScalar(value) && (items.length > 0 || !(isBlock || isFolded));
  const fixes = canConvert ? [{ title: l10n.t('Convert to a list'), edits }] : [];
  report({ start, end }, l10n.t('{0} must be a list.', key.source), { fixes });
  return [];
}

/** A non-empty text, as written. Problems are reported for `name`, at `where` if the value has no place of its own. */
export function readText(node: ParsedNode, name: string, where: TextRange, report: ReportProblem): string | undefined {
  if (!isSupported(node, report)) return undefined;
  const place = rangeOf(node);
  if (!isScalar(node)) {
    if (isVariable(node)) reportUnquoted(place, report, keysOf(node.items[0]?.key).join());
    else report(place, textExpected(name));
    return undefined;
  }
  if (!isBlank(node)) return node.source;
  report(place.end > place.start ? place : where, l10n.t('{0} has no value.', name));
  return undefined;
}

/** The text of a field; undefined if there is none. */
export function readTextField(field: Field | undefined, report: ReportProblem): string | undefined {
  return field && readText(field.value, field.key.source, rangeOf(field.key), report);
}

/** The http or https URL in a field. Reports any other text. */
export function readUrlField(field: Field | undefined, report: ReportProblem): string | undefined {
  const text = readTextField(field, report)?.trim();
  if (text === undefined || !field) return undefined;
  const template = compileTemplate(text, 'address');
  const slots = template.filter((piece) => typeof piece !== 'string');
  // A URL with a variable is checked with the values of the recipients, and the place of a variable with the variables.
  if (slots.some(({ place }) => place === 'address' || isForbidden(place))) return text;
  const sample = renderTemplate(template, () => 'x');
  if (/^https?:\/\//i.test(sample) && parseUrl(sample)) return text;
  report(rangeOf(field.value), l10n.t('{0} must be a URL that starts with https:// or http://.', field.key.source));
  return undefined;
}

/** `{{name}}` without quotes, which is a map within a map. */
const isVariable = (node: ParsedNode): node is YAMLMap.Parsed<YAMLMap.Parsed> =>
  isMap(node) && node.flow === true && isMap(node.items[0]?.key);

/** Reports a value that needs quotes, because YAML takes its braces for a map. */
export function reportUnquoted(place: TextRange, report: ReportProblem, text = ''): void {
  const quote = text.includes('"') && !text.includes("'") ? "'" : '"';
  const edits = [place.start, place.end].map((at) => ({ start: at, end: at, text: quote }));
  const fixes = [{ title: l10n.t('Add quotes'), edits }];
  report(place, l10n.t('Put quotes around a value that begins with a variable.'), { fixes });
}

export const textExpected = (name: string) => l10n.t('{0} must be a single text value.', name);

export const unknownKeyText = (key: string) => l10n.t('Unknown key {0}.', excerpt(key));

export const duplicateKeyText = (key: string) => l10n.t('Duplicate key {0}.', excerpt(key));

/** Says that a key is missing, and what requires it. */
export const missingText = (key: string, by: string) => l10n.t('{0} is missing. {1} requires it.', key, by);

/** Says that a key has no effect, and what ignores it. */
export const unusedText = (key: string, by: string) => l10n.t("{0} isn't used with {1}.", key, by);

/** Says that aliases and the like aren't allowed in the block. */
export const unsupportedText = () => l10n.t("Aliases, tags, and top-level maps in braces aren't supported here.");

/** The range of a node, without its tag or anchor. A block collection ends with its last item, not with the line. */
export function rangeOf(node: ParsedNode): TextRange {
  let last = node;
  while ((isMap(last) || isSeq(last)) && !last.flow) {
    const item = isMap(last) ? (last.items.at(-1)?.value ?? last.items.at(-1)?.key) : last.items.at(-1);
    if (!item) break;
    last = item;
  }
  return { start: node.range[0], end: last.range[1] };
}

/** Whether a node is a missing value, `~` or `null`. */
export function isEmptyNode(node: ParsedNode): boolean {
  return isScalar(node) && node.type === 'PLAIN' && /^(?:~|null|)$/i.test(node.source);
}

/** Whether a value has no text, or is a quoted text of nothing but blanks. */
export const isBlank = (node: ParsedNode) => isEmptyNode(node) || (isScalar(node) && node.source.trim() === '');

/** The empty value of a key without a value, as in `{ bot }`. */
function emptyAfter({ range: [, end] }: Scalar.Parsed): ParsedNode {
  return Object.assign(new Scalar(''), { type: 'PLAIN', source: '', range: [end, end, end] }) as Scalar.Parsed;
}

export function isSupported(node: ParsedNode, report: ReportProblem): boolean {
  const isPlain = !isAlias(node) && node.tag === undefined;
  if (!isPlain) report(rangeOf(node), unsupportedText());
  return isPlain;
}

/** A text, quoted if YAML requires it. */
export const toYaml = (text: string) => (/^(?!null$)\w[\w.-]*$/i.test(text) ? text : JSON.stringify(text));
