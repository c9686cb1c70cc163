/**
 * `where:` picks rows of the recipient file: `city: Berlin`, `plan: [pro, team]`, `email: present`, and below `not:` what mustn't
 * hold. A value is compared as text, without white space around it: case and leading zeros count, but what looks the same is
 * the same (NFC), as are names of columns. `present` without quotation marks means that there is any value.
 */
import { isMap, isScalar, isSeq, type ParsedNode } from 'yaml';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { l10n } from '../../../presentation/shown.ts';
import type { ReportProblem, TextRange } from './problem.ts';
import { duplicateKeyText, isEmptyNode, isSupported, keysOf, rangeOf, readText, textExpected } from './yamlFields.ts';

/** One line of `where:`, which holds for a row if its cell is one of the values, or isn't empty. */
export interface Condition {
  readonly column: { readonly name: string } & TextRange;
  readonly values: 'present' | readonly ({ readonly text: string } & TextRange)[];
  /** Whether the line is below `not:`. */
  readonly isNot: boolean;
}

export interface Where extends TextRange {
  readonly conditions: readonly Condition[];
}

/** The word that picks every row whose cell isn't empty. */
export const PRESENT = 'present';
export const NOT = 'not';

export function readWhere(node: ParsedNode, key: TextRange, report: ReportProblem): Where | undefined {
  const conditions = conditionsIn(node, 'where', false, report);
  if (!conditions) return undefined;
  if (keysOf(node).length === 0) report(key, l10n.t('{0} has no value.', 'where'));
  return conditions.length > 0 ? { conditions, ...key } : undefined;
}

/** A key that conditions share if they pick the same rows, wherever they stand. */
export const whereKey = ({ conditions }: Where) =>
  JSON.stringify(
    conditions.map(({ column, values, isNot }) => [
      isNot,
      column.name,
      typeof values === 'string' ? values : values.map(({ text }) => text),
    ]),
  );

function conditionsIn(
  node: ParsedNode,
  name: string,
  isNot: boolean,
  report: ReportProblem,
): readonly Condition[] | undefined {
  if (!isSupported(node, report)) return undefined;
  if (isEmptyNode(node)) return [];
  if (!isMap(node)) {
    report(rangeOf(node), l10n.t('{0} needs keys that are columns of the file.', name));
    return undefined;
  }
  const seen = new Set<string>();
  return node.items.flatMap(({ key, value }): readonly Condition[] => {
    if (!isSupported(key, report)) return [];
    const place = rangeOf(key);
    const column = isScalar(key) ? key.source.trim().normalize('NFC') : '';
    if (!column) report(place, textExpected(name));
    else if (seen.has(column)) report(place, duplicateKeyText(column));
    if (!column || seen.has(column)) return [];
    seen.add(column);
    if (column === NOT && !isNot) {
      const below = value ? conditionsIn(value, NOT, true, report) : [];
      if (below?.length === 0 && (!value || keysOf(value).length === 0))
        report(place, l10n.t('{0} has no value.', NOT));
      return below ?? [];
    }
    const values = valuesIn(value, column, place, report);
    return values ? [{ column: { name: column, ...place }, values, isNot }] : [];
  });
}

function valuesIn(
  node: ParsedNode | null,
  column: string,
  key: TextRange,
  report: ReportProblem,
): Condition['values'] | undefined {
  if (!node || isEmptyNode(node)) {
    report(
      key,
      l10n.t(
        '{0} has no value. To pick empty cells, write {1} below not:.',
        excerpt(column, 60),
        `${column}: ${PRESENT}`,
      ),
    );
    return undefined;
  }
  if (isScalar(node) && node.type === 'PLAIN' && node.source.trim() === PRESENT) return PRESENT;
  const items = isSeq(node) ? node.items : [node];
  const values = items.flatMap((item) => {
    const text = readText(item, column, key, report);
    return text === undefined ? [] : [{ text: text.trim(), ...rangeOf(item) }];
  });
  if (items.length === 0) report(rangeOf(node), l10n.t('{0} has no value.', excerpt(column, 60)));
  return values.length > 0 ? values : undefined;
}
