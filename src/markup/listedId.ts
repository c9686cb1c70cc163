/** The ID in a cell of a list of recipients, or in a setting. */
import { isIdentifier } from '../service/fields.ts';
import { cellText } from './csv.ts';
import { idsIn, narrow } from './pastedIds.ts';
import { mentionsToken } from './pastedToken.ts';

/** The form of most cells: an ID and nothing else. */
const PLAIN = /^[\w-]{1,200}$/;

/** Invisible characters between visible ones. */
const INVISIBLE_INSIDE = /[^\p{C}\p{Z}\p{DI}\u2800][\p{Cf}\p{DI}\u2800]+[^\p{C}\p{Z}\p{DI}\u2800]/u;

/** What spreadsheets show in place of a number that they were given, or can't show. */
const CHANGED = [
  // 5.58199E+12
  /^[+-]?\d+(?:[.,]\d+)?E\+\d+$/i,
  /^[+-]?\d+[.,]\d+E-?\d+$/i,
  // 7058314.0
  /^\d+[.,]0+$/,
  // 7,058,314 or 70,58,314
  /^\d{1,3}([.,'’\s])\d{3}(?:\1\d{3})*(?:[.,]\d+)?$/,
  /^\d{1,2}(?:,\d{2})+,\d{3}$/,
  // $7,058,314 or 705831400%
  /^[€$£¥]\s?\d[\d.,'’\s]*$|^\d[\d.,'’\s]*[€$£¥%]$/,
  // 705831…
  /^\d+\.{3}$/,
  // ####
  /^#(?:#+|N\/A|(?:REF|VALUE|NAME|DIV\/0|NUM|NULL)[!?])$/,
];

/** What a spreadsheet writes in a cell whose formula failed, or whose column is too narrow. */
export const isSheetError = (text: string) =>
  // Most values are no errors, and normalizing takes time.
  /^\s*[#＃]/.test(text) &&
  /^#(?:#{2,}|N\/A|(?:REF|VALUE|DIV\/0|NUM|NULL|SPILL|CALC)!|NAME\?)$/.test(text.normalize('NFKC').trim());

/** Whether a text is a number as a spreadsheet writes it, and no ID. `7E5` may be an ID. */
export function isChangedNumber(text: string): boolean {
  const plain = text.normalize('NFKC').trim();
  return CHANGED.some((pattern) => pattern.test(plain));
}

/** A link is no ID, even if it's to a chat: its service may be another one. */
const ADDRESS = /^(?:[a-z][a-z\d+.-]{0,30}:\/\/|www\.)/i;

/** Why a cell isn't one ID. */
export type IdProblem = 'malformed' | 'several' | 'changed' | 'token' | 'address' | 'unclear';

/** A long number that something is part of which may not be meant, or one in other digits: +7102649, 7102649½. */
const UNCLEAR = /^(?=\P{L}*$).*\d{5}|(?!\d)\p{Nd}/u;

/** Whether an ID is all that is in a text, or a long number: `Total: 2` is a sum. */
const isAlone = (id: string, text: string) =>
  /\d{5}/.test(id) || !/[\p{L}\p{N}]/u.test(text.normalize('NFKC').replace(id.normalize('NFKC'), ''));

/** The ID in a cell, with what people and programs put around it left out; or why there isn't exactly one. */
export function idInCell(cell: string): { readonly id: string } | { readonly problem: IdProblem } {
  const text = narrow(cellText(cell));
  if (PLAIN.test(text)) return { id: text };
  if (mentionsToken(text)) return { problem: 'token' };
  if (isChangedNumber(text)) return { problem: 'changed' };
  const ids = idsIn(text);
  const first: string | undefined = ids.next().value?.id;
  if (first === undefined || !isIdentifier(first)) return { problem: 'malformed' };
  if (ADDRESS.test(first)) return { problem: 'address' };
  if (!PLAIN.test(first) && UNCLEAR.test(first)) return { problem: 'unclear' };
  if (ids.next().done) return isAlone(first, text) ? { id: first } : { problem: 'several' };
  return { problem: INVISIBLE_INSIDE.test(text) ? 'malformed' : 'several' };
}
