/** Reads the YAML nodes of the `chat:` block, and reports what it can't read. */
import { isAlias, isMap, isScalar, isSeq, type ParsedNode, Scalar } from 'yaml';
import { compileTemplate, renderTemplate } from '../../../markup/template.ts';
import { isForbidden } from '../../../markup/variablePlaces.ts';
import { suggestionsFor } from './keys.ts';
import type { Fix, ReportProblem, TextRange } from './problem.ts';

export interface Field {
  key: Scalar.Parsed;
  value: ParsedNode;
}
type Fields<Key extends string> = { [K in Key]?: Field };

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
    report('mapExpected', rangeOf(node), [name]);
    return undefined;
  }
  const all: readonly string[] = [...known, ...extra];
  const present = new Set(keysOf(node));
  const fields: Record<string, Field> = Object.create(null);
  for (const { key, value } of node.items) {
    if (!isSupported(key, report)) continue;
    if (!isScalar(key)) {
      report('textExpected', rangeOf(key), [name]);
    } else if (!all.includes(key.source)) {
      const suggestions = suggestionsFor(key.source, known).filter((one) => !present.has(one));
      const fixes = suggestions.map((text) => ({
        code: 'rename' as const,
        args: [text],
        edits: [{ ...rangeOf(key), text }],
      }));
      report('unknownKey', rangeOf(key), [key.source], { fixes });
    } else if (fields[key.source]) {
      report('duplicateKey', rangeOf(key), [key.source]);
    } else {
      fields[key.source] = { key, value: value ?? emptyAfter(key) };
    }
  }
  return fields as Fields<Key | Extra>;
}

/** The keys of a map as written, empty for a key that is not a scalar. No keys for any other node. */
export function keysOf(node: ParsedNode): string[] {
  return isMap(node) ? node.items.map(({ key }) => (isScalar(key) ? key.source : '')) : [];
}

/** The items of a list; none for a missing value. */
export function readList({ key, value }: Field, report: ReportProblem): ParsedNode[] {
  if (!isSupported(value, report)) return [];
  if (isSeq(value)) return value.items;
  if (isEmptyNode(value)) return [];
  const { start, end } = rangeOf(value);
  const brackets = [
    { start, end: start, text: '[' },
    { start: end, end, text: ']' },
  ];
  const fixes = isScalar(value) ? [{ code: 'list' as const, args: [], edits: brackets }] : [];
  report('listExpected', { start, end }, [key.source], { fixes });
  return [];
}

/** A non-empty text, as written. Problems are reported for `name`, at `where` if the value has no place of its own. */
export function readText(node: ParsedNode, name: string, where: TextRange, report: ReportProblem): string | undefined {
  if (!isSupported(node, report)) return undefined;
  const place = rangeOf(node);
  if (!isScalar(node)) {
    if (isVariable(node)) report('unquotedVariable', place, [], { fixes: [quoteFix(place)] });
    else report('textExpected', place, [name]);
    return undefined;
  }
  if (!isEmptyNode(node) && node.source.trim()) return node.source;
  report('emptyValue', place.end > place.start ? place : where, [name]);
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
  // Whether a recipient's value is a URL is checked with the values, and where a variable can't be, with the variables.
  if (slots.some(({ place }) => place === 'address' || isForbidden(place))) return text;
  const sample = renderTemplate(template, () => 'x');
  if (/^https?:\/\//i.test(sample) && URL.canParse(sample)) return text;
  report('notAddress', rangeOf(field.value), [field.key.source]);
  return undefined;
}

/** `{{name}}` without quotes, which is a map within a map. */
const isVariable = (node: ParsedNode) => isMap(node) && node.flow === true && isMap(node.items[0]?.key);

/** Puts quotes around a value. */
export function quoteFix({ start, end }: TextRange): Fix {
  const edits = [start, end].map((at) => ({ start: at, end: at, text: '"' }));
  return { code: 'quote', args: [], edits };
}

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

/** True for a missing value, `~` and `null`. */
export function isEmptyNode(node: ParsedNode): boolean {
  return isScalar(node) && node.type === 'PLAIN' && /^(?:~|null|)$/i.test(node.source);
}

/** The value of a key without one, as in `{ bot }`. */
function emptyAfter({ range: [, end] }: Scalar.Parsed): ParsedNode {
  return Object.assign(new Scalar(''), { type: 'PLAIN', source: '', range: [end, end, end] }) as Scalar.Parsed;
}

function isSupported(node: ParsedNode, report: ReportProblem): boolean {
  const isPlain = !isAlias(node) && node.tag === undefined;
  if (!isPlain) report('unsupported', rangeOf(node));
  return isPlain;
}

/** A text, quoted if YAML requires it. */
export const toYaml = (text: string) => (/^(?!null$)\w[\w.-]*$/i.test(text) ? text : JSON.stringify(text));
