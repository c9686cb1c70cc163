/** `botchats_delivery`: the results of deliveries, from the outbox. */
import * as v from 'valibot';
import type { DeliverySummary, UnreachedRecipient } from '../deliveries/contract.ts';
import { DeliveryId } from '../platform/commandArguments.ts';
import { l10n } from '../presentation/shown.ts';
import type { AgentAccess } from './agentAccess.ts';
import { Page } from './inputs.ts';
import { KIND_NAMES } from './names.ts';
import { type AgentHost, type Answer, sentences, type Tool, timeText, zoneText } from './tool.ts';
import { ToolError } from './toolError.ts';
import { inert, MAX_NAME, toRow } from './untrusted.ts';

/** How many deliveries, or recipients, are listed at once. */
const MAX_ROWS = 20;

/** How much is shown of why a recipient wasn't reached (UTF-16 units). */
const MAX_DETAILS = 200;

/** The results in the words of the interface. */
const RESULTS = {
  unconfirmed: 'not confirmed',
  absent: 'not reached',
  unknown: 'unknown',
  rejected: 'refused',
  notSent: 'not sent',
  leftOut: 'left out',
} as const;

const NOT_LISTED = 'Must be an id that botchats_delivery has listed';

const Input = v.strictObject({
  id: v.optional(
    v.pipe(
      v.string(NOT_LISTED),
      v.check((id) => v.is(DeliveryId, id), NOT_LISTED),
    ),
  ),
  page: Page,
});
type Input = v.InferOutput<typeof Input>;

export function deliveryTool(host: Pick<AgentHost, 'deliveries'>, access: AgentAccess): Tool<Input> {
  async function list(page: number): Promise<Answer> {
    const { deliveries, unreadable } = await host.deliveries.list();
    const rows = deliveries.slice(page, page + MAX_ROWS).map((delivery) => toRow(fieldsOf(delivery)));
    const count = deliveries.length === 1 ? '1 delivery' : `${deliveries.length} deliveries`;
    return {
      head: sentences(
        `The outbox has ${count}, newest first. ${zoneText()}`,
        unreadable > 0 && `${unreadable} more can't be read.`,
      ),
      rows,
      foot: (shown) =>
        sentences(
          page + shown < deliveries.length && `For more, call botchats_delivery again with page "${page + shown}".`,
          shown > 0 && 'For the recipients that a delivery did not reach, call botchats_delivery with its id.',
        ),
    };
  }

  async function details(id: string, page: number): Promise<Answer> {
    // One recipient beyond the page tells whether there's another page.
    const found = await host.deliveries.get(id, (chat) => access.sees(chat), page + MAX_ROWS + 1);
    if (!found) throw new ToolError('The outbox has no such delivery. Call botchats_delivery without id to list them.');
    const { delivery, unreached } = found;
    // Recipients of a batch share a failure, whose text may name others.
    const isLimited = access.limits !== '';
    const recipients = unreached.map((one) => recipientRow(isLimited ? { ...one, details: '' } : one));
    const all = [toRow(fieldsOf(delivery)), ...recipients];
    return {
      head: sentences(
        'A delivery, and recipients that it did not reach.',
        `"not confirmed" and "unknown" may have received it: only the user can check that, or resend. ${zoneText()}`,
        access.limits,
      ),
      rows: all.slice(page, page + MAX_ROWS),
      foot: (shown) =>
        page + shown < all.length
          ? `For more recipients, call botchats_delivery again with id ${JSON.stringify(id)} and page "${page + shown}".`
          : '',
    };
  }

  return {
    schema: Input,
    budget: 800,
    async progress() {
      return l10n.t('Reading the outbox');
    },

    async run({ id, page = 0 }) {
      return id === undefined ? list(page) : details(id, page);
    },
  };
}

const fieldsOf = ({ id, name, time, botId, state, due, total, counts }: DeliverySummary) => ({
  id,
  document: inert(name, MAX_NAME),
  time: timeText(time),
  botId,
  state,
  ...(due !== undefined && { scheduledFor: timeText(due) }),
  recipients: total,
  reached: counts.reached,
  ...Object.fromEntries(
    (['unconfirmed', 'absent', 'unknown', 'rejected', 'notSent', 'leftOut'] as const)
      .filter((result) => counts[result] > 0)
      .map((result) => [RESULTS[result], counts[result]]),
  ),
});

const recipientRow = ({ chat: { kind, id }, name, result, details }: UnreachedRecipient) =>
  toRow({
    kind: KIND_NAMES[kind],
    id,
    name: inert(name, MAX_NAME),
    result: RESULTS[result],
    ...(details && { details: inert(details, MAX_DETAILS) }),
  });
