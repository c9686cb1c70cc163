/**
 * Random messages with variables, and files with their values. What each recipient must get is put together here, without
 * the product: no value needs an escape.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseRecipientTable } from '../../src/deliveries/draft/recipients/recipientTable.ts';
import { withDigests } from '../../src/deliveries/outbox/deliveryMessages.ts';
import type { Sender } from '../../src/deliveries/outbox/deliveryRunner.ts';
import type { Outbox } from '../../src/deliveries/outbox/outbox.ts';
import { type Delivery, newDeliveryId } from '../../src/deliveries/outbox/record.ts';
import type { UnreachedRecipients } from '../../src/deliveries/outbox/resends.ts';
import {
  type Batch,
  planDelivery,
  plannedValues,
  type Recipient,
  valuesFrom,
} from '../../src/deliveries/plan/deliveryPlan.ts';
import { decodeText } from '../../src/markup/decodeText.ts';
import { MessageTemplate } from '../../src/markup/messageTemplate.ts';
import type { Outgoing } from '../../src/service/message.ts';
import { deliveryOf } from '../unit/deliveries/outbox/testDeliveries.ts';

/** Every letter begins with it, and nothing else that is in a chat. */
const OPENING = 'Bulletin: ';
const COLUMNS = ['name', 'city', 'code', '订单 号', '__proto__', 'constructor'];
/** The columns of a file, beside its recipients. */
const WIDTH = 3;
/** The rows of values: no delivery has more recipients. */
const HEIGHT = 5;

const words = fc.constantFrom('Ann', 'Bo Chen', 'Zhang, Wei', '北京', 'x7', 'Łódź; Łask', '');
const literals = fc.constantFrom('Dear ', ', ', ' is in ', '\n\nBest regards', '!', ' and ', '{', '。');
const slots = fc.record({
  column: fc.nat({ max: WIDTH - 1 }),
  fallback: fc.option(fc.constantFrom('friend', '朋友')),
  isSpaced: fc.boolean(),
  isEscaped: fc.boolean(),
});

export const letters = fc.record({
  contentType: fc.constantFrom('markdown', 'text', 'html'),
  columns: fc.shuffledSubarray(COLUMNS, { minLength: WIDTH, maxLength: WIDTH }),
  parts: fc.array(fc.oneof(literals, slots), { maxLength: 5 }),
  rows: fc.array(fc.tuple(words, words, words), { minLength: HEIGHT, maxLength: HEIGHT }),
  /** How the file is written. */
  separator: fc.constantFrom(',', ';', '\t'),
  lineBreak: fc.constantFrom('\n', '\r\n', '\r'),
  hasMark: fc.boolean(),
  spellings: fc.array(fc.constantFrom('plain', 'quoted', 'spaced', 'broken'), { minLength: 1, maxLength: 7 }),
  /** The first row comes again at the end. */
  isRepeated: fc.boolean(),
});
export type Letter = typeof letters extends fc.Arbitrary<infer L> ? L : never;
type Slot = typeof slots extends fc.Arbitrary<infer S> ? S : never;

/** Whether a text is that of a letter. */
export const isLetter = (text: string) => text.startsWith(OPENING);

/** Every letter ends with a variable, so that none is without. */
const LAST = { column: 0, fallback: null, isSpaced: false, isEscaped: false };

/** What the recipient of a row must get. */
export function letterFor({ parts, columns, rows }: Letter, row: number): string {
  const values = rows[row] ?? assert.fail();
  const pieces = [...parts, LAST].map((part) => {
    if (typeof part === 'string') return part;
    return part.isEscaped ? slotText(part, columns) : values[part.column] || part.fallback || '';
  });
  return [OPENING, ...pieces].join('');
}

