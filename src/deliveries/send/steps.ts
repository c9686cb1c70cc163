/** Makes each step of a message from the one before: see `journey.ts`. */
import type { Host } from '../../platform/host.ts';
import type { NeverList } from '../../platform/neverList.ts';
import { type KnownNames, singleLineName } from '../../presentation/describe.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import { joinSentences } from '../../presentation/formats.ts';
import { neverNotes } from '../../presentation/neverSend.ts';
import { l10n } from '../../presentation/shown.ts';
import { systemClock } from '../../service/clock.ts';
import { type Chat, chatKey, includesChat } from '../../service/model.ts';
import { createTextRedactor, redactToken } from '../../service/redaction.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import { type Draft, parseText } from '../draft/draftReader.ts';
import { listed, noted, type Rules } from '../draft/leaveOut.ts';
import { MAX_LEFT_OUT } from '../draft/leftOutText.ts';
import { ownNamesIn } from '../draft/recipients/recipientTable.ts';
import { forbiddenPlaceText } from '../draft/recipients/variableText.ts';
import { normalForm, withDigests } from '../outbox/deliveryMessages.ts';
import { hasDocument } from '../outbox/editedDocuments.ts';
import type { OutboxController } from '../outbox/outboxController.ts';
import { type Delivery, digestOf, type LeftOutRecipient, newDeliveryId } from '../outbox/record.ts';
import { openSource, sentDocument } from '../outbox/sentDocument.ts';
import { planDelivery, plannedValues, type Recipient, valuesFrom } from '../plan/deliveryPlan.ts';
import { leftOutLines, NO_ROWS, notAddressText, type UnpickedRows } from '../plan/planText.ts';
import { lookUpValues, namedBot, recipientOf } from '../plan/recipientNames.ts';
import type { Addressed, Addressing, Confirmed, Nobody, Planned } from './journey.ts';
import { findWarnings } from './warnings.ts';

/** Begins a message with all that doesn't depend on its recipients. @throws UserFacingError if it contains the token */
export async function beginAddressing(
  from: Omit<Addressing, 'bot' | 'digest' | 'trials'>,
  botId: string,
): Promise<Addressing> {
  const { draft, service, token } = from;
  if (revealsToken(draft.message, token)) throw containsToken(draft);
  const digest = await digestOf(normalForm(draft.message));
  return { ...from, bot: await namedBot(service, botId), digest, trials: [] };
}

/** The rules that leave people out, with the present *Do Not Send* list. @throws UserFacingError if the list can't be read */
export function rulesNow(
  { draft, purpose, needless }: Pick<Addressing, 'draft' | 'purpose' | 'needless'>,
  list: Pick<NeverList, 'read'>,
): Rules {
  const rules = draft.rules.with('needless', listed(needless)).with('never', noted(neverNotes(list)));
  // A trial goes to anybody who isn't excluded.
  return purpose.type === 'trial' ? rules.forAnybody : rules;
}

/** Applies the rules to the chosen recipients. Throws as {@link rulesNow}. */
export async function address(addressing: Addressing, list: Pick<NeverList, 'read'>): Promise<Addressed | Nobody> {
  const { kept, leftOut } = await rulesNow(addressing, list).divide(addressing.chosen);
  const nobody = { ...addressing, from: addressing, leftOut };
  return isAnyone(kept) ? { ...nobody, recipients: kept } : nobody;
}

const isAnyone = (kept: readonly Recipient[]): kept is Addressed['recipients'] => kept.length > 0;

/** Says that everyone is left out, and why. */
export const nobodyError = ({ leftOut, rows }: Nobody) =>
  new UserFacingError(joinSentences(l10n.t('Nothing is sent: everyone is left out.'), ...leftOutLines(leftOut, rows)));

/** The rows of the recipient file that aren't picked, and those among them that a stronger rule leaves out. */
export async function unpickedRows(
  { chats, table }: Pick<Draft, 'chats' | 'table'>,
  rules: Rules,
  directory: KnownNames,
): Promise<{ rows: UnpickedRows; others: readonly Chat[] }> {
  if (!table?.unmatched) return { rows: NO_ROWS, others: [] };
  const slices = new TimeSlices();
  const named = new Set<string>();
  await slices.each(chats, (chat) => named.add(chatKey(chat)));
  const rest: Chat[] = [];
  await slices.each(table.unmatched, ([key, { chat }]) => {
    if (!named.has(key)) rest.push(chat);
  });
  const { leftOut } = await rules.divide(rest);
  const others = leftOut.filter(({ by }) => by !== 'where').map(({ kind, id }): Chat => ({ kind, id }));
  const nameOf = ownNamesIn({ ...table, rows: table.unmatched }, directory);
  const unpicked = leftOut.filter(({ by }) => by === 'where').slice(0, MAX_LEFT_OUT + 1);
  const first = unpicked.map((one) => ({
    ...one,
    ...recipientOf(one, directory, singleLineName(nameOf(one))),
  }));
  return { rows: { count: rest.length - others.length, first }, others };
}

