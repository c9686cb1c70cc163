/** The names of recipients and bots. */
import delay from 'delay';
import { l10n } from 'vscode';
import type { Recipient } from '../outbox/batches.ts';
import type { Service } from '../platform/service.ts';
import { displayName } from '../presentation/describe.ts';
import { showProgress } from '../presentation/dialogs.ts';
import type { Chat, Kind } from '../service/model.ts';
import { TimeSlices } from '../service/timeSlices.ts';

/** How many names are looked up before a message is sent, and for how long at most (milliseconds). */
const MAX_LOOKUPS = 200;
const MAX_WAIT = 10_000;
/** Most lookups end before a notification could be read (milliseconds). */
const PROGRESS_DELAY = 300;

/** Chats with their names. Looks up some of the unknown ones; one that can't be looked up keeps its ID. */
export async function namedRecipients(chats: readonly Chat[], service: Service): Promise<Recipient[]> {
  const slices = new TimeSlices();
  const unknown: [Kind, string][] = [];
  await slices.each(chats, ({ type, id }) => {
    if (unknown.length < MAX_LOOKUPS && !service.directory.peek(type, id)) unknown.push([type, id]);
  });
  await lookUp(unknown, service);
  const named: Recipient[] = [];
  await slices.each(chats, (chat) => named.push({ ...chat, name: nameOrId(service, chat.type, chat.id) }));
  return named;
}

/** The name of a bot; its ID if it can't be looked up. */
export async function nameOfBot(service: Service, id: string): Promise<string> {
  if (!service.directory.peek('bot', id)) await lookUp([['bot', id]], service);
  return nameOrId(service, 'bot', id);
}

/** Resolves when the lookups have ended, when the user cancels, or when they take too long. Never rejects. */
async function lookUp(unknown: readonly [Kind, string][], { directory }: Service): Promise<void> {
  if (unknown.length === 0) return;
  const abort = new AbortController();
  const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(MAX_WAIT)]);
  const ended = Promise.allSettled(unknown.map(([kind, id]) => directory.get(kind, id, { signal })));
  const isShort = await Promise.race([ended.then(() => true), delay(PROGRESS_DELAY, { value: false })]);
  if (isShort) return;
  await showProgress(l10n.t('Looking up names (cancel to continue with IDs)'), (_, cancellation) => {
    cancellation.onCancellationRequested(() => abort.abort());
    return ended;
  });
}

function nameOrId({ directory }: Service, kind: Kind, id: string): string {
  const found = directory.peek(kind, id);
  return found ? displayName(found) : id;
}
