/** Splits the recipients of a delivery into batches. */
import type { Chat } from '../service/model.ts';

/** A chat that gets the message, with the name that the user chose it by. */
export interface Recipient extends Chat {
  name: string;
}

/** The receivers of one `batch_send`, all of one `recvType` (contract 4.5). */
export interface Batch {
  recvType: Chat['type'];
  recipients: Recipient[];
}

/** Puts every recipient in exactly one batch of at most `size`, without duplicates, groups before users. */
export function planBatches(recipients: readonly Recipient[], size: number): Batch[] {
  return (['group', 'user'] as const).flatMap((recvType) => {
    const byId = new Map<string, Recipient>();
    for (const recipient of recipients) if (recipient.type === recvType) byId.set(recipient.id, recipient);
    const ofType = [...byId.values()];
    return Array.from({ length: Math.ceil(ofType.length / size) }, (_, index) => ({
      recvType,
      recipients: ofType.slice(index * size, (index + 1) * size),
    }));
  });
}
