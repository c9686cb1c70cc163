/** Reading the values of a YAML tree as the `chat:` block wants them; all else is reported. */
import { meantBy } from './keys.ts';
import type { Place, Report } from './problem.ts';
import type { Node, Scalar } from './yamlTree.ts';

export interface Field {
  key: Scalar;
  value: Node;
}
type Fields<Key extends string> = { [K in Key]?: Field };

/**
 * The fields of a map by their keys; none where there is something else. `known` are the keys that it may have.
 * `extra` ones may be there too, but are proposed to nobody.
 */
export function fieldsOf<Key extends string, Extra extends string = never>(
  node: Node,
  name: string,
  known: readonly Key[],
  report: Report,
  extra: readonly Extra[] = [],
): Fields<Key | Extra> | undefined {
  if (!isSupported(node, report)) return undefined;
  if (node.kind !== 'map') {
    report('mapExpected', node, [name]);
    return undefined;
  }
  const all: readonly string[] = [...known, ...extra];
  const written = new Set(node.entries.map(({ key }) => (key.kind === 'scalar' ? key.text : '')));
  const fields: Record<string, Field> = Object.create(null);
  for (const { key, value } of node.entries) {
    if (!isSupported(key, report)) continue;
    if (key.kind !== 'scalar') {
      report('textExpected', key, [name]);
    } else if (!all.includes(key.text)) {
      const meant = meantBy(key.text, known).filter((one) => !written.has(one));
      const fixes = meant.map((text) => ({
        code: 'rename' as const,
        args: [text],
        edits: [{ ...placeOf(key), text }],
      }));
      report('unknownKey', key, [key.text], { fixes });
    } else if (fields[key.text]) {
      report('duplicateKey', key, [key.text]);
    } else {
      fields[key.text] = { key, value };
    }
  }
  return fields as Fields<Key | Extra>;
}

/** The elements of a list; none where nothing is written. */
export function itemsOf({ key, value }: Field, report: Report): Node[] {
  if (!isSupported(value, report)) return [];
  if (value.kind === 'list') return value.items;
  if (value.kind === 'scalar' && value.isEmpty) return [];
  const brackets = [
    { start: value.start, end: value.start, text: '[' },
    { start: value.end, end: value.end, text: ']' },
  ];
  const fixes = value.kind === 'scalar' ? [{ code: 'list' as const, args: [], edits: brackets }] : [];
  report('listExpected', value, [key.text], { fixes });
  return [];
}

/** A text that is there, as it is written; `name` is what it is said to be, at `where` if nothing stands there. */
export function textOf(node: Node, name: string, where: Place, report: Report): string | undefined {
  if (!isSupported(node, report)) return undefined;
  if (node.kind !== 'scalar') {
    report('textExpected', node, [name]);
    return undefined;
  }
  if (!node.isEmpty && node.text.trim()) return node.text;
  report('emptyValue', node.end > node.start ? node : where, [name]);
  return undefined;
}

/** The text of a field; undefined where the field is not there, or has none. */
export function fieldText(field: Field | undefined, report: Report): string | undefined {
  return field && textOf(field.value, field.key.text, field.key, report);
}

/** A web address; `report` hears of what is none. */
export function addressOf(field: Field | undefined, report: Report): string | undefined {
  const text = fieldText(field, report)?.trim();
  if (text === undefined || !field) return undefined;
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text;
  report('notAddress', field.value, [field.key.text]);
  return undefined;
}

export const placeOf = ({ start, end }: Place): Place => ({ start, end });

function isSupported(node: Node, report: Report): boolean {
  const isOne = node.kind !== 'alias' && !node.isTagged;
  if (!isOne) report('unsupported', node);
  return isOne;
}
