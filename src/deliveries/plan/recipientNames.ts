/** The names of recipients and bots. */
import type { Service } from '../../platform/service.ts';
import { type KnownNames, knownOwnName, singleLineName, withLabel } from '../../presentation/describe.ts';
import { lookUp, lookUpNames } from '../../presentation/lookups.ts';
import { l10n } from '../../presentation/shown.ts';
import type { Chat, Kind, Reference } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import type { Draft } from '../draft/draftReader.ts';
import { ownNamesIn, type RecipientTable, RecipientValues } from '../draft/recipients/recipientTable.ts';
import type { Recipient } from './deliveryPlan.ts';

/** For how long names are looked up at most before a message is sent (milliseconds). */
const MAX_WAIT = 10_000;

/**
 * Chats with their names: from the file of recipients, or else the known ones. Looks up some that weren't looked up, first
 * those without a name; a chat whose lookup fails keeps its ID. A chat with a name in the file may still not exist.
 */
export async function namedRecipients(
  chats: readonly Chat[],
  service: Service,
  table?: RecipientTable,
): Promise<Recipient[]> {
  const slices = new TimeSlices();
  const inFile = ownNamesIn(table, undefined);
  const nameInFile = (chat: Chat) => singleLineName(inFile(chat));
  const unnamed: Reference[] = [];
  const namedInFile: Reference[] = [];
  await slices.each(chats, (chat) => {
    const { kind, id } = chat;
    if (!service.directory.peek(kind, id)) (nameInFile(chat) ? namedInFile : unnamed).push({ kind, id });
  });
  await lookUpBriefly([...unnamed, ...namedInFile], service);
  const named: Recipient[] = [];
  await slices.each(chats, (chat) => named.push(recipientOf(chat, service.directory, nameInFile(chat))));
  return named;
}

/** A chat as a recipient, with the names that are known. */
export const recipientOf = (chat: Chat, directory: KnownNames, nameInFile = ''): Recipient =>
  withLabel({ ...chat, name: nameInFile || (knownOwnName(directory, chat.kind, chat.id) ?? chat.id) }, directory);

/**
 * Looks up the recipients for whom some variables have a value that only the directory knows, however long that takes. A
 * value whose lookup fails or is canceled stays empty.
 */
export async function lookUpValues(
  { variables = [], table }: Pick<Draft, 'variables' | 'table'>,
  recipients: readonly Recipient[],
  service: Service,
): Promise<void> {
  if (variables.length === 0) return;
  const values = new RecipientValues(table, service.directory);
  const unknown: { id: string; kinds: Kind[] }[] = [];
  await new TimeSlices().each(recipients, (chat) => {
    const { kind, id } = chat;
    const isNeeded = variables.some((name) => values.isFromDirectory(chat, name));
    if (isNeeded && !service.directory.peek(kind, id)) unknown.push({ id, kinds: [kind] });
  });
  await lookUp(unknown, service, { title: l10n.t('Looking up recipients (cancel to continue without)') });
}

/** A bot with its name; its ID if it can't be looked up. */
export async function namedBot(service: Service, id: string) {
  const bot = { kind: 'bot', id } as const;
  await lookUpBriefly([bot], service);
  return withLabel({ ...bot, name: knownOwnName(service.directory, 'bot', id) ?? id }, service.directory);
}

const lookUpBriefly = (wanted: readonly Reference[], service: Service) =>
  lookUpNames(wanted, service, {
    maxWait: MAX_WAIT,
    title: l10n.t('Looking up names (cancel to continue with IDs)'),
  });
