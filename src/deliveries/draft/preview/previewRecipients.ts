/** The recipients of a draft that varies, of whom one is shown with their message. */
import { l10n } from 'vscode';
import type { Directory } from '../../../directory/directory.ts';
import type { Service } from '../../../platform/service.ts';
import { knownLabel, singleLineName } from '../../../presentation/describe.ts';
import { MAX_NAMES } from '../../../presentation/lookups.ts';
import type { Matches, RecipientStep } from '../../../protocol/preview.ts';
import { isFailure } from '../../../service/errors.ts';
import type { Outgoing } from '../../../service/message.ts';
import { type Chat, chatKey } from '../../../service/model.ts';
import { TimeSlices } from '../../../service/timeSlices.ts';
import { NO_RULES, type Rules } from '../leaveOut.ts';
import { whyLeftOut } from '../leftOutText.ts';
import { variableName, withMarks } from '../recipients/variableText.ts';
import { countUnchecked, uncheckedText, unknownAmong } from '../unknownRecipients.ts';
import type { NameLookups } from './nameLookups.ts';
import type { PersonalMessage } from './personalMessage.ts';
import { findRecipients, RecipientSteps } from './recipientSteps.ts';

export class PreviewRecipients {
  readonly steps = new RecipientSteps();
  readonly #names: NameLookups;
  #chats: readonly Chat[] = [];
  /** Undefined if all get the same. */
  #message: PersonalMessage | undefined;
  /** Whose message was shown last. */
  #last: Chat | undefined;
  /** How many weren't looked up, because they are very many. */
  #unchecked = 0;
  #rules = NO_RULES;
  /** How many of them get nothing. */
  #leftOut = 0;
  #search = new AbortController();

  constructor(names: NameLookups) {
    this.#names = names;
  }

  /** Sets the message and its recipients, whose problems are counted in time slices, as far as they're known. */
  async use(
    message: PersonalMessage | undefined,
    chats: readonly Chat[],
    directory: Pick<Directory, 'has' | 'peek'> | undefined,
    rules: Rules,
  ): Promise<void> {
    const lacking = new Set(await message?.withProblemsIn(chats));
    const unknown = message && directory ? await unknownAmong(chats, directory) : new Set<Chat>();
    const inDirectory = message && directory ? await message.withProblemsOf(directory, chats) : [];
    for (const index of inDirectory) lacking.add(index);
    const unchecked = message && directory && !looksUpAll(chats) ? await countUnchecked(chats, directory) : 0;
    const withProblems: number[] = [];
    let [index, leftOut] = [0, 0];
    await new TimeSlices().each(message ? chats : [], (chat) => {
      // What those lack who get nothing doesn't matter.
      if (rules.reasonFor(chat)) leftOut++;
      else if (lacking.has(index) || unknown.has(chat)) withProblems.push(index);
      index++;
    });
    [this.#message, this.#chats, this.#unchecked, this.#rules] = [message, chats, unchecked, rules];
    this.#leftOut = leftOut;
    if (message) this.steps.use(chats, withProblems);
  }

  /** The message of the current recipient, and what the page shows of them. Looks them up; all, unless they are very many. */
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
      const { chats, hasMore } = await findRecipients(this.#chats, text, namesOf, this.#search.signal);
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

/** More are looked up one by one, as they are shown. */
const looksUpAll = ({ length }: readonly Chat[]) => length <= MAX_NAMES;
