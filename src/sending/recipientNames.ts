/** The names of recipients and bots. */
import delay from 'delay';
import { l10n } from 'vscode';
import type { Draft } from '../drafts/draft.ts';
import type { RecipientTable } from '../drafts/recipients/recipientTable.ts';
import { RecipientValues } from '../drafts/recipients/recipientValues.ts';
import type { Recipient } from '../outbox/batches.ts';
import type { Service } from '../platform/service.ts';
import { displayName, singleLineName } from '../presentation/describe.ts';
import { showProgress } from '../presentation/dialogs.ts';
import { formatCount } from '../presentation/formats.ts';
import type { Chat, Kind } from '../service/model.ts';
import { TimeSlices } from '../service/timeSlices.ts';

/** How many names are looked up before a message is sent, and for how long at most (milliseconds). */
const MAX_LOOKUPS = 200;
const MAX_WAIT = 10_000;
/** Most lookups end before a notification could be read (milliseconds). */
const PROGRESS_DELAY = 300;

/**
 * Chats with their names: those in the file of recipients, or else those that are known. Looks up some of the unknown
 * ones; one that can't be looked up keeps its ID.
 */
export async function namedRecipients(
  chats: readonly Chat[],
  service: Service,
  table?: RecipientTable,
): Promise<Recipient[]> {
  const slices = new TimeSlices();
  const inFile = new RecipientValues(table, undefined);
  const nameInFile = (chat: Chat) => singleLineName(inFile.of(chat)('name'));
  const unknown: [Kind, string][] = [];
  await slices.each(chats, (chat) => {
    const { type, id } = chat;
    if (unknown.length < MAX_LOOKUPS && !service.directory.peek(type, id) && !nameInFile(chat))
      unknown.push([type, id]);
  });
  await lookUp(unknown, service, MAX_WAIT);
  const named: Recipient[] = [];
  await slices.each(chats, (chat) =>
    named.push({ ...chat, name: nameInFile(chat) || nameOrId(service, chat.type, chat.id) }),
  );
  return named;
}

/**
 * Looks up the recipients for whom some variables have a value that only the directory knows, however long that takes.
 * What can't be looked up, or isn't because the user cancels, stays empty.
 */
export async function lookUpValues(
  { variables = [], table }: Pick<Draft, 'variables' | 'table'>,
  recipients: readonly Recipient[],
  service: Service,
): Promise<void> {
  if (variables.length === 0) return;
  const values = new RecipientValues(table, service.directory);
  const unknown: [Kind, string][] = [];
  await new TimeSlices().each(recipients, (chat) => {
    const { type, id } = chat;
    const isNeeded = variables.some((name) => values.isFromDirectory(chat, name));
    // That there was none is only known for a while.
    if (isNeeded && !service.directory.peek(type, id)) unknown.push([type, id]);
  });
  await lookUp(unknown, service);
}

/** The name of a bot; its ID if it can't be looked up. */
export async function nameOfBot(service: Service, id: string): Promise<string> {
  if (!service.directory.peek('bot', id)) await lookUp([['bot', id]], service, MAX_WAIT);
  return nameOrId(service, 'bot', id);
}

/** Resolves when the lookups have ended, when the user cancels, or after `maxWait`. Never rejects. */
async function lookUp(unknown: readonly [Kind, string][], { directory }: Service, maxWait?: number): Promise<void> {
  if (unknown.length === 0) return;
  const abort = new AbortController();
  const signal = maxWait === undefined ? abort.signal : AbortSignal.any([abort.signal, AbortSignal.timeout(maxWait)]);
  let done = 0;
  let report = () => {};
  const lookups = unknown.map(([kind, id]) =>
    directory.get(kind, id, { signal }).finally(() => {
      done++;
      report();
    }),
  );
  const ended = Promise.allSettled(lookups);
  const isShort = await Promise.race([ended.then(() => true), delay(PROGRESS_DELAY, { value: false })]);
  if (isShort) return;
  const title =
    maxWait === undefined
      ? l10n.t('Looking up recipients (cancel to continue without)')
      : l10n.t('Looking up names (cancel to continue with IDs)');
  await showProgress(title, (progress, cancellation) => {
    cancellation.onCancellationRequested(() => abort.abort());
    report = () => progress({ message: l10n.t('{0} of {1}', formatCount(done), formatCount(unknown.length)) });
    return ended;
  });
}

function nameOrId({ directory }: Service, kind: Kind, id: string): string {
  const found = directory.peek(kind, id);
  return found ? displayName(found) : id;
}
