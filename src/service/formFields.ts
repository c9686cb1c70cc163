/**
 * The fields of a received form (observed), each as a label and the text of what was entered or chosen. Pages parse them
 * again, with the same result.
 */
import * as v from 'valibot';
import { lenientList, plainObject, requiredNumber, text } from './fields.ts';

/** More fields than any form has. */
const MAX_FIELDS = 1_000;

const anything = v.optional(v.unknown());

const ReceivedField = plainObject({
  /** The control: input, textarea, select, radio, checkbox or switch. */
  type: text,
  label: text,
  value: anything,
  /** What can be chosen. */
  options: anything,
  /** What was chosen: one text, several, or only its place among the options. */
  selectValue: anything,
  selectValues: anything,
  selectIndex: anything,
});
type ReceivedField = v.InferOutput<typeof ReceivedField>;

const Field = v.pipe(
  ReceivedField,
  v.transform((field) => ({ label: field.label, ...answerOf(field) })),
  v.check(({ label, value }) => label !== '' || value !== ''),
);

/** An object keyed by field ID, a list, or either as JSON. Fields without a label and a value are dropped. */
export const FormFields = v.pipe(
  v.unknown(),
  v.transform((form) => {
    const fields = typeof form === 'string' ? parseJson(form) : form;
    return typeof fields === 'object' && fields !== null ? Object.values(fields).slice(0, MAX_FIELDS) : [];
  }),
  lenientList(Field),
);

interface Answer {
  /** What was entered or chosen; empty if nothing was. */
  value: string;
  /** Set for a switch: its value is `true` or `false`. */
  type?: 'switch';
}

function answerOf(field: ReceivedField): Answer {
  const { type, value, selectValue, selectValues } = field;
  const chosen = textOf(selectValues) || textOf(selectValue);
  if (chosen) return { value: chosen };
  const entered = textOf(value);
  if (type === 'switch' || typeof value === 'boolean') {
    const state = SWITCH_STATES.get(entered);
    if (state) return { value: state, type: 'switch' };
  }
  // An empty choice means that the field was left out, so that the index isn't a choice either.
  const isByIndex = (selectValue ?? selectValues ?? undefined) === undefined;
  return { value: entered || (isByIndex ? optionsAt(field) : '') };
}

const SWITCH_STATES: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['1', 'true'],
  ['false', 'false'],
  ['0', 'false'],
]);

/** The chosen options, or their indexes if they aren't listed. */
function optionsAt({ selectIndex, options }: ReceivedField): string {
  const indexes = v.parse(lenientList(requiredNumber), Array.isArray(selectIndex) ? selectIndex : [selectIndex]);
  const listed: readonly unknown[] = Array.isArray(options) ? options : [];
  return textOf(indexes.flatMap((index) => (index >= 0 ? textOf(listed[index]) || index : [])));
}

/** A value as text: several are separated by commas, and an option is its label. */
function textOf(value: unknown): string {
  try {
    return plainText(value);
  } catch {
    // The value is nested too deeply for the stack.
    return '…';
  }
}

function plainText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(plainText).filter(Boolean).join(', ');
  const { label, text } = value as { label?: unknown; text?: unknown };
  const name = label ?? text;
  return typeof name === 'string' ? name : JSON.stringify(value);
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
