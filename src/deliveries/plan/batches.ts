/** Splits the recipients of a delivery into batches. */
import { type Chat, chatKey } from '../../service/model.ts';

/** A chat that gets the message, with the name in the file of recipients, or else the service's. */
export interface Recipient extends Chat {
  name: string;
  /** What the user calls it instead. It isn't recorded, since names in a file may be sent. */
  label?: string;
  /** Another delivery may have reached it before this one: the user has accepted that. */
  mayHaveIt?: true | undefined;
}

/** What a recipient, or a bot, is called wherever only the user sees it: what others may read has its `name`. */
export const shownName = ({ name, label = name }: Pick<Recipient, 'label' | 'name'>) => label;

/** The receivers of one `batch_send`, all of one `recvType` (contract 4.5). */
export interface Batch {
  recvType: Chat['kind'];
  recipients: Recipient[];
  /** What these recipients get in place of the delivery's variables, in their order; missing if there are none. */
  values?: string[] | undefined;
  /** The digest of the message that these values make: see {@link digestOf}. */
  digest?: string | undefined;
}

/** The message of some recipients. */
interface Variant {
  /**
   * The same for those with the same inserted values: comparing 100,000 texts would cost more. Others may rarely make the
   * same text, as in `{{a}}{{b}}`. Each then gets a call.
   */
  key: string;
  values: string[];
}

/**
 * Puts every recipient in exactly one batch of at most `size`, without duplicates, groups before users. All recipients
 * of a batch get the same message.
 */
export class BatchPlan {
  readonly #size: number;
  readonly #planned = new Set<string>();
  readonly #groups: Batch[] = [];
  readonly #users: Batch[] = [];
  /** The last batch of each message, by the type of its recipients and its key. */
  readonly #open = new Map<string, Batch>();

  constructor(size: number) {
    this.#size = size;
  }

  /** Adds them one by one, so that a caller with many can take breaks. `variant` is for messages with variables. */
  add({ label: _, ...recipient }: Recipient, variant?: Variant): void {
    const key = chatKey(recipient);
    if (this.#planned.has(key)) return;
    this.#planned.add(key);
    const openKey = `${recipient.kind} ${variant?.key ?? ''}`;
    const open = this.#open.get(openKey);
    if (open && open.recipients.length < this.#size) {
      open.recipients.push(recipient);
      return;
    }
    const batch: Batch = {
      recvType: recipient.kind,
      recipients: [recipient],
      ...(variant && { values: variant.values }),
    };
    this.#open.set(openKey, batch);
    (recipient.kind === 'group' ? this.#groups : this.#users).push(batch);
  }

  get batches(): Batch[] {
    return [...this.#groups, ...this.#users];
  }
}
