/** Buttons of the `chat:` block (contract 2.8). */
import { isSeq, type ParsedNode } from 'yaml';
import type { OutgoingButton } from '../../service/message.ts';
import { ACTION_KEYS, BUTTON_KEYS, EFFECT_KEYS } from './keys.ts';
import type { ReportProblem } from './problem.ts';
import { type Field, keysOf, rangeOf, readList, readMap, readTextField, readUrlField } from './yamlFields.ts';

/** Rows of buttons. A flat list reads as one row, as it does in messages that come. */
export function readButtons(field: Field | undefined, report: ReportProblem): OutgoingButton[][] {
  const items = field ? readList(field, report) : [];
  const rows = items.some(isSeq) ? items.map((item) => (isSeq(item) ? item.items : [item])) : [items];
  return rows.map((row) => row.flatMap((node) => readButton(node, report) ?? [])).filter(({ length }) => length > 0);
}

function readButton(node: ParsedNode, report: ReportProblem): OutgoingButton | undefined {
  const names = keysOf(node);
  // Without the type of an action, its other words are guesses.
  const extra = names.includes('actionType') ? ACTION_KEYS : [];
  const known: unknown[] = [...BUTTON_KEYS, ...extra];
  const isComplete = names.every((name) => known.includes(name));
  const fields = readMap(node, 'buttons', BUTTON_KEYS, report, extra);
  if (!fields) return undefined;
  const { text: label, actionType } = fields;
  if (!label && isComplete) report('noText', rangeOf(node));
  const text = readTextField(label, report);
  const effects = [...EFFECT_KEYS, 'actionType' as const].flatMap((name) => fields[name] ?? []);
  const [effect, second] = effects;
  if (second) report('twoEffects', rangeOf(second.key));
  else if (!effect && isComplete) report('noEffect', rangeOf(node));
  const action = actionType ? readAction(actionType, fields, report) : readEffect(fields, report);
  return text === undefined || !action || second ? undefined : { text, ...action };
}

type Action = Omit<OutgoingButton, 'text'>;

function readEffect(
  fields: { [K in (typeof EFFECT_KEYS)[number]]?: Field },
  report: ReportProblem,
): Action | undefined {
  const { opens, copies, reports } = fields;
  const url = readUrlField(opens, report);
  if (url !== undefined) return { actionType: 1, url };
  const value = readTextField(copies ?? reports, report);
  return value === undefined ? undefined : { actionType: copies ? 2 : 3, value };
}

/** The contract's own words. Types that it does not have go out as they are written: what they do is not known. */
function readAction(
  field: Field,
  { url, value }: { url?: Field; value?: Field },
  report: ReportProblem,
): Action | undefined {
  const text = readTextField(field, report)?.trim();
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) {
    report('unknownAction', rangeOf(field.value), [text]);
    return undefined;
  }
  const actionType = Number(text);
  const isKnown = actionType >= 1 && actionType <= 3;
  if (!isKnown) {
    report('undocumentedAction', rangeOf(field.value), [text], { severity: 'warning' });
    const [given, other] = [readTextField(url, report), readTextField(value, report)];
    return { actionType, ...(given !== undefined && { url: given }), ...(other !== undefined && { value: other }) };
  }
  const [needed, spare] = actionType === 1 ? [url, value] : [value, url];
  if (spare) report('unused', rangeOf(spare.key), [spare.key.source, `actionType: ${text}`], { severity: 'warning' });
  if (!needed) {
    report('missing', rangeOf(field.value), [actionType === 1 ? 'url' : 'value', `actionType: ${text}`]);
    return undefined;
  }
  const read = actionType === 1 ? readUrlField(needed, report) : readTextField(needed, report);
  if (read === undefined) return undefined;
  return { actionType, ...(actionType === 1 ? { url: read } : { value: read }) };
}
