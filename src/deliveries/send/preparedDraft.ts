/** A draft with its bot, its service and its token: what is planned, confirmed and stored of it. */
import { l10n } from 'vscode';
import type { Host } from '../../platform/host.ts';
import type { Service } from '../../platform/service.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import { systemClock } from '../../service/clock.ts';
import { createTextRedactor, redactToken } from '../../service/redaction.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import type { Draft } from '../draft/draft.ts';
import type { DraftReader } from '../draft/draftReader.ts';
import { forbiddenPlaceText } from '../draft/recipients/variableText.ts';
import { normalForm, withDigests } from '../outbox/deliveryMessages.ts';
import { hasDocument } from '../outbox/editedDocuments.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { OutboxEntry, UnreadableEntry } from '../outbox/outboxEntry.ts';
import { type Delivery, digestOf, type LeftOutRecipient, newDeliveryId } from '../outbox/record.ts';
import { openSource, sentDocument } from '../outbox/sentDocument.ts';
import type { Recipient } from '../plan/batches.ts';
import { type DeliveryPlan, type PlanOptions, planDelivery, valuesFrom } from '../plan/deliveryPlan.ts';
import { notAddressText } from '../plan/planText.ts';
import { namedBot } from '../plan/recipientNames.ts';
import type { Out } from './sendingRules.ts';

type PreparingHost = Pick<Host, 'connection' | 'settings' | 'tokens'>;

export interface PreparedDraft {
  readonly draft: Draft;
  /** Identifies the message, or its template. */
  readonly digest: string;
  readonly bot: { id: string; name: string; label?: string };
  readonly service: Service;
  readonly token: string;
  /** How many calls a second are permitted. */
  readonly callsPerSecond: number;
  /** The values of the variables for a recipient. */
  readonly valuesOf: PlanOptions['valuesOf'];
}

/** `values` are those of an earlier delivery, if any. @throws UserFacingError if the message contains the token */
export async function prepareDraft(
  {
    draft,
    botId,
    service,
    values,
  }: { draft: Draft; botId: string; service: Service; values?: PlanOptions['valuesOf'] | undefined },
  token: string,
  { settings }: Pick<PreparingHost, 'settings'>,
): Promise<PreparedDraft> {
  if (revealsToken(draft.message, token)) throw containsToken(draft);
  return {
    draft,
    digest: await digestOf(normalForm(draft.message)),
    bot: await namedBot(service, botId),
    service,
    token,
    callsPerSecond: settings.service.callsPerSecond,
    valuesOf: values ?? valuesFrom(draft, service.directory),
  };
}

/**
 * What goes to whom; to all of them that of `model`, if given. @throws UserFacingError if a message can't be sent
 */
export async function planOf(
  { draft, token, valuesOf }: PreparedDraft,
  recipients: readonly Recipient[],
  { settings }: Pick<PreparingHost, 'settings'>,
  model?: Recipient,
): Promise<DeliveryPlan> {
  const plan = await planDelivery(draft, recipients, {
    batchSize: settings.batchSize,
    valuesOf: model ? () => valuesOf(model) : valuesOf,
  });
  const [[forbidden], [wrong]] = [plan.forbidden, plan.notAddress];
  const problem = forbidden ? forbiddenPlaceText(forbidden.name, forbidden.place) : wrong && notAddressText(wrong);
  if (problem) throw new UserFacingError(l10n.t("{0} can't be sent. {1}", draft.name, problem));
  await new TimeSlices().each(plan.batches, ({ recipients, values }) => {
    // A file may give the names that are stored, too.
    if (revealsToken([values, recipients.map(({ name }) => name)], token)) throw containsToken(draft);
  });
  return plan;
}

/** What the outbox stores of a draft, once it is confirmed. */
export async function deliveryOf(
  { draft, digest, bot, service, token }: PreparedDraft,
  { batches }: Pick<DeliveryPlan, 'batches'>,
  { leftOut, rows }: Out,
): Promise<Delivery> {
  const people: LeftOutRecipient[] = [];
  const redact = createTextRedactor(token);
  await new TimeSlices().each(leftOut, ({ kind, id, name, by, note, also }) => {
    const text = [name, note, ...(also ?? []).map((one) => one.note)].join(' ');
    if (redact(text) !== text) throw containsToken(draft);
    people.push({ kind, id, name, by, note, ...(also && { also: [...also] }) });
  });
  const at = systemClock.wall();
  const { message, variables = [] } = draft;
  const personal = variables.length > 0 ? { variables: [...variables] } : {};
  return {
    id: newDeliveryId(at),
    at,
    service: service.address,
    bot: { id: bot.id, name: bot.name },
    name: draft.name,
    ...(draft.source && { source: draft.source }),
    ...(draft.follows && { follows: draft.follows }),
    ...withoutToken(draft, token),
    message,
    ...personal,
    digest,
    batches: await withDigests({ message, ...personal, batches }),
    ...(people.length + rows.count > 0 && { leftOut: { people, rows: rows.count } }),
  };
}

/** Whether the document of a delivery would send another message now. False if it can't be opened any more. */
export async function hasDocumentChanged(delivery: Delivery, parse: DraftReader['parse']): Promise<boolean> {
  if (!hasDocument(delivery)) return false;
  const document = await openSource(delivery.source);
  if (!document) return false;
  const [then, now] = [sentDocument(delivery), document.getText()];
  // The recipients that it names don't matter.
  const messageOf = (text: string) => {
    const { message } = parse(text);
    return message && JSON.stringify(normalForm(message));
  };
  return then !== now && messageOf(then) !== messageOf(now);
}

/** The settings may have changed while the user chose and confirmed. @throws UserFacingError if they have */
export async function checkUnchanged(
  { service, bot, token }: PreparedDraft,
  { connection, tokens }: Pick<PreparingHost, 'connection' | 'tokens'>,
): Promise<void> {
  if ((await connection.open()) !== service)
    throw new UserFacingError(l10n.t('The service has changed, so nothing was sent. Send again to use the new one.'));
  if ((await tokens.get(service, bot.id)) !== token)
    throw new UserFacingError(
      l10n.t("The bot's token has changed, so nothing was sent. Send again to use the new one."),
    );
}

/** Whether the same message was sent by another window. The next confirmation says so. */
export async function isSentSince(
  earlier: readonly (OutboxEntry | UnreadableEntry)[],
  { digest }: PreparedDraft,
  outbox: Pick<Outbox, 'all'>,
): Promise<boolean> {
  const known = new Set(earlier.map((one) => ('status' in one ? one.status.delivery.id : one.id)));
  return (await outbox.all()).some(({ status: { delivery } }) => delivery.digest === digest && !known.has(delivery.id));
}

const revealsToken = (value: unknown, token: string) =>
  redactToken(JSON.stringify(value), token) !== JSON.stringify(value);

const containsToken = ({ name }: Draft) =>
  new UserFacingError(l10n.t("“{0}” contains the bot's token, so it wasn't sent.", name));

/** The document, unless it contains the token, which a delivery never stores. */
const withoutToken = ({ document }: Draft, token: string) =>
  document !== undefined && redactToken(document, token) === document ? { document } : {};
