/**
 * Deletes from the archive what the user chooses: chats, or the whole file where nothing else works. Also finishes
 * interrupted deletions, and indexes after an update.
 */
import type { LogOutputChannel } from 'vscode';
import { joinShown } from '../../markup/escapeInvisible.ts';
import { serviceName } from '../../presentation/describe.ts';
import { askModal, listItem, pickOne, showFailure, showProgress } from '../../presentation/dialogs.ts';
import { formatCount } from '../../presentation/formats.ts';
import { l10n, type ShownText } from '../../presentation/shown.ts';
import { toError } from '../../service/errors.ts';
import { ArchiveError } from '../archive/archiveError.ts';
import type { ArchivedChat } from '../archive/chatTable.ts';
import type { RemoteArchive } from '../archive/remote.ts';
import { archiveErrorText } from './archiveErrorText.ts';
import type { ArchiveRuns } from './archiveRuns.ts';

interface Archived {
  /** The archived chats. Rejects if there are none, or as the archive does. */
  chats(): Promise<ArchivedChat[]>;
  nameOf(chat: ArchivedChat): Promise<string>;
  /** Shows which chats are archived now. */
  showChange(): void;
}

export class ArchiveDeletion {
  readonly #archive: RemoteArchive;
  readonly #runs: Pick<ArchiveRuns, 'forget'>;
  readonly #log: LogOutputChannel;
  readonly #archived: Archived;
  /** Whether nothing is left to do, as far as this window knows, or it's being done. */
  #isFinished = false;

  constructor(archive: RemoteArchive, runs: Pick<ArchiveRuns, 'forget'>, log: LogOutputChannel, archived: Archived) {
    this.#archive = archive;
    this.#runs = runs;
    this.#log = log;
    this.#archived = archived;
  }

  /** Deletes the archived messages of these chats, by their numbers, or of chats that the user picks. */
  async askAndRemove(numbers: ReadonlySet<number>): Promise<void> {
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
      await this.remove(numbersOf(chats));
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

  /** On a full disk, single chats can't be deleted, but the whole file can. */
  async #offerErasure(numbers: readonly number[]): Promise<void> {
    const eraseAll = l10n.t('Delete Entire Archive…');
    const text = l10n.t(
      'The disk is full. Free a few megabytes to delete only some chats, or delete the entire archive, which needs no space.',
    );
    if ((await showFailure(text, eraseAll)) === eraseAll) await this.#eraseAll(numbers);
  }

  /** Asks whether to delete everything, and does it. `why` says why there's no choice. */
  async #eraseAll(numbers: readonly number[], why: ShownText = ''): Promise<void> {
    const action = l10n.t('Delete');
    const detail = joinShown([why, deletionDetail()], '\n\n');
    if ((await askModal(l10n.t('Delete all archived messages?'), detail, action)) === action)
      await this.#erase(numbers);
  }

  /**
   * Deletes chats, by their numbers, and frees their space, with progress. Shows the change as soon as they can't be found
   * anymore. What is left after a cancellation or an error is deleted by `finish`. Rejects as the archive does.
   */
  async remove(numbers: readonly number[]): Promise<void> {
    this.#isFinished = true;
    let isDone = false;
    try {
      await showProgress(l10n.t('Deleting archived messages'), async (report, cancellation) => {
        try {
          for (const number of numbers) {
            await this.#runs.forget(number);
            await this.#archive.removeChat(number);
          }
        } finally {
          this.#archived.showChange();
        }
        while (!cancellation.isCancellationRequested && (await this.#archive.removeSome()));
        if (cancellation.isCancellationRequested) return;
        report({ message: l10n.t('freeing space…') });
        await this.#archive.compact();
        isDone = true;
      });
    } finally {
      this.#isFinished = isDone;
    }
  }

  /** Deletes the whole archive, whatever its file is like, and with no space left on the disk. `numbers` are known chats. */
  async #erase(numbers: readonly number[]): Promise<void> {
    for (const number of numbers) await this.#runs.forget(number);
    await this.#archive.erase();
    this.#isFinished = true;
    this.#archived.showChange();
  }

  /**
   * Goes on with a deletion that was canceled, failed, or was interrupted because its window closed, and reindexes
   * messages whose words have changed with an update. Other calls can come in between.
   */
  async finish(): Promise<void> {
    if (this.#isFinished) return;
    this.#isFinished = true;
    try {
      if (await this.#archive.hasRemovals()) {
        while (await this.#archive.removeSome());
        await this.#archive.compact();
      }
      while (await this.#archive.indexStale());
    } catch (error) {
      // Another window may be deleting. The next window that is opened tries again.
      this.#log.error(toError(error));
    }
  }
}

/** Asks for what to delete if the chats are of several services: everything, or the chats of one. */
async function pickChats(chats: readonly ArchivedChat[]): Promise<readonly ArchivedChat[]> {
  const services = [...new Set(chats.map(({ botChat }) => botChat.service))];
  if (services.length === 1) return chats;
  const items = [
    { label: l10n.t('All Archived Chats'), chats },
    ...services.map((service) => ({
      label: l10n.t('Chats of {0}', serviceName(service)),
      chats: chats.filter(({ botChat }) => botChat.service === service),
    })),
  ].map((item) => listItem({ ...item, description: chatCount(item.chats.length) }));
  return (await pickOne(items, { title: l10n.t('Delete Archive') }))?.chats ?? [];
}

const chatCount = (count: number) => (count === 1 ? l10n.t('1 chat') : l10n.t('{0} chats', formatCount(count)));

const numbersOf = (chats: readonly ArchivedChat[]) => chats.map(({ number }) => number);

/** The text that says why there's no choice, and what else can be done. */
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
