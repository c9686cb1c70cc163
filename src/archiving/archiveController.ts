/** The archive: which chats are kept, and what is done with them. Loaded on first use. */
import { l10n, type TreeItem, Uri } from 'vscode';
import { ArchiveError } from '../archive/archiveError.ts';
import type { ArchivedChat, ChatNames } from '../archive/chatTable.ts';
import type { ReadPage } from '../platform/chatEvents.ts';
import type { Host, MessageSearch } from '../platform/host.ts';
import { chatOf, chooseReader, type NamedBotChat, pickChat } from '../presentation/chatReader.ts';
import { displayName, KIND_ICONS } from '../presentation/describe.ts';
import { pickOne, safeLabel, showFailure, showInfo } from '../presentation/dialogs.ts';
import { askAboutError, UserFacingError } from '../presentation/errorText.ts';
import { formatCount } from '../presentation/formats.ts';
import type { Kind } from '../service/model.ts';
import { ArchiveDeletion } from './archiveDeletion.ts';
import { ArchivedPages } from './archivedPages.ts';
import { archiveErrorText } from './archiveErrorText.ts';
import { type ArchiveNode, archiveItem, archiveSummary, messagesText } from './archiveItems.ts';
import { ArchiveRemovals } from './archiveRemovals.ts';
import { ArchiveRuns } from './archiveRuns.ts';
import { ArchiveThread } from './archiveThread.ts';
import { askSince } from './askSince.ts';
import { Reindexing } from './reindexing.ts';
import { searchMessages } from './search/messageSearch.ts';

/** A row that says why the archive can't be shown. */
export interface ArchiveProblemNode {
  readonly error: unknown;
}

interface ArchiveView {
  /** Brings the view into sight, without moving the focus. */
  open(): void;
  /** Shows the archived chats as they are now. */
  repaint(): void;
  /** Shows a text above the rows. */
  setMessage(text: string | undefined): void;
  /** Shows in other places which chats are archived now, and until when. */
  showScope(): void;
}

type ArchivedId = Pick<ArchivedChat, 'number' | 'botChat' | keyof ChatNames>;

export class ArchiveController {
  readonly thread: ArchiveThread;
  readonly pages: ArchivedPages;
  readonly reindexing: Reindexing;
  readonly #host: Host;
  readonly #view: ArchiveView;
  readonly #runs: ArchiveRuns;
  readonly #removals: ArchiveRemovals;
  readonly #deletion: ArchiveDeletion;
  /** The problems that were shown: pages are kept all the time. */
  readonly #reported = new Set<string>();

