/** Problems with variables that stand where no value can be, such as in the host of a link. */
import { l10n } from 'vscode';
import { MessageTemplate, mapTexts } from '../../../markup/messageTemplate.ts';
import { compileTemplate, type Slot } from '../../../markup/template.ts';
import { isForbidden } from '../../../markup/variablePlaces.ts';
import type { ParsedDraft } from '../document/parseDraft.ts';
import { type Problem, type TextRange, TOP } from '../document/problem.ts';
import type { DraftVariable } from '../document/variables.ts';
import { forbiddenPlaceText } from './variableText.ts';

/** `text` is that of the document. */
export function placeProblems(text: string, { message, isTemplate, variables, body }: ParsedDraft): Problem[] {
  if (!message || !isTemplate || new MessageTemplate(message).forbidden.length === 0) return [];
  const isBody = 'text' in message.content;
  const inBody = isBody ? variables.filter(({ start, isCode }) => start >= body.start && !isCode) : [];
  const inFront = variables.filter(({ start }) => start < body.start);
  const problems = new Map<number, Problem>();
  let isFirst = true;
  mapTexts(message, (part, format) => {
    const isInBody = isFirst && isBody;
    isFirst = false;
    const slots = compileTemplate(part, format).filter((piece) => typeof piece !== 'string');
    if (!slots.some(({ place }) => isForbidden(place))) return part;
    const places = isInBody ? bodyPlaces(slots.length, inBody) : frontPlaces(text, part, slots.length, inFront);
    slots.forEach((slot, at) => {
      if (!isForbidden(slot.place)) return;
      for (const { start, end } of places[at] ?? [TOP]) problems.set(start, problemAt(slot, start, end));
    });
    return part;
  });
  return [...problems.values()];
}

function problemAt({ name, place }: Slot, start: number, end: number): Problem {
  const slash = { title: l10n.t('Insert / before the variable'), edits: [{ start, end: start, text: '/' }] };
  const isFixable = place === 'afterHost' && end > TOP.end;
  const text = forbiddenPlaceText(name, place);
  return { severity: 'error', text, start, end, ...(isFixable && { fixes: [slash] }) };
}

/** The places of a text's slots, of which the first ones may be in front matter that is sent, too. */
const bodyPlaces = (count: number, inBody: readonly DraftVariable[]): readonly (readonly TextRange[])[] =>
  Array.from({ length: count }, (_, at) => [inBody[at - count + inBody.length] ?? TOP]);

/** The places of the slots of a text in the front matter: wherever it is written as it is. */
function frontPlaces(
  text: string,
  part: string,
  count: number,
  inFront: readonly DraftVariable[],
): readonly (readonly TextRange[])[] {
  const places: TextRange[][] = Array.from({ length: count }, () => []);
  for (const at of writtenAt(text, part, { start: 0, end: inFront.at(-1)?.end ?? 0 })) {
    const inside = inFront.filter(({ start, end }) => start >= at && end <= at + part.length);
    if (inside.length === count) for (const [index, one] of inside.entries()) places[index]?.push(one);
  }
  return places.map((found) => (found.length > 0 ? found : [TOP]));
}

/** Where a text of the message, which isn't empty, is written as it is in a part of the document. */
export function* writtenAt(text: string, part: string, { start, end }: TextRange): Generator<number> {
  for (let at = text.indexOf(part, start); at >= 0 && at < end; at = text.indexOf(part, at + part.length)) yield at;
}
