/**
 * The messages of a delivery: the same for all, or one for each batch. A personal one stores its template and values, never
 * the file that they're from, and a digest of each message: what another version of the extension would change isn't sent.
 */
import { MessageTemplate } from '../../markup/messageTemplate.ts';
import type { Outgoing, OutgoingButton } from '../../service/message.ts';
import { type Chat, chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import type { Batch } from '../plan/deliveryPlan.ts';
import { type Delivery, digestOf } from './record.ts';

/** A message can't be made again as it was confirmed, because another version of this extension stored it. */
export class ChangedMessageError extends Error {
  override readonly name = 'ChangedMessageError';
}

export class DeliveryMessages {
  readonly #delivery: Pick<Delivery, 'message' | 'variables' | 'batches'>;
  readonly #template: MessageTemplate | undefined;

  constructor(delivery: Pick<Delivery, 'message' | 'variables' | 'batches'>) {
    this.#delivery = delivery;
    this.#template = delivery.variables && new MessageTemplate(delivery.message);
  }

  /** The message that a batch was confirmed with. */
  of({ values = [] }: Pick<Batch, 'values'>): Outgoing {
    const { message, variables = [] } = this.#delivery;
    return this.#template?.render((name) => values[variables.indexOf(name)] ?? '') ?? message;
  }

  /** The message of a recipient; undefined if it isn't one. */
  ofChat({ kind, id }: Chat): Outgoing | undefined {
    const batch = this.#template
      ? this.#delivery.batches.find(
          ({ recvType, recipients }) => recvType === kind && recipients.some((one) => one.id === id),
        )
      : {};
    return batch && this.of(batch);
  }

  /** The buttons that are the same for all recipients. */
  sharedButtons(): OutgoingButton[] {
    const { message, variables = [], batches } = this.#delivery;
    const buttons = message.content.buttons?.flat() ?? [];
    const [first] = batches;
    if (!this.#template || !first) return buttons;
    const isShared = (name: string) => {
      const at = variables.indexOf(name);
      return batches.every(({ values }) => values?.[at] === first.values?.[at]);
    };
    return buttons.flatMap((button) => {
      const alone: Outgoing = { contentType: 'text', content: { text: '', buttons: [[button]] } };
      if (!new MessageTemplate(alone).variables.every(isShared)) return [];
      return new DeliveryMessages({ ...this.#delivery, message: alone }).of(first).content.buttons?.flat() ?? [];
    });
  }

  /** Like {@link of}, to send it. @throws ChangedMessageError */
  async verified(batch: Pick<Batch, 'values' | 'digest'>): Promise<Outgoing> {
    const message = this.of(batch);
    if (batch.digest !== undefined && batch.digest !== (await digestOf(message))) throw new ChangedMessageError();
    return message;
  }
}

/**
 * What makes messages the same: two with the same normal form are one message to their recipients. A list may show a text
 * with other line ends, and without the white space around it. What is sent stays as it was written.
 */
export function normalForm(message: Outgoing): Outgoing {
  const { contentType, content } = message;
  if (contentType === 'image' || contentType === 'file') return message;
  return { contentType, content: { ...content, text: normalText(content.text) } };
}

/** The text of a message in its {@link normalForm}. */
export const normalText = (text: string) => text.replace(/\r\n?/g, '\n').trim();

/** What some recipients of a delivery with variables read, by {@link chatKey}. Works in time slices. */
export async function textsOf(delivery: Delivery, chats: readonly Chat[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  if (!delivery.variables) return texts;
  const messages = new DeliveryMessages(delivery);
  const wanted = new Set(chats.map(chatKey));
  await new TimeSlices().each(delivery.batches, (batch) => {
    const keys = batch.recipients.map(chatKey).filter((key) => wanted.has(key));
    const text = keys.length > 0 ? textOf(messages.of(batch)) : '';
    for (const key of keys) texts.set(key, text);
  });
  return texts;
}

/** The text that people see first of a message. */
const textOf = ({ content }: Outgoing) =>
  'text' in content ? content.text : 'fileName' in content ? content.fileName : content.imageKey;

/** How many digests are made at the same time: waiting for each would take longer than making it. */
const DIGESTS = 100;

/** The batches of a delivery, each with the digest of its message if it has one of its own. */
export async function withDigests(
  delivery: Pick<Delivery, 'message' | 'variables'> & { batches: readonly Batch[] },
): Promise<Batch[]> {
  const batches = [...delivery.batches];
  if (!delivery.variables) return batches;
  const messages = new DeliveryMessages({ ...delivery, batches });
  const slices = new TimeSlices();
  const done: Batch[] = [];
  while (done.length < batches.length) {
    const next = batches.slice(done.length, done.length + DIGESTS);
    done.push(...(await Promise.all(next.map(async (one) => ({ ...one, digest: await digestOf(messages.of(one)) })))));
    if (slices.isOver) await slices.pause();
  }
  return done;
}
