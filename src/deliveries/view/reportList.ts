/** The recipients that a report lists, in the order in which they were found, with their outcomes as they are now. */
import { fold } from '../../markup/caseFolding.ts';
import { visibleText } from '../../markup/escapeInvisible.ts';
import { type KnownNames, withLabel } from '../../presentation/describe.ts';
import { wholeErrorText } from '../../presentation/errorText.ts';
import type { ReportQuery, ReportRow } from '../../protocol/report.ts';
import { ServiceError } from '../../service/errors.ts';
import { type Chat, chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import { textsOf } from '../outbox/deliveryMessages.ts';
import type { DeliveryStatus } from '../outbox/deliveryStatus.ts';
import { detailOf } from '../outbox/deliveryTexts.ts';
import { OUTCOME_STATES, type Outcome } from '../outbox/outcome.ts';
import { type Recipient, shownName } from '../plan/batches.ts';

/** How many recipients the page gets at a time. */
const PORTION = 200;

/** How much of a personal text a row has (UTF-16 units). */
const MAX_TEXT = 1_000;

export class ReportList {
  /** By which the page knows it. */
  readonly number: number;
  readonly #recipients: readonly Recipient[];
  /** The rows that the page has. */
  readonly #rows: ReportRow[] = [];

  private constructor(number: number, recipients: readonly Recipient[]) {
    this.number = number;
    this.#recipients = recipients;
  }

  /** Those that need the most attention come first. Undefined if the list isn't wanted any more before it's made. */
  static async find(
    number: number,
    status: DeliveryStatus,
    { results, text }: ReportQuery,
    known: KnownNames | undefined,
    isWanted: () => boolean,
  ): Promise<ReportList | undefined> {
    const found = new Map(OUTCOME_STATES.map((state): [Outcome['state'], Recipient[]] => [state, []]));
    const wanted = fold(text.trim());
    const slices = new TimeSlices();
    for (const listed of status.listed()) {
      if (slices.isOver) await slices.pause();
      if (!isWanted()) return undefined;
      const outcome = status.outcomeOf(listed);
      if (results.length > 0 && !results.includes(outcome.state)) continue;
      const recipient: Recipient = withLabel(listed, known);
      const { name, label = '', id } = recipient;
      const has = (part: string) => fold(part).includes(wanted);
      if (!wanted || has(label) || has(name) || has(id) || has(detailOf(outcome)))
        found.get(outcome.state)?.push(recipient);
    }
    return new ReportList(number, [...found.values()].flat());
  }

  get total(): number {
    return this.#recipients.length;
  }

  /** The rows after those that the page has. */
  async more(status: DeliveryStatus): Promise<ReportRow[]> {
    const next = this.#recipients.slice(this.#rows.length, this.#rows.length + PORTION);
    const texts = await textsOf(status.delivery, next);
    const rows: ReportRow[] = [];
    await new TimeSlices().each(next, (recipient) => {
      const text = texts.get(chatKey(recipient));
      rows.push(
        rowOf(
          { ...recipient, name: shownName(recipient) },
          status,
          text === undefined ? undefined : visibleText(text, MAX_TEXT),
        ),
      );
    });
    this.#rows.push(...rows);
    return rows;
  }

  /** The rows that the page has and that have changed since, with their index. */
  async changed(status: DeliveryStatus): Promise<{ at: number; row: ReportRow }[]> {
    const changed: { at: number; row: ReportRow }[] = [];
    await new TimeSlices().each(this.#rows.entries(), ([at, before]) => {
      const row = rowOf(before, status, before.text);
      if (row.result !== before.result || row.details !== before.details) changed.push({ at, row });
    });
    for (const { at, row } of changed) this.#rows[at] = row;
    return changed;
  }
}

function rowOf({ kind, id, name }: Chat & { name: string }, status: DeliveryStatus, text: string | undefined) {
  const outcome = status.outcomeOf({ kind, id });
  const row: ReportRow = {
    ...{ kind, id, name, result: outcome.state, details: detailOf(outcome) },
    isCut: wholeTextOf(outcome) !== undefined,
  };
  return text === undefined ? row : { ...row, text };
}

/** All that the service said about a recipient, if the details quote less. */
export function wholeTextOf(outcome: Outcome): string | undefined {
  return 'failure' in outcome && outcome.failure ? wholeErrorText(new ServiceError(outcome.failure)) : undefined;
}
