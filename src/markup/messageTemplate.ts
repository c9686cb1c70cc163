/** A message with variables in its texts, and the message that a recipient gets (contract 2.7, 2.8). */
import type { Outgoing, OutgoingButton } from '../service/message.ts';
import {
  compileTemplate,
  insertionOf,
  renderTemplate,
  type Slot,
  type Template,
  type TextFormat,
  type Values,
} from './template.ts';

/** What is wrong with the message of one recipient. */
export interface ValueProblems {
  /** Variables that are empty, without a default. */
  readonly empty: readonly string[];
  /** Variables that should be an address and aren't. */
  readonly notAddress: readonly string[];
}

export class MessageTemplate {
  readonly #message: Outgoing;
  /** Of each text, in the order of {@link mapTexts}. */
  readonly #templates: Template[] = [];
  readonly #slots: readonly Slot[];
  /** The names of the variables, in order and without duplicates. */
  readonly variables: readonly string[];

  constructor(message: Outgoing) {
    this.#message = message;
    mapTexts(message, (text, format) => {
      this.#templates.push(compileTemplate(text, format));
      return text;
    });
    this.#slots = this.#templates.flat().filter((piece) => typeof piece !== 'string');
    this.variables = [...new Set(this.#slots.map(({ name }) => name))];
  }

  /** The message of a recipient. */
  render(values: Values): Outgoing {
    const templates = this.#templates.values();
    return mapTexts(this.#message, () => renderTemplate(templates.next().value ?? [], values));
  }

  /** The same for recipients who get the same message. */
  key(values: Values): string {
    return JSON.stringify(this.#slots.map((slot) => insertionOf(slot, values(slot.name)) ?? ''));
  }

  problems(values: Values): ValueProblems {
    const empty = new Set<string>();
    const notAddress = new Set<string>();
    for (const slot of this.#slots) {
      const inserted = insertionOf(slot, values(slot.name));
      if (inserted === '') empty.add(slot.name);
      else if (inserted === undefined) notAddress.add(slot.name);
    }
    return { empty: [...empty], notAddress: [...notAddress] };
  }
}

/** A message with each of its texts replaced. */
export function mapTexts(message: Outgoing, map: (text: string, format: TextFormat) => string): Outgoing {
  const { contentType } = message;
  const button = ({ actionType, text, url, value }: OutgoingButton): OutgoingButton => ({
    text: map(text, 'text'),
    actionType,
    ...(url !== undefined && { url: map(url, 'address') }),
    ...(value !== undefined && { value: map(value, 'text') }),
  });
  const rows = message.content.buttons;
  const buttons = rows && { buttons: rows.map((row) => row.map(button)) };
  switch (contentType) {
    case 'image':
      return { contentType, content: { imageKey: map(message.content.imageKey, 'text'), ...buttons } };
    case 'file': {
      const { fileName, fileUrl } = message.content;
      return {
        contentType,
        content: { fileName: map(fileName, 'text'), fileUrl: map(fileUrl, 'address'), ...buttons },
      };
    }
    default:
      return { contentType, content: { text: map(message.content.text, contentType), ...buttons } };
  }
}
