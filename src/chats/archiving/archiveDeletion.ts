/** Asks what to delete from the archive, and deletes it: chats, or the whole file where nothing else works. */
import { l10n } from 'vscode';
import { serviceName } from '../../presentation/describe.ts';
import { askModal, pickOne, safeLabel, showFailure } from '../../presentation/dialogs.ts';
import { formatCount } from '../../presentation/formats.ts';
import { ArchiveError } from '../archive/archiveError.ts';
import type { ArchivedChat } from '../archive/chatTable.ts';
import type { RemoteArchive } from '../archive/remote.ts';
import { archiveErrorText } from './archiveErrorText.ts';
import type { ArchiveRemovals } from './archiveRemovals.ts';

interface Archived {
  /** The archived chats. Rejects if there are none, or as the archive does. */
  chats(): Promise<ArchivedChat[]>;
  nameOf(chat: ArchivedChat): Promise<string>;
  /** Shows which chats are archived now. */
  showChange(): void;
}

export class ArchiveDeletion {
  readonly #archive: RemoteArchive;
  readonly #removals: ArchiveRemovals;
  readonly #archived: Archived;

  constructor(archive: RemoteArchive, removals: ArchiveRemovals, archived: Archived) {
    this.#archive = archive;
    this.#removals = removals;
    this.#archived = archived;
  }

  /** Deletes the archived messages of these chats, by their numbers, or those that the user picks. */
  async remove(numbers: ReadonlySet<number>): Promise<void> {
    let all: ArchivedChat[];
    try {
      all = await this.#archived.chats();
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      return this.#eraseAll([], reasonToEraseAll(error));
    }
    const chats = numbers.size > 0 ? all.filter(({ number }) => numbers.has(number)) : await pickChats(all);
    const [first] = chats;
    if (!first) return;
    const question =
      chats.length === 1
        ? l10n.t('Delete the archived messages of {0}?', await this.#archived.nameOf(first))
        : l10n.t('Delete the archived messages of {0} chats?', formatCount(chats.length));
    const action = l10n.t('Delete');
    if ((await askModal(question, deletionDetail(), action)) !== action) return;
    try {
      await this.#removals.remove(numbersOf(chats), () => this.#archived.showChange());
      this.#archived.showChange();
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      // Another window may have archived something since the question.
      const left = numbersOf(await this.#archive.chats().catch(() => all));
      const confirmed = new Set(numbersOf(chats));
      if (left.every((number) => confirmed.has(number))) await this.#erase(numbersOf(all));
      else if (error.problem === 'full') await this.#offerErasure(numbersOf(all));
      else throw error;
    }
  }

  /** Some chats can't be deleted on a full disk, but all can. */
  async #offerErasure(numbers: readonly number[]): Promise<void> {
    const eraseAll = l10n.t('Delete Entire Archive…');
    const text = l10n.t(
      'The disk is full. Free a few megabytes to delete only some chats, or delete the entire archive, which needs no space.',
    );
    if ((await showFailure(text, eraseAll)) === eraseAll) await this.#eraseAll(numbers);
  }

  /** Asks whether to delete everything, and does it. `why` says why there's no choice. */
  async #eraseAll(numbers: readonly number[], why = ''): Promise<void> {
    const action = l10n.t('Delete');
    const detail = [why, deletionDetail()].filter(Boolean).join('\n\n');
    if ((await askModal(l10n.t('Delete all archived messages?'), detail, action)) === action)
      await this.#erase(numbers);
  }

  async #erase(numbers: readonly number[]): Promise<void> {
    await this.#removals.erase(numbers);
    this.#archived.showChange();
  }
}

/** Asks for what to delete if the chats are of several services: everything, or the chats of one. */
async function pickChats(chats: readonly ArchivedChat[]): Promise<readonly ArchivedChat[]> {
  const services = [...new Set(chats.map(({ botChat }) => botChat.service))];
  if (services.length === 1) return chats;
  const items = [
    { label: safeLabel(l10n.t('All Archived Chats')), chats },
    ...services.map((service) => ({
      label: safeLabel(l10n.t('Chats of {0}', serviceName(service))),
      chats: chats.filter(({ botChat }) => botChat.service === service),
    })),
  ].map((item) => ({ ...item, description: safeLabel(chatCount(item.chats.length)) }));
  return (await pickOne(items, { title: l10n.t('Delete Archive') }))?.chats ?? [];
}

const chatCount = (count: number) => (count === 1 ? l10n.t('1 chat') : l10n.t('{0} chats', formatCount(count)));

const numbersOf = (chats: readonly ArchivedChat[]) => chats.map(({ number }) => number);

/** Why there's no choice, and what else can be done. */
const reasonToEraseAll = (error: ArchiveError) =>
  error.problem === 'damaged'
    ? l10n.t(
        'The archive is damaged, so it can only be deleted as a whole. To keep the damaged file instead, select Cancel, and then Retry in the Archive view.',
      )
    : archiveErrorText(error);

const deletionDetail = () =>
  l10n.t(
    "The messages are overwritten in the archive's file and can't be restored from it. Nothing is deleted from the service.",
  );

/** Whether an error is of the file itself, which can still be erased. */
const isUnreadable = (error: unknown): error is ArchiveError =>
  error instanceof ArchiveError && error.problem !== 'busy' && error.problem !== 'unsupported';
