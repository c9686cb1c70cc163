/** A delivery cut into batches. */
import type { Chat } from '../service/model.ts';

/** One who is to get a message, by the name that the person chose them by. */
export interface Recipient extends Chat {
  name: string;
}

/** The receivers of one `batch_send`: all of one `recvType` (contract 4.5). */
export interface Batch {
  recvType: Chat['type'];
  recipients: Recipient[];
}

/** Every recipient in exactly one batch, none twice, groups before users, at most `size` in a batch. */
export function planBatches(recipients: readonly Recipient[], size: number): Batch[] {
  return (['group', 'user'] as const).flatMap((recvType) => {
    const byId = new Map<string, Recipient>();
    for (const one of recipients) if (one.type === recvType) byId.set(one.id, one);
    const ofType = [...byId.values()];
    return Array.from({ length: Math.ceil(ofType.length / size) }, (_, index) => ({
      recvType,
      recipients: ofType.slice(index * size, (index + 1) * size),
    }));
  });
}
