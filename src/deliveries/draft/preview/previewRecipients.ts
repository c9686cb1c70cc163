/** The recipients of a draft that varies: which one is shown with their message, the steps to others, and how they are found. */
import type { Directory } from '../../../directory/directory.ts';
import { fold } from '../../../markup/caseFolding.ts';
import type { Service } from '../../../platform/service.ts';
import { knownLabel, singleLineName } from '../../../presentation/describe.ts';
import { MAX_NAMES } from '../../../presentation/lookups.ts';
import { l10n } from '../../../presentation/shown.ts';
import type { Matches, RecipientStep } from '../../../protocol/preview.ts';
import { isFailure } from '../../../service/errors.ts';
import type { Outgoing } from '../../../service/message.ts';
import { type Chat, chatKey, isSame } from '../../../service/model.ts';
import { TimeSlices } from '../../../service/timeSlices.ts';
import { NO_RULES, type Rules } from '../leaveOut.ts';
import { whyLeftOut } from '../leftOutText.ts';
import { variableName, withMarks } from '../recipients/variableText.ts';
import { countUnchecked, uncheckedText, unknownAmong } from '../unknownRecipients.ts';
import type { NameLookups } from './nameLookups.ts';
import type { PersonalMessage } from './personalMessage.ts';

export class PreviewRecipients {
  readonly steps = new RecipientSteps();
  readonly #names: NameLookups;
  #chats: readonly Chat[] = [];
  /** The message that varies; undefined if all get the same. */
  #message: PersonalMessage | undefined;
  /** The recipient whose message was shown last. */
  #last: Chat | undefined;
  /** How many recipients weren't looked up, because there are very many. */
  #unchecked = 0;
  #rules = NO_RULES;
  /** How many recipients get nothing. */
  #leftOut = 0;
  #search = new AbortController();

  constructor(names: NameLookups) {
    this.#names = names;
  }

  /** Sets the message and its recipients. Counts the known problems of recipients in time slices. */
  async use(
    message: PersonalMessage | undefined,
    chats: readonly Chat[],
    directory: Pick<Directory, 'has' | 'peek'> | undefined,
    rules: Rules,
  ): Promise<void> {
    const lacking = await message?.withProblemsIn(chats);
    const unknown = message && directory && (await unknownAmong(chats, directory));
    const inDirectory = directory && (await message?.withProblemsOf(directory, chats));
    const unchecked = message && directory && !looksUpAll(chats) ? await countUnchecked(chats, directory) : 0;
    const withProblems: number[] = [];
    let index = 0;
    let leftOut = 0;
    await new TimeSlices().each(message ? chats : [], (chat) => {
      // Recipients who get nothing need no values.
      if (rules.reasonFor(chat)) leftOut++;
      else if (lacking?.has(chat) || inDirectory?.has(chat) || unknown?.has(chat)) withProblems.push(index);
      index++;
    });
    this.#message = message;
    this.#chats = chats;
    this.#unchecked = unchecked;
    this.#rules = rules;
    this.#leftOut = leftOut;
    if (message) this.steps.use(chats, withProblems);
  }

