/** A message that varies, with the values of its recipients. */
import type { Directory } from '../../../directory/directory.ts';
import { MessageTemplate } from '../../../markup/messageTemplate.ts';
import type { Outgoing } from '../../../service/message.ts';
import { type Chat, chatKey } from '../../../service/model.ts';
import { TimeSlices } from '../../../service/timeSlices.ts';
import { faultsOf, hasFaults, missingValues } from '../recipients/missingValues.ts';
import { DIRECTORY_VARIABLES, ownNamesIn, type RecipientTable, RecipientValues } from '../recipients/recipientTable.ts';

type KnownValues = Pick<Directory, 'has' | 'peek'> | undefined;

/** The last result for each list of recipients. */
const known = new WeakMap<readonly Chat[], { message: PersonalMessage; found: Promise<ReadonlySet<Chat>> }>();

export class PersonalMessage {
  readonly #template: MessageTemplate;
  readonly #table: RecipientTable | undefined;

  /** `table` is the file of the recipients, if there is one. */
  constructor(message: Outgoing, table: RecipientTable | undefined) {
    this.#template = new MessageTemplate(message);
    this.#table = table;
  }

  /** What a recipient gets, as far as their values are known. */
  of(chat: Chat, directory: KnownValues): Outgoing {
    return this.#template.render(new RecipientValues(this.#table, directory).of(chat));
  }

  /** The marks that stay around a variable without a value, if there are any. */
  marksOf(name: string): string | undefined {
    return this.#template.marks.get(name);
  }

  /** The own names of recipients; empty if they aren't known. */
  namesIn(directory: KnownValues): (chat: Chat) => string {
    return ownNamesIn(this.#table, directory);
  }

  /**
   * What a recipient lacks. A value of the directory that wasn't looked up isn't missing, and a variable that nobody has
   * is a problem of the draft.
   */
  lackingOf(chat: Chat, directory: KnownValues, values = new RecipientValues(this.#table, directory)) {
    const isInFile = (name: string) => !values.isFromDirectory(chat, name);
    const isKnown = (name: string) => {
      if (isInFile(name)) return true;
      if (DIRECTORY_VARIABLES.includes(name)) return directory?.has(chat.kind, chat.id) ?? false;
      return this.#table?.columns.includes(name) ?? false;
    };
    return faultsOf(this.#template, values.of(chat), isInFile, isKnown);
  }

  /** The recipients that lack a value, as far as it's known without the directory. Found in time slices. */
  withProblemsIn(chats: readonly Chat[]): Promise<ReadonlySet<Chat>> {
    const last = known.get(chats);
    if (last && this.#hasSameValues(last.message)) return last.found;
    const found = this.#findWithProblems(chats);
    known.set(chats, { message: this, found });
    return found;
  }

  /** The recipients that lack a value which the directory would have. Found in time slices. */
  async withProblemsOf(directory: Pick<Directory, 'has' | 'peek'>, chats: readonly Chat[]): Promise<Set<Chat>> {
    const names = this.#template.variables.filter((name) => DIRECTORY_VARIABLES.includes(name));
    const values = new RecipientValues(this.#table, directory);
    const withProblems = new Set<Chat>();
    await new TimeSlices().each(names.length > 0 ? chats : [], (chat) => {
      const isKnown = directory.has(chat.kind, chat.id) && names.some((name) => values.isFromDirectory(chat, name));
      if (isKnown && hasFaults(this.lackingOf(chat, directory, values))) withProblems.add(chat);
    });
    return withProblems;
  }

  #hasSameValues(other: PersonalMessage): boolean {
    return this.#table === other.#table && this.#template.hasSameVariables(other.#template);
  }

  async #findWithProblems(chats: readonly Chat[]): Promise<Set<Chat>> {
    const table = this.#table;
    const inFile = table && (await missingValues(this.#template, table)).chats;
    const withProblems = new Set<Chat>();
    const values = new RecipientValues(table, undefined);
    await new TimeSlices().each(chats, (chat) => {
      const row = table?.rows.get(chatKey(chat));
      if (row ? inFile?.has(row.chat) : hasFaults(this.lackingOf(chat, undefined, values))) withProblems.add(chat);
    });
    return withProblems;
  }
}
