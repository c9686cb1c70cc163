/** Who was chosen for a document the last time. */
import * as v from 'valibot';
import type { Memento } from 'vscode';
import type { Service } from '../platform/service.ts';
import { identifier } from '../service/fields.ts';
import type { Chat } from '../service/model.ts';

const KEY = 'recipients';
/** So many documents are remembered, and so many recipients of each. */
const DOCUMENTS = 50;
const RECIPIENTS = 2_000;

const Remembered = v.fallback(
  v.array(
    v.object({
      service: v.string(),
      source: v.string(),
      chats: v.array(v.object({ type: v.picklist(['group', 'user']), id: identifier })),
    }),
  ),
  [],
);

/** Those whom a document was last to go to; nobody where that is not known. */
export function lastRecipients(memory: Memento, { address }: Service, source: string | undefined): readonly Chat[] {
  const all = v.parse(Remembered, memory.get(KEY));
  return all.find((one) => one.service === address && one.source === source)?.chats ?? [];
}

export async function rememberRecipients(
  memory: Memento,
  { address }: Service,
  source: string | undefined,
  recipients: readonly Chat[],
): Promise<void> {
  if (source === undefined || recipients.length > RECIPIENTS) return;
  const others = v.parse(Remembered, memory.get(KEY)).filter((one) => one.service !== address || one.source !== source);
  const chats = recipients.map(({ type, id }) => ({ type, id }));
  await memory.update(KEY, [{ service: address, source, chats }, ...others].slice(0, DOCUMENTS));
}