/** A delivery of a letter as the extension makes it: from a draft and a file, which names the recipients. */
export async function letterDelivery(
  letter: Letter,
  recipients: readonly Recipient[],
  batchSize: number,
): Promise<Pick<Delivery, 'message' | 'variables' | 'batches'>> {
  const { pieces = [] } = (await decodeText(new TextEncoder().encode(fileOf(letter, recipients)))) ?? {};
  const table = await parseRecipientTable(pieces, undefined);
  assert.deepEqual(
    table.problems.map(({ kind }) => kind),
    letter.isRepeated ? ['repeated'] : [],
  );
  const message: Outgoing = { contentType: letter.contentType, content: { text: templateOf(letter) } };
  const { variables } = new MessageTemplate(message);
  const chats = Array.from(table.rows.values(), ({ chat }) => ({ ...chat, name: chat.id }));
  const nobody = { peek: () => undefined } as unknown as Parameters<typeof valuesFrom>[1];
  const valuesOf = valuesFrom({ table }, nobody);
  const { batches } = await planDelivery({ message, variables }, chats, batchSize, valuesOf);
  return personal({ message, variables: [...variables] }, batches);
}

/**
 * Resends a delivery like the extension does. Undefined if everyone was reached. `before` is called before anything is sent.
 */
export async function resend(
  outbox: Outbox,
  stored: Delivery,
  batchSize: number,
  senderOf: (delivery: Delivery) => Sender,
  before: (unreached: UnreachedRecipients) => void,
): Promise<unknown> {
  const unreached = await outbox.unreached(stored.id);
  if (unreached.recipients.length === 0) return undefined;
  before(unreached);
  const delivery = await resentDelivery(newDeliveryId(Date.now()), stored, unreached, batchSize);
  return outbox.resend(delivery, unreached, senderOf(delivery));
}

/** A resend as the extension makes it, with what was stored of a delivery: its file may have changed. */
export async function resentDelivery(
  id: string,
  { message, variables, batches }: Delivery,
  { recipients, lastId }: Pick<UnreachedRecipients, 'recipients' | 'lastId'>,
  batchSize: number,
): Promise<Delivery> {
  const valuesOf = await plannedValues(variables ?? [], batches);
  const draft = { message, ...(variables && { variables }) };
  const plan = await planDelivery(draft, recipients, batchSize, valuesOf);
  return deliveryOf([], { ...(await personal(draft, plan.batches)), id, resends: lastId });
}

const personal = async (draft: Pick<Delivery, 'message' | 'variables'>, batches: readonly Batch[]) => ({
  ...draft,
  batches: await withDigests({ ...draft, batches }),
});

function templateOf({ parts, columns }: Letter): string {
  const pieces = [...parts, LAST].map((part) => {
    if (typeof part === 'string') return part;
    return `${part.isEscaped ? '\\' : ''}${slotText(part, columns)}`;
  });
  return [OPENING, ...pieces].join('');
}

function slotText({ column, fallback, isSpaced }: Slot, columns: readonly string[]): string {
  const space = isSpaced ? ' ' : '';
  return `{{${space}${columns[column]}${space}${fallback === null ? '' : `|${fallback}`}}}`;
}

/** Rows for these recipients, in the order of the letter's rows. */
function fileOf(letter: Letter, recipients: readonly Recipient[]): string {
  const { columns, rows, separator, lineBreak, hasMark, isRepeated } = letter;
  const cells = recipients.map(({ kind, id }, at) => [kind === 'user' ? 'person' : kind, ...(rows[at] ?? []), id]);
  const lines = [['kind', ...columns, 'ID'], ...cells].map((row, y) =>
    row.map((cell, x) => spelled(cell, x + y, letter)).join(separator),
  );
  if (isRepeated) lines.push(lines[1] ?? assert.fail());
  return `${hasMark ? '\uFEFF' : ''}${lines.join(lineBreak)}`;
}

function spelled(cell: string, at: number, { spellings, separator, lineBreak }: Letter): string {
  const spelling = spellings[at % spellings.length];
  if (spelling === 'broken') return `"${cell.replace(/(?<=o) /, lineBreak)}"`;
  if (spelling === 'quoted' || cell.includes(separator)) return `"${cell}"`;
  return spelling === 'spaced' ? ` ${cell} ` : cell;
}
