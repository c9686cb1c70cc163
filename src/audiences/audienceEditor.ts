/** What changes an audience, or writes it to a file. Each change can be undone from its notification. */
import type { Directory } from '../directory/directory.ts';
import { BYTE_ORDER_MARK, csvLine, joinCsv } from '../markup/csv.ts';
import type { CsvText } from '../markup/safeText.ts';
import {
  addMembers,
  removeAudience,
  removeMembers,
  renameAudience,
  restoreAudience,
} from '../platform/audienceEdits.ts';
import { type Audiences, MAX_MEMBERS } from '../platform/audiences.ts';
import type { Service } from '../platform/service.ts';
import type { PageHost } from '../platform/webviewPage.ts';
import {
  audienceName,
  audienceNameProblem,
  knownOwnName,
  tooManyText,
  unreadableText,
} from '../presentation/describe.ts';
import { askInput, showInfo } from '../presentation/dialogs.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import { askSaveTarget, exportFileName, saveText } from '../presentation/fileDialogs.ts';
import { formatCount } from '../presentation/formats.ts';
import { showError } from '../presentation/showError.ts';
import { l10n, type ShownText } from '../presentation/shown.ts';
import { systemClock } from '../service/clock.ts';
import { type Chat, chatKey } from '../service/model.ts';
import { TimeSlices } from '../service/timeSlices.ts';

export class AudienceEditor {
  readonly #audiences: Audiences;
  readonly #host: PageHost;

  constructor(audiences: Audiences, host: PageHost) {
    this.#audiences = audiences;
    this.#host = host;
  }

  /** The chats of an audience. @throws UserFacingError if it doesn't exist or can't be read */
  membersOf(name: string): readonly Chat[] {
    const { audiences, unreadable } = this.#audiences.read();
    const members = audiences.get(name);
    if (members) return members;
    const entries = unreadable.get(name);
    if (entries) throw new UserFacingError(unreadableText(name, entries));
    throw new UserFacingError(l10n.t('There is no audience named “{0}” anymore.', audienceName(name)));
  }

  /** Asks for a name that no other audience has; undefined if the user cancels. */
  async askName(title: ShownText, prompt: ShownText, value = ''): Promise<string | undefined> {
    const validateInput = (text: string) => this.#nameProblem(text, value);
    return (await askInput({ title, prompt, value, ignoreFocusOut: true, validateInput }))?.trim();
  }

  /** Creates an audience. @throws UserFacingError if there is one of this name, or there are too many chats */
  async create(name: string, chats: readonly Chat[]): Promise<void> {
    this.#checkName(name, '');
    await this.#add(name, chats, []);
  }

  /** Adds chats to an audience. @throws UserFacingError if it doesn't exist or can't be read, or there are too many */
  async add(name: string, chats: readonly Chat[]): Promise<void> {
    await this.#add(name, chats, this.membersOf(name));
  }

  async #add(name: string, chats: readonly Chat[], members: readonly Chat[]): Promise<void> {
    const keys = new Set(members.map(chatKey));
    const added = chats.filter((chat) => !keys.has(chatKey(chat)));
    const shown = audienceName(name);
    if (added.length === 0) {
      void showInfo(l10n.t('All of them are already in “{0}”.', shown));
      return;
    }
    if (members.length + added.length > MAX_MEMBERS) throw new UserFacingError(tooManyText());
    await this.#audiences.edit((settings) => addMembers(settings, name, added));
    const text =
      added.length === 1
        ? l10n.t('Added 1 recipient to “{0}”.', shown)
        : l10n.t('Added {0} recipients to “{1}”.', formatCount(added.length), shown);
    offerUndo(text, async () => {
      await this.#audiences.edit((settings) => removeMembers(settings, name, added));
    });
  }

  async removeMembers(name: string, chats: readonly Chat[]): Promise<void> {
    if (chats.length === 0) return;
    await this.#audiences.edit((settings) => removeMembers(settings, name, chats));
    const shown = audienceName(name);
    const text =
      chats.length === 1
        ? l10n.t('Removed 1 recipient from “{0}”.', shown)
        : l10n.t('Removed {0} recipients from “{1}”.', formatCount(chats.length), shown);
    offerUndo(text, async () => {
      // If the audience was deleted meanwhile, undoing must not bring it back.
      this.membersOf(name);
      await this.#audiences.edit((settings) => addMembers(settings, name, chats));
    });
  }

  /** Asks for another name. Resolves to the name that the audience has afterwards. */
  async rename(name: string): Promise<string> {
    const prompt = l10n.t('Enter a new name. Documents that name this audience need the new name, too.');
    const newName = await this.askName(l10n.t('Rename “{0}”', audienceName(name)), prompt, name);
    if (newName === undefined || newName === name) return name;
    await this.#audiences.edit((settings) => {
      // The audience and the other names may have changed while the user typed.
      this.membersOf(name);
      this.#checkName(newName, name);
      return renameAudience(settings, name, newName);
    });
    return newName;
  }

  async remove(name: string): Promise<void> {
    const { before } = await this.#audiences.edit((settings) => removeAudience(settings, name));
    offerUndo(l10n.t('Deleted the audience “{0}”.', audienceName(name)), async () => {
      const restored = await this.#audiences.edit((settings) => restoreAudience(settings, before, name));
      if (restored.before === restored.after)
        throw new UserFacingError(l10n.t('An audience named “{0}” already exists.', audienceName(name)));
    });
  }

  async exportCsv(name: string, { directory }: Service): Promise<void> {
    const shown = audienceName(name);
    const file = {
      name: exportFileName(name, 'audience', new Date(systemClock.wall())),
      type: 'CSV',
      extension: 'csv',
    };
    const target = await askSaveTarget({ title: l10n.t('Export {0}', shown), ...file }, this.#host);
    if (!target) return;
    await saveText(target, await csvOf(this.membersOf(name), directory));
    void showInfo(l10n.t('Exported “{0}” to {1}.', shown, target.name));
  }

  /** Why a name can't be given to an audience, which is called `current`; that's empty for a new audience. */
  #nameProblem(text: string, current: string): ShownText | undefined {
    const { audiences, unreadable } = this.#audiences.read();
    return audienceNameProblem(
      text,
      new Set([...audiences.keys(), ...unreadable.keys()].filter((name) => name !== current)),
    );
  }

  #checkName(name: string, current: string): void {
    const problem = this.#nameProblem(name, current);
    if (problem !== undefined) throw new UserFacingError(problem);
  }
}

/** Says what was done, and offers to undo it. Nothing waits for the notification. */
export function offerUndo(text: ShownText, undo: () => Promise<void>): void {
  const button = l10n.t('Undo');
  const offer = async () => {
    if ((await showInfo(text, button)) === button) await undo();
  };
  void offer().catch(showError);
}

/** An audience as CSV that can be read back, with a line for each chat: `group` or `person`, its ID, and its name if that is known. */
async function csvOf(chats: readonly Chat[], directory: Directory): Promise<CsvText> {
  const lines = [BYTE_ORDER_MARK, csvLine(['kind', 'id', 'name'])];
  await new TimeSlices().each(chats, ({ kind, id }) => {
    lines.push(csvLine([kind === 'user' ? 'person' : kind, id, knownOwnName(directory, kind, id) ?? '']));
  });
  return joinCsv(lines);
}
