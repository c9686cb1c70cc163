/** The recipients that the user last chose for a document. */

import type { Store } from '../../platform/store.ts';
import type { Chat } from '../../service/model.ts';
import type { Draft } from '../draft/draft.ts';

/** Longer lists aren't remembered. */
const MAX_REMEMBERED = 2_000;

type Document = Pick<Draft, 'source'>;

export function rememberedRecipients(
  store: Store,
  service: { address: string },
  { source }: Document,
): readonly Chat[] {
  if (source === undefined) return [];
  return store.find('recipients', { service: service.address, source })?.chats ?? [];
}

export async function rememberRecipients(
  store: Store,
  service: { address: string },
  { source }: Document,
  recipients: readonly Chat[],
): Promise<void> {
  if (source === undefined || recipients.length > MAX_REMEMBERED) return;
  const chats = recipients.map(({ kind, id }) => ({ kind, id }));
  await store.remember('recipients', { service: service.address, source }, { chats });
}
