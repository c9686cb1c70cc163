/**
 * Plans a delivery: who gets which message, in which calls. It's made before the confirmation and sent as it was shown, even
 * if names are looked up meanwhile.
 */
import { MessageTemplate } from '../../markup/messageTemplate.ts';
import type { Values } from '../../markup/template.ts';
import type { Service } from '../../platform/service.ts';
import { singleLineName } from '../../presentation/describe.ts';
import type { Outgoing } from '../../service/message.ts';
import { type Chat, chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import type { Draft } from '../draft/draftReader.ts';
import { countFaults, type Missing } from '../draft/recipients/missingValues.ts';
import { RecipientValues } from '../draft/recipients/recipientTable.ts';

/** A chat that gets the message, with the name in the file of recipients, or else the service's. */
export interface Recipient extends Chat {
  name: string;
  /** The user's own name for the chat. It isn't recorded, since names in a file may be sent. */
  label?: string;
  /** Set if another delivery may have reached the chat before: the user has accepted that. */
  mayHaveIt?: true | undefined;
}

/** What a recipient, or a bot, is called wherever only the user sees it: what others may read has its `name`. */
export const shownName = ({ name, label = name }: Pick<Recipient, 'label' | 'name'>) => singleLineName(label);

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
   * A key that recipients with the same inserted values share: comparing 100,000 texts would cost more. Other values rarely
   * make the same text, as in `{{a}}{{b}}`; each then gets a call.
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

  /** Adds a recipient. Callers with many recipients can take breaks in between. `variant` is for messages with variables. */
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

/** A value that some recipients don't have. */
export interface MissingValue extends Missing<Recipient> {
  readonly name: string;
  /** What stays around the value in the message, if anything. */
  readonly marks?: string | undefined;
}

const MAX_SAMPLES = 3;

/** Someone whose message may be shown. */
interface Candidate {
  readonly recipient: Recipient;
  readonly values: Values;
}

/** A message, and one of those who get it. */
interface Sample {
  readonly recipient: Recipient;
  readonly message: Outgoing;
}

export interface DeliveryPlan {
  readonly batches: readonly Batch[];
  /** The number of different messages. */
  readonly messages: number;
  /** Variables that are empty, without a default. */
  readonly empty: readonly MissingValue[];
  /** Variables that should be an address and aren't. */
  readonly notAddress: readonly MissingValue[];
  /** Variables that no value can be inserted in. */
  readonly forbidden: MessageTemplate['forbidden'];
  /** For each variable that is a whole address, the hosts that it leads to. */
  readonly hosts: ReadonlyMap<string, ReadonlySet<string>>;
  /** The length of the longest message (UTF-16 units). */
  readonly longest: number;
  /** Up to three messages: one with an empty value, the longest, and the first ones. */
  readonly samples: readonly Sample[];
}

/**
 * Puts each recipient into one batch of at most `batchSize`, whose recipients all get the same message, with the values that
 * `valuesOf` has for them. Works in time slices.
 */
export async function planDelivery(
  { message, variables = [] }: Pick<Draft, 'message' | 'variables'>,
  recipients: readonly Recipient[],
  batchSize: number,
  valuesOf: (recipient: Chat) => Values,
): Promise<DeliveryPlan> {
  const plan = new BatchPlan(batchSize);
  if (variables.length === 0) {
    await new TimeSlices().each(recipients, (recipient) => plan.add(recipient));
    const [recipient] = recipients;
    return {
      batches: plan.batches,
      messages: 1,
      empty: [],
      notAddress: [],
      forbidden: [],
      hosts: new Map(),
      longest: lengthOf(message),
      samples: recipient ? [{ recipient, message }] : [],
    };
  }
  const template = new MessageTemplate(message);
  const keys = new Set<string>();
  const first: Candidate[] = [];
  let longestOne: Candidate | undefined;
  let emptyOne: Candidate | undefined;
  let longest = 0;
  const { empty, notAddress, hosts } = await countFaults(['empty', 'notAddress'], recipients, (recipient) => {
    const values = valuesOf(recipient);
    const filled = template.fill(values);
    plan.add(recipient, { key: filled.key, values: variables.map(values) });
    if (keys.has(filled.key)) return filled;
    keys.add(filled.key);
    const candidate = { recipient, values };
    if (keys.size <= MAX_SAMPLES) first.push(candidate);
    if (filled.empty.length > 0) emptyOne ??= candidate;
    if (filled.length > longest) longestOne = candidate;
    longest = Math.max(longest, filled.length);
    return filled;
  });
  const chosen = new Set([emptyOne, longestOne, ...first].filter((one) => one !== undefined));
  return {
    batches: plan.batches,
    messages: keys.size,
    empty: Array.from(empty, ([name, missing]) => {
      const marks = template.marks.get(name);
      return { name, ...missing, ...(marks && { marks }) };
    }),
    notAddress: Array.from(notAddress, ([name, missing]) => ({ name, ...missing })),
    forbidden: template.forbidden,
    hosts,
    longest,
    samples: [...chosen]
      .slice(0, MAX_SAMPLES)
      .map(({ recipient, values }) => ({ recipient, message: template.render(values) })),
  };
}

/** The values of the recipients of batches that were planned before. */
export async function plannedValues(
  variables: readonly string[],
  batches: readonly Batch[],
): Promise<(recipient: Chat) => Values> {
  const planned = new Map<string, readonly string[]>();
  await new TimeSlices().each(batches, ({ recipients, values = [] }) => {
    for (const one of recipients) planned.set(chatKey(one), values);
  });
  return (recipient) => {
    const values = planned.get(chatKey(recipient)) ?? [];
    return (name) => values[variables.indexOf(name)] ?? '';
  };
}

/** The values in the file of a draft, and those that are known of its recipients. */
export function valuesFrom(
  { table }: Pick<Draft, 'table'>,
  directory: Service['directory'],
): (recipient: Chat) => Values {
  const values = new RecipientValues(table, directory);
  return (recipient) => values.of(recipient);
}

const lengthOf = ({ content }: Outgoing) => ('text' in content ? content.text.length : 0);