  /**
   * The message of the current recipient, and what the page shows of them. Looks up all recipients, or the current one of
   * very many.
   */
  current(service: Service | undefined): { message: Outgoing; step: RecipientStep } | undefined {
    const { step } = this.steps;
    const message = this.#message;
    if (!step || !message) return undefined;
    const { chat, ...place } = step;
    const { kind, id } = chat;
    const areAll = looksUpAll(this.#chats);
    if (!areAll && this.#last && chatKey(this.#last) !== chatKey(chat))
      this.#names.drop(this.#last.kind, this.#last.id);
    this.#last = chat;
    const looked = this.#names.of(service, kind, id);
    if (areAll) for (const one of this.#chats) this.#names.of(service, one.kind, one.id);
    const { empty, notAddress, severalLines, sheetErrors } = message.lackingOf(chat, service?.directory);
    const leftOut = whyLeftOut({ kind, id }, this.#rules);
    const found = [
      ...(looked.problem === undefined ? [] : [looked.problem]),
      ...empty.map((name) => withMarks(l10n.t('{0} is empty.', variableName(name)), message.marksOf(name))),
      ...notAddress.map((name) => l10n.t("{0} isn't a web address.", variableName(name))),
      ...sheetErrors.map((name) => l10n.t('{0} is a spreadsheet error.', variableName(name))),
      ...severalLines.map((name) => l10n.t('{0} has line breaks. Spaces are sent instead.', variableName(name))),
    ];
    const problems = leftOut === undefined ? found : [];
    const label = service && knownLabel(service.directory, kind, id);
    const name = label ?? (singleLineName(message.namesIn(service?.directory)(chat)) || looked.name);
    const unchecked = this.#unchecked > 0 ? uncheckedText(this.#unchecked) : undefined;
    return {
      message: message.of(chat, service?.directory),
      step: { kind, id, name, problems, ...place, leftOut, leftOutCount: this.#leftOut, unchecked },
    };
  }

  /** The recipients that a text finds, unless another search starts before the end of this one. */
  async find(text: string, service: Service | undefined): Promise<Omit<Matches, 'type' | 'search'> | undefined> {
    this.#search.abort();
    this.#search = new AbortController();
    const ownNameOf = this.#message?.namesIn(service?.directory);
    if (!ownNameOf) return undefined;
    const labelOf = ({ kind, id }: Chat) => service && knownLabel(service.directory, kind, id);
    const namesOf = (chat: Chat) => [labelOf(chat) ?? '', ownNameOf(chat)];
    try {
      const { chats, hasMore } = await findRecipients(this.#chats, text, namesOf, new TimeSlices(this.#search.signal));
      const recipients = chats.map((chat) => {
        const { kind, id } = chat;
        return { kind, id, name: labelOf(chat) ?? (singleLineName(ownNameOf(chat)) || id) };
      });
      return { recipients, hasMore };
    } catch (error) {
      if (isFailure(error, 'cancelled')) return undefined;
      throw error;
    }
  }
}

/** Whether all recipients are looked up at once. If there are too many, each is looked up when it's shown. */
const looksUpAll = ({ length }: readonly Chat[]) => length <= MAX_NAMES;

interface Step {
  readonly chat: Chat;
  /** The position of the recipient from 1, among all or, if only these are shown, among those with problems. */
  readonly position: number;
  readonly total: number;
  /** How many recipients have problems. */
  readonly withProblems: number;
  readonly onlyWithProblems: boolean;
}

/** Which recipient is shown, and the steps to others. Knows nothing of documents. */
export class RecipientSteps {
  #chats: readonly Chat[] = [];
  /** The indexes of recipients with problems, in order. */
  #withProblems: readonly number[] = [];
  #wantsProblems = false;
  /** The recipient to show, even if an unfinished edit has removed them for a while. */
  #wanted: Chat | undefined;
  #index = 0;

  /** Sets the recipients, and the indexes of those with problems, in order. The recipient that is shown stays, if possible. */
  use(chats: readonly Chat[], withProblems: readonly number[]): void {
    this.#chats = chats;
    this.#withProblems = withProblems;
    this.#place();
  }

  /** Moves to the next or the previous recipient, if there is one. */
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

  /** Whether only recipients with problems are shown. */
  get onlyWithProblems(): boolean {
    return this.#wantsProblems && this.#withProblems.length > 0;
  }

  set onlyWithProblems(isOn: boolean) {
    this.#choose(this.#chats[this.#index], isOn);
  }

  /** The recipient that is shown, and the steps to others; undefined if there are no recipients. */
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
    const current = this.#chats[this.#index];
    if (wanted && !(current && isSame(current, wanted))) {
      const index = this.#chats.findIndex((one) => isSame(one, wanted));
      this.#index = index < 0 ? Math.min(this.#index, last) : index;
    }
    if (!this.onlyWithProblems) return;
    const after = this.#withProblems.find((index) => index >= this.#index);
    this.#index = after ?? this.#withProblems.at(-1) ?? 0;
    this.#wanted = this.#chats[this.#index];
  }
}

/** How many found recipients are offered at once. */
const MAX_FOUND = 20;

/**
 * The recipients whose name or ID contains a text: first those with this ID, then those whose name or ID begins with it.
 * Searches in the given time slices, and rejects as they do.
 */
export async function findRecipients(
  chats: readonly Chat[],
  text: string,
  namesOf: (chat: Chat) => readonly string[],
  slices: TimeSlices,
): Promise<{ readonly chats: readonly Chat[]; readonly hasMore: boolean }> {
  const wanted = fold(text.trim());
  if (!wanted) return { chats: [], hasMore: false };
  const same: Chat[] = [];
  const beginning: Chat[] = [];
  const containing: Chat[] = [];
  await slices.each(chats, (chat) => {
    const texts = [chat.id, ...namesOf(chat)].map(fold);
    const rank = texts[0] === wanted ? same : texts.some((one) => one.startsWith(wanted)) ? beginning : containing;
    // One recipient beyond the limit tells that there are more.
    if (rank.length <= MAX_FOUND && texts.some((one) => one.includes(wanted))) rank.push(chat);
  });
  const found = [...same, ...beginning, ...containing];
  return { chats: found.slice(0, MAX_FOUND), hasMore: found.length > MAX_FOUND };
}
