/** Splits the recipients of a delivery into batches. */
import { type Chat, chatKey } from '../service/model.ts';

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
export class BatchPlan {
  readonly #size: number;
  readonly #planned = new Set<string>();
  readonly #groups: Batch[] = [];
  readonly #users: Batch[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** Adds them one by one, so that a caller with many can take breaks. */
  add(recipient: Recipient): void {
    const key = chatKey(recipient);
    if (this.#planned.has(key)) return;
    this.#planned.add(key);
    const batches = recipient.type === 'group' ? this.#groups : this.#users;
    const last = batches.at(-1);
    if (last && last.recipients.length < this.#size) last.recipients.push(recipient);
    else batches.push({ recvType: recipient.type, recipients: [recipient] });
  }

  get batches(): Batch[] {
    return [...this.#groups, ...this.#users];
  }
}
