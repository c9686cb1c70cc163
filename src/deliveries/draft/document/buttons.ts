/** Buttons of the `chat:` block (contract 2.8). */
import { l10n } from 'vscode';
import { isSeq, type ParsedNode } from 'yaml';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import type { OutgoingButton } from '../../../service/message.ts';
import { ACTION_KEYS, BUTTON_KEYS, EFFECT_KEYS } from './keys.ts';
import type { ReportProblem } from './problem.ts';
import {
  type Field,
  keysOf,
  missingText,
  rangeOf,
  readList,
  readMap,
  readTextField,
  readUrlField,
  unusedText,
} from './yamlFields.ts';

/** Rows of buttons. A flat list is one row, as in received messages. */
export function readButtons(field: Field | undefined, report: ReportProblem): OutgoingButton[][] {
  const items = field ? readList(field, report) : [];
  const rows = items.some(isSeq) ? items.map((item) => (isSeq(item) ? item.items : [item])) : [items];
  return rows.map((row) => row.flatMap((node) => readButton(node, report) ?? [])).filter(({ length }) => length > 0);
}

function readButton(node: ParsedNode, report: ReportProblem): OutgoingButton | undefined {
  const names = keysOf(node);
  // Without `actionType`, `url` and `value` are unknown keys.
  const actionKeys = names.includes('actionType') ? ACTION_KEYS : [];
  const known: unknown[] = [...BUTTON_KEYS, ...actionKeys];
  const isComplete = names.every((name) => known.includes(name));
  const fields = readMap(node, 'buttons', BUTTON_KEYS, report, actionKeys);
  if (!fields) return undefined;
  const { text: label, actionType } = fields;
  if (!label && isComplete) report(rangeOf(node), l10n.t('The button has no text.'));
  const text = readTextField(label, report);
  const effects = [...EFFECT_KEYS, 'actionType' as const].flatMap((name) => fields[name] ?? []);
  const [effect, second] = effects;
  if (second) report(rangeOf(second.key), l10n.t('A button can do only one thing.'));
  else if (!effect && isComplete)
    report(rangeOf(node), l10n.t('The button does nothing. Add opens, copies, or reports.'));
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

/** A button with the contract's own keys. An undocumented action type is sent as written. */
function readAction(
  field: Field,
  { url, value }: { url?: Field; value?: Field },
  report: ReportProblem,
): Action | undefined {
  const text = readTextField(field, report)?.trim();
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) {
    const unknown = l10n.t('Unknown action type {0}. Use 1 to open a URL, 2 to copy, or 3 to report.', excerpt(text));
    report(rangeOf(field.value), unknown);
    return undefined;
  }
  const actionType = Number(text);
  const isKnown = actionType >= 1 && actionType <= 3;
  if (!isKnown) {
    report(rangeOf(field.value), l10n.t('Action type {0} might not do anything.', text), { severity: 'warning' });
    const [urlText, valueText] = [readTextField(url, report), readTextField(value, report)];
    return {
      actionType,
      ...(urlText !== undefined && { url: urlText }),
      ...(valueText !== undefined && { value: valueText }),
    };
  }
  const [required, unused] = actionType === 1 ? [url, value] : [value, url];
  const written = `actionType: ${text}`;
  if (unused) report(rangeOf(unused.key), unusedText(unused.key.source, written), { severity: 'warning' });
  if (!required) {
    report(rangeOf(field.value), missingText(actionType === 1 ? 'url' : 'value', written));
    return undefined;
  }
  const target = actionType === 1 ? readUrlField(required, report) : readTextField(required, report);
  if (target === undefined) return undefined;
  return { actionType, ...(actionType === 1 ? { url: target } : { value: target }) };
}
