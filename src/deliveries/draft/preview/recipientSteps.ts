/** Which recipient of a draft is shown, the steps to others, and how they are found. Knows no document. */
import { fold } from '../../../markup/caseFolding.ts';
import { type Clock, systemClock } from '../../../service/clock.ts';
import type { Chat } from '../../../service/model.ts';
import { TimeSlices } from '../../../service/timeSlices.ts';

interface Step {
  readonly chat: Chat;
  /** From 1, among all, or among those with problems if only these are shown. */
  readonly position: number;
  readonly total: number;
  /** How many have problems. */
  readonly withProblems: number;
  readonly onlyWithProblems: boolean;
}

export class RecipientSteps {
  #chats: readonly Chat[] = [];
  /** The indexes of recipients with problems, in order. */
  #withProblems: readonly number[] = [];
  #wantsProblems = false;
  /** Who is shown, even if they are gone for a while, until an edit is complete. */
  #wanted: Chat | undefined;
  #index = 0;

  /** Sets the recipients, and the indexes of those with problems, in order. The recipient that is shown stays, if possible. */
  use(chats: readonly Chat[], withProblems: readonly number[]): void {
    this.#chats = chats;
    this.#withProblems = withProblems;
    this.#place();
  }

  /** Moves to the next or the previous one, if there is one. */
  by(step: 1 | -1): void {
    const { onlyWithProblems } = this;
    const index = onlyWithProblems
      ? this.#withProblems[this.#withProblems.indexOf(this.#index) + step]
      : this.#index + step;
    this.#choose(index === undefined ? undefined : this.#chats[index], onlyWithProblems);
  }

  /** Moves to a recipient, even if only those with problems are shown and it has none. */
  goTo(chat: Chat): void {
    const index = this.#chats.findIndex((one) => isSame(one, chat));
    this.#choose(this.#chats[index], this.onlyWithProblems && this.#withProblems.includes(index));
  }

  /** Whether only those with problems are shown. */
  get onlyWithProblems(): boolean {
    return this.#wantsProblems && this.#withProblems.length > 0;
  }

  set onlyWithProblems(isOn: boolean) {
    this.#choose(this.#chats[this.#index], isOn);
  }

  /** Undefined if there are no recipients. */
  get step(): Step | undefined {
    const chat = this.#chats[this.#index];
    if (!chat) return undefined;
    const { onlyWithProblems } = this;
    return {
      chat,
      position: 1 + (onlyWithProblems ? this.#withProblems.indexOf(this.#index) : this.#index),
      total: (onlyWithProblems ? this.#withProblems : this.#chats).length,
      withProblems: this.#withProblems.length,
      onlyWithProblems,
    };
  }

  #choose(chat: Chat | undefined, onlyWithProblems: boolean): void {
    if (!chat) return;
    this.#wanted = chat;
    this.#wantsProblems = onlyWithProblems;
    this.#place();
  }

  #place(): void {
    const wanted = this.#wanted ?? this.#chats[0];
    this.#wanted = wanted;
    const last = Math.max(0, this.#chats.length - 1);
    if (wanted && !isSame(this.#chats[this.#index], wanted)) {
      const index = this.#chats.findIndex((one) => isSame(one, wanted));
      this.#index = index < 0 ? Math.min(this.#index, last) : index;
    }
    if (!this.onlyWithProblems) return;
    const after = this.#withProblems.find((index) => index >= this.#index);
    this.#index = after ?? this.#withProblems.at(-1) ?? 0;
    this.#wanted = this.#chats[this.#index];
  }
}

const isSame = (one: Chat | undefined, other: Chat) => one?.id === other.id && one.kind === other.kind;

/** How many are offered at once. */
const MAX_FOUND = 20;

interface FoundRecipients {
  readonly chats: readonly Chat[];
  readonly hasMore: boolean;
}

/**
 * The recipients whose name or ID contains a text: first those with this ID, then those whose name or ID begins with it.
 * Searches in time slices. Rejects with a ServiceError if the signal has been aborted.
 */
export async function findRecipients(
  chats: readonly Chat[],
  text: string,
  namesOf: (chat: Chat) => readonly string[],
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<FoundRecipients> {
  const wanted = fold(text.trim());
  if (!wanted) return { chats: [], hasMore: false };
  const [same, beginning, containing]: [Chat[], Chat[], Chat[]] = [[], [], []];
  await new TimeSlices(signal, clock).each(chats, (chat) => {
    const texts = [chat.id, ...namesOf(chat)].map(fold);
    const rank = texts[0] === wanted ? same : texts.some((one) => one.startsWith(wanted)) ? beginning : containing;
    // One more tells whether there are more.
    if (rank.length <= MAX_FOUND && texts.some((one) => one.includes(wanted))) rank.push(chat);
  });
  const found = [...same, ...beginning, ...containing];
  return { chats: found.slice(0, MAX_FOUND), hasMore: found.length > MAX_FOUND };
}