  constructor(host: Host, view: ArchiveView) {
    this.#host = host;
    this.#view = view;
    const folder = Uri.joinPath(host.storageUri, 'archive');
    this.thread = new ArchiveThread(folder, host.extensionUri, () => view.repaint());
    this.pages = new ArchivedPages(this.thread);
    this.reindexing = new Reindexing(this.thread.archive, host.log, () => view.showScope());
    this.#runs = new ArchiveRuns(this.thread.archive, host);
    this.#removals = new ArchiveRemovals(this.thread.archive, this.#runs, host.log);
    this.#deletion = new ArchiveDeletion(this.thread.archive, this.#removals, {
      chats: () => this.#chats(new Set()),
      nameOf: async (chat) => (await this.namesOf(chat)).name,
      showChange: () => this.#showChange(),
    });
    this.#runs.onDidChange(() => view.repaint());
    this.#runs.onDidEnd(() => view.showScope());
  }

  /** The archived chats, or why they can't be read. */
  async rows(): Promise<(ArchiveNode | ArchiveProblemNode)[]> {
    this.#view.setMessage(undefined);
    if (!(await this.thread.exists())) return [];
    try {
      const chats = await this.thread.archive.chats();
      void this.#removals.finish();
      if (chats.length > 0) this.#view.setMessage(archiveSummary(chats, await this.thread.archive.size()));
      // Damage in one place doesn't hide what can be read elsewhere.
      const problems = (await this.thread.archive.isDamaged()) ? [{ error: new ArchiveError('damaged') }] : [];
      return [...problems, ...(await Promise.all(chats.map((chat) => this.#node(chat))))];
    } catch (error) {
      return [{ error }];
    }
  }

  async item(node: ArchiveNode): Promise<TreeItem> {
    return archiveItem(node, (await this.#host.connection.open().catch(() => undefined))?.address);
  }

  /** Archives the `selected` chats, or the `clicked` one, or else one that the user picks. */
  async archive(clicked?: object, selected?: readonly object[]): Promise<void> {
    const chosen = await this.#chooseChats(clicked, selected);
    const [first] = chosen;
    if (!first) return;
    const title =
      chosen.length === 1 ? l10n.t('Archive {0}', first.name) : l10n.t('Archive {0} Chats', formatCount(chosen.length));
    const since = await askSince(title);
    if (!since) return;
    await this.#reporting(async () => {
      const added: ArchivedId[] = [];
      for (const { botChat } of chosen) {
        added.push({ number: await this.thread.archive.addChat(botChat, since.time), botChat, name: '', botName: '' });
      }
      this.#view.open();
      void this.#run(added);
    });
  }

  /** Archives what is newer in these chats, by their numbers, or in all. Tries again to close gaps. */
  async update(numbers: ReadonlySet<number>): Promise<void> {
    await this.#reporting(async () => {
      void this.#run(await this.#chats(numbers));
    });
  }

  pause(numbers: ReadonlySet<number>): void {
    for (const number of numbers) this.#runs.pause(number);
  }

  /** The archived chats with these numbers, or one that the user picks. */
  async choose(numbers: ReadonlySet<number>, title: string): Promise<ArchivedChat[]> {
    let chosen: ArchivedChat[] = [];
    await this.#reporting(async () => {
      chosen = await this.#choose(numbers, title);
    });
    return chosen;
  }

  async #choose(numbers: ReadonlySet<number>, title: string): Promise<ArchivedChat[]> {
    const chats = await this.#chats(numbers);
    if (numbers.size > 0 || chats.length === 1) return chats;
    const items = await Promise.all(
      chats.map(async (chat) => {
        const { name } = await this.namesOf(chat);
        const label = safeLabel(name, KIND_ICONS[chat.botChat.type]);
        return { label, description: safeLabel(messagesText(chat.messages)), chat };
      }),
    );
    const picked = await pickOne(items, { title, matchOnDescription: true });
    return picked ? [picked.chat] : [];
  }

  /** Deletes the archived messages of these chats, by their numbers, or those that the user picks. */
  async remove(numbers: ReadonlySet<number>): Promise<void> {
    await this.#reporting(() => this.#deletion.remove(numbers));
  }

  #showChange(): void {
    this.#view.repaint();
    this.#view.showScope();
  }

  /** Tries again to use an archive with a problem, and offers a way on if it's still there. */
  async retry(): Promise<void> {
    await this.#reporting(async () => {
      await this.thread.retry();
      if (await this.thread.exists()) await this.thread.archive.chats();
      if (await this.thread.archive.isDamaged()) throw new ArchiveError('damaged');
    });
    this.#view.repaint();
  }

  /** Keeps a page of an archived chat that was read from the service. */
  async keep(page: ReadPage): Promise<void> {
    await this.#reporting(
      async () => {
        if ((await this.pages.keep(page)) > 0) this.#view.repaint();
      },
      { once: true },
    );
  }

  /** See {@link MessageSearch}. */
  async search(
    ...[query, limit, signal, after]: Parameters<MessageSearch['search']>
  ): ReturnType<MessageSearch['search']> {
    try {
      return await searchMessages(this.thread, this.reindexing, query, limit, signal, after);
    } catch (error) {
      throw signal.aborted ? error : new UserFacingError(archiveErrorText(error));
    }
  }

  /** Shows why the archive can't be used, and offers a way on. */
  async showProblem(error: unknown): Promise<void> {
    this.#host.log.error(error instanceof Error ? error : String(error));
    if (!(error instanceof ArchiveError && error.problem === 'damaged')) {
      await askAboutError(error, archiveErrorText(error));
      return;
    }
    const start = l10n.t('Start a New Archive');
    if ((await showFailure(archiveErrorText(error), start)) !== start) return;
    const aside = await this.#setAside().catch(async (failure) => {
      this.#host.log.error(failure);
      await showFailure(l10n.t("The damaged archive can't be moved. Close all other windows and try again."));
    });
    this.#reported.delete('damaged');
    this.#showChange();
    if (aside) await showInfo(l10n.t('The damaged archive is kept as {0}.', aside.fsPath));
  }

  /** Puts a damaged archive aside, unless another window has done so: the file is another one then. */
  async #setAside(): Promise<Uri | undefined> {
    // A thread that has started since then doesn't know yet.
    await this.thread.archive.chats().catch(() => undefined);
    return (await this.thread.archive.isDamaged()) ? this.thread.setAside() : undefined;
  }

  /** The names of a chat and its bot as far as they are or were known, or else their IDs. Makes no request. */
  async namesOf({ number, botChat, ...kept }: ArchivedId): Promise<ChatNames> {
    const service = await this.#host.connection.open().catch(() => undefined);
    const nameOf = (kind: Kind, id: string) => {
      const known = service?.address === botChat.service ? service.directory.peek(kind, id) : undefined;
      return known && displayName(known);
    };
    const name = nameOf(botChat.type, botChat.id) ?? kept.name;
    const botName = nameOf('bot', botChat.botId) ?? kept.botName;
    if (name !== kept.name || botName !== kept.botName) void this.#keepNames(number, { name, botName });
    return { name: name || botChat.id, botName: botName || botChat.botId };
  }

  /** For as long as the service isn't connected. Nobody has asked for it, so that a failure is only logged. */
  async #keepNames(chat: number, names: ChatNames): Promise<void> {
    await this.thread.archive
      .setNames(chat, names)
      .catch((error) => this.#host.log.warn(`names of an archived chat are not kept: ${error}`));
  }

  async close(): Promise<void> {
    this.#runs.dispose();
    await this.thread.close();
  }

  /** Catches up with chats, and says if that stopped before the end. */
  async #run(chats: readonly ArchivedId[]): Promise<void> {
    await Promise.all(chats.map(({ number, botChat }) => this.#runs.start(number, botChat)));
    this.#view.repaint();
    const errorOf = ({ number }: ArchivedId) => this.#runs.state(number)?.error;
    const failed = chats.filter((chat) => errorOf(chat) !== undefined);
    const [first] = failed;
    if (!first) return;
    const why = archiveErrorText(errorOf(first));
    const text =
      failed.length === 1
        ? l10n.t('Archiving {0} stopped. {1}', (await this.namesOf(first)).name, why)
        : l10n.t('Archiving {0} chats stopped. {1}', formatCount(failed.length), why);
    const retry = l10n.t('Retry');
    if ((await askAboutError(errorOf(first), text, retry)) !== retry) return;
    await this.thread.retry();
    await this.#run(failed);
  }

  async #chooseChats(clicked?: object, selected?: readonly object[]): Promise<NamedBotChat[]> {
    const given = selected && selected.length > 0 ? selected : [clicked];
    const chats = clicked === undefined ? [await pickChat(this.#host, l10n.t('Archive a Chat'))] : given.map(chatOf);
    const chosen: NamedBotChat[] = [];
    for (const chat of chats) {
      if (!chat) continue;
      const named = await chooseReader(this.#host, chat, chat.botId);
      if (!named) return [];
      chosen.push(named);
    }
    return chosen;
  }

  /** The archived chats with these numbers, or all. @throws UserFacingError if there are none */
  async #chats(numbers: ReadonlySet<number>): Promise<ArchivedChat[]> {
    const chats = (await this.thread.exists()) ? await this.thread.archive.chats() : [];
    if (chats.length === 0) throw new UserFacingError(l10n.t('No chat is archived yet.'));
    return numbers.size === 0 ? chats : chats.filter(({ number }) => numbers.has(number));
  }

  async #node(chat: ArchivedChat): Promise<ArchiveNode> {
    const { name, botName } = await this.namesOf(chat);
    return { archived: chat.number, chat, name, botName, run: this.#runs.state(chat.number) };
  }

  /**
   * Does what the user has asked for, and shows errors of the archive. `once` is for what nobody has asked for: it shows
   * each kind of error only once.
   */
  async #reporting(run: () => Promise<void>, { once = false } = {}): Promise<void> {
    if (!once) this.thread.startAnew();
    try {
      await run();
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      if (once && this.#reported.has(error.problem)) return;
      this.#reported.add(error.problem);
      await this.showProblem(error);
    }
  }
}