/** Plans the batches, and finds what to warn of. @throws UserFacingError if a message can't be sent */
export async function plan(
  addressed: Addressed,
  { outbox, documents }: Pick<OutboxController, 'documents' | 'outbox'>,
  host: Pick<Host, 'audiences' | 'settings'>,
): Promise<Planned> {
  const { draft, purpose, recipients, token } = addressed;
  const { settings } = host;
  const valuesOf = await valuesFor(addressed);
  const delivery = await planDelivery(draft, recipients, settings.batchSize, valuesOf);
  const [forbidden] = delivery.forbidden;
  const [wrong] = delivery.notAddress;
  const problem = forbidden ? forbiddenPlaceText(forbidden.name, forbidden.place) : wrong && notAddressText(wrong);
  if (problem) throw new UserFacingError(l10n.t("{0} can't be sent. {1}", draft.name, problem));
  await new TimeSlices().each(delivery.batches, ({ recipients, values }) => {
    // Names from a file are stored, too, so that they mustn't contain the token either.
    if (revealsToken([values, recipients.map(({ name }) => name)], token)) throw containsToken(draft);
  });
  const { callsPerSecond } = settings.service;
  const unwarned = { ...addressed, plan: delivery, callsPerSecond, earlier: await outbox.entries() };
  const hasChanged = purpose.type === 'resend' && (await hasDocumentChanged(purpose.delivery, host));
  return { ...unwarned, warnings: await findWarnings(unwarned, documents, hasChanged) };
}

/** Returns what the variables stand for, for each recipient. */
async function valuesFor(addressed: Addressed) {
  const { draft, purpose, recipients, service } = addressed;
  if (purpose.type === 'resend') return plannedValues(draft.variables ?? [], purpose.delivery.batches);
  const valuesOf = valuesFrom(draft, service.directory);
  const model = modelOf(addressed);
  if (model) return () => valuesOf(model);
  if (purpose.type !== 'trial') await lookUpValues(draft, recipients, service);
  return valuesOf;
}

/** The recipient whose message the chat of a trial gets: the first one, if the chat is none of them. */
export function modelOf({ purpose, recipients: [chat] }: Addressed): Recipient | undefined {
  if (purpose.type !== 'trial') return undefined;
  return includesChat(purpose.recipients, chat) ? undefined : purpose.recipients[0];
}

/** Whether the document of a delivery would send another message now. False if it can't be opened any more. */
async function hasDocumentChanged(delivery: Delivery, host: Pick<Host, 'audiences' | 'settings'>): Promise<boolean> {
  if (!hasDocument(delivery)) return false;
  const document = await openSource(delivery.source);
  if (!document) return false;
  const then = sentDocument(delivery);
  const now = document.getText();
  // The recipients that a document names don't matter.
  const messageOf = (text: string) => {
    const { message } = parseText(text, host);
    return message && JSON.stringify(normalForm(message));
  };
  return then !== now && messageOf(then) !== messageOf(now);
}

/**
 * Whether the same message has been recorded since it was planned, by any window: the next confirmation says so. This isn't
 * a claim: if a message is confirmed in two windows at the same moment, both send it.
 */
export async function isRecordedSince(
  { earlier, digest }: Planned,
  outbox: Pick<OutboxController['outbox'], 'all'>,
): Promise<boolean> {
  const known = new Set(earlier.map((one) => ('status' in one ? one.status.delivery.id : one.id)));
  return (await outbox.all()).some(({ status: { delivery } }) => delivery.digest === digest && !known.has(delivery.id));
}

/** Checks that nothing has changed since the confirmation. @throws UserFacingError if the service or the token has */
export async function checkUnchanged(
  { service, bot, token }: Planned,
  { connection, tokens }: Pick<Host, 'connection' | 'tokens'>,
): Promise<void> {
  if ((await connection.open()) !== service)
    throw new UserFacingError(l10n.t('The service has changed, so nothing was sent. Send again to use the new one.'));
  if ((await tokens.get(service, bot.id)) !== token)
    throw new UserFacingError(
      l10n.t("The bot's token has changed, so nothing was sent. Send again to use the new one."),
    );
}

/**
 * The delivery to store, without a document that has the token. @throws UserFacingError if the name of someone left out has
 * it
 */
export async function deliveryOf({ planned, due }: Confirmed): Promise<Delivery> {
  const { draft, purpose, digest, bot, service, token, plan, leftOut, rows } = planned;
  const people: LeftOutRecipient[] = [];
  const redact = createTextRedactor(token);
  await new TimeSlices().each(leftOut, ({ kind, id, name, by, note, also }) => {
    // People who were left out of a resend are settled, except those who may exist by the next one.
    if (purpose.type === 'resend' && by === 'needless') return;
    const text = [name, note, ...(also ?? []).map((one) => one.note)].join(' ');
    if (redact(text) !== text) throw containsToken(draft);
    people.push({ kind, id, name, by, note, ...(also && { also: [...also] }) });
  });
  const at = systemClock.wall();
  const { name, document, source, follows, message, variables = [] } = draft;
  const personal = variables.length > 0 ? { variables: [...variables] } : {};
  return {
    id: newDeliveryId(at),
    at,
    service: service.address,
    bot: { id: bot.id, name: bot.name },
    name,
    ...(source && { source }),
    ...(follows && { follows }),
    ...(document !== undefined && redact(document) === document && { document }),
    message,
    ...personal,
    digest,
    batches: await withDigests({ message, ...personal, batches: plan.batches }),
    ...(purpose.type === 'resend' && { resends: purpose.unreached.lastId }),
    ...(purpose.type === 'trial' && { isTest: true }),
    ...(people.length + rows.count > 0 && { leftOut: { people, rows: rows.count } }),
    ...(due !== undefined && { due }),
  };
}

const revealsToken = (value: unknown, token: string) =>
  redactToken(JSON.stringify(value), token) !== JSON.stringify(value);

const containsToken = ({ name }: Draft) =>
  new UserFacingError(l10n.t("“{0}” contains the bot's token, so it wasn't sent.", name));
