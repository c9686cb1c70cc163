/** The names of recipients. */
import { l10n } from 'vscode';
import type { Recipient } from '../outbox/batches.ts';
import { signalOf } from '../platform/cancellation.ts';
import type { Service } from '../platform/service.ts';
import { displayName } from '../presentation/describe.ts';
import { showProgress } from '../presentation/dialogs.ts';
import type { Chat, Kind } from '../service/model.ts';
import { TimeSlices } from '../service/timeSlices.ts';

/** How many names are looked up before a message is sent. */
const MAX_LOOKUPS = 200;

/** Chats with their known names. Looks up some of the others, unless the user cancels. */
export async function namedRecipients(chats: readonly Chat[], service: Service): Promise<Recipient[]> {
  const { directory } = service;
  const unknown = chats.filter(({ type, id }) => !directory.has(type, id));
  const unnamed = new Set(unknown.slice(MAX_LOOKUPS));
  const nameAll = async (signal?: AbortSignal) => {
    const slices = new TimeSlices();
    const naming: Promise<Recipient>[] = [];
    for (const chat of chats) {
      const { type, id } = chat;
      const name = unnamed.has(chat) ? Promise.resolve(id) : nameOrId(service, type, id, signal);
      naming.push(name.then((name) => ({ ...chat, name })));
      if (slices.isOver) await slices.pause();
    }
    return Promise.all(naming);
  };
  if (unknown.length === 0) return nameAll();
  const title = l10n.t('Looking up names (cancel to continue with IDs)');
  return showProgress(title, (_, cancellation) => nameAll(signalOf(cancellation)));
}

/** The name of a group, bot or user; its ID if it can't be looked up. */
export async function nameOrId({ directory }: Service, kind: Kind, id: string, signal?: AbortSignal): Promise<string> {
  try {
    return displayName(await directory.get(kind, id, { signal }));
  } catch {
    return id;
  }
}
