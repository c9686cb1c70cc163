/** The archive: which chats are kept, and what is done with them. Loaded on first use. */
import type { Uri } from 'vscode';
import type { ReadPage } from '../../platform/chatEvents.ts';
import type { ArchivedChatArgument } from '../../platform/commandArguments.ts';
import type { Host } from '../../platform/host.ts';
import { KIND_ICONS, knownLabel, knownOwnName, namesAt, singleLineName } from '../../presentation/describe.ts';
import { listItem, pickOne, showFailure, showInfo } from '../../presentation/dialogs.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import { joinPhrases } from '../../presentation/factParts.ts';
import { formatCount } from '../../presentation/formats.ts';
import { askAboutError } from '../../presentation/showError.ts';
import { l10n, type Row, type ShownText } from '../../presentation/shown.ts';
import { hasSameMessages } from '../../protocol/botChat.ts';
import { isSame, type Kind } from '../../service/model.ts';
import { ArchiveError } from '../archive/archiveError.ts';
import type { ArchivedChat } from '../archive/chatTable.ts';
import type { MessageSearch, MovableArchive } from '../contract.ts';
import { ArchiveDeletion } from './archiveDeletion.ts';
import { askSince, askToRetry, chooseChats, showArchived } from './archiveDialogs.ts';
import { ArchivedPages } from './archivedPages.ts';
import { archiveErrorText, toUserFacing } from './archiveErrorText.ts';
import {
  type ArchiveNode,
  archiveItem,
  archiveSummary,
  messagesText,
  problemItem,
  type ShownNames,
} from './archiveItems.ts';
import { archiveMoves } from './archiveMoves.ts';
import { ArchiveRuns } from './archiveRuns.ts';
import { ArchiveThread } from './archiveThread.ts';
import { MessageImport } from './messageImport.ts';

/** A row of the archive: a chat, or why it can't be shown. */
export type ArchiveRow = ArchiveNode | { readonly error: unknown };

interface ArchiveView {
  /** Brings the view into sight, without moving the focus. */
  open(): void;
  /** Shows the archived chats as they are now. */
  repaint(): void;
  /** Shows a text as the view's title, which is visible while the view is collapsed. */
  setTitle(text: ShownText): void;
  /** Shows a text above the rows. */
  setMessage(text: ShownText | undefined): void;
  /** Shows in other places which chats are archived now, and until when. */
  showScope(): void;
}

export class ArchiveController {
  readonly thread: ArchiveThread;
  readonly moves: MovableArchive;
  readonly pages: ArchivedPages;
  readonly #host: Host;
  readonly #view: ArchiveView;
  readonly #runs: ArchiveRuns;
  readonly #deletion: ArchiveDeletion;
  /** The problems that were shown once: pages are kept all the time, and each would fail. */
  readonly #reported = new Set<string>();

  /** `folder` is private to the archive. */
  constructor(host: Host, folder: Uri, view: ArchiveView) {
    this.#host = host;
    this.#view = view;
    const open = () => new ArchiveThread(folder, host.extensionUri, () => view.repaint());
    this.thread = open();
    const messages = new MessageImport(this.thread.archive, host, this, () => this.#showChange());
    this.moves = archiveMoves({ own: this.thread, open }, messages, () => this.#showChange());
    this.pages = new ArchivedPages(this.thread);
    this.#runs = new ArchiveRuns(this.thread.archive, host);
    this.#deletion = new ArchiveDeletion(this.thread.archive, this.#runs, host.log, {
      chats: () => this.#chats(new Set()),
      nameOf: this.#nameOf,
      showChange: () => this.#showChange(),
    });
    this.#runs.onDidChange(() => view.repaint());
    this.#runs.onDidEnd(() => view.showScope());
  }

  /** The archived chats, or why they can't be read. */
  async getChildren(node?: ArchiveRow): Promise<ArchiveRow[]> {
    if (node) return [];
    this.#view.setMessage(undefined);
    try {
      const chats = await this.#all();
      if (!(await this.thread.exists())) return [];
      if (chats.length > 0) this.#view.setMessage(archiveSummary(chats, await this.thread.archive.size()));
      // Damage in one place doesn't hide what can be read elsewhere.
      const problems = (await this.thread.archive.isDamaged()) ? [{ error: new ArchiveError('damaged') }] : [];
      return [...problems, ...(await Promise.all(chats.map((chat) => this.#node(chat))))];
    } catch (error) {
      return [{ error }];
    }
  }

  async getTreeItem(node: ArchiveRow): Promise<Row> {
    if ('error' in node) return problemItem(node.error);
    return archiveItem(node, (await this.#host.connection.open().catch(() => undefined))?.address);
  }

  /** Archives the `selected` chats, or the `clicked` one, or else those that the user picks. */
  async archive(clicked?: object, selected?: readonly object[]): Promise<void> {
    const archived = (await this.list()).map(({ botChat }) => botChat);
    const chosen = await chooseChats(this.#host, archived, clicked, selected);
    const [first] = chosen;
    if (!first) return;
    const title =
      chosen.length === 1 ? l10n.t('Archive {0}', first.name) : l10n.t('Archive {0} Chats', formatCount(chosen.length));
    const since = await askSince(title);
    if (!since) return;
    await this.#reporting(async () => {
      const numbers = new Set<number>();
      for (const { botChat } of chosen) numbers.add(await this.thread.archive.addChat(botChat, since.time));
      this.#view.open();
      this.#view.showScope();
      // Chats that were archived before have names that are kept.
      const added = await this.#chats(numbers);
      const { commands } = this.#host;
      void this.#run(added).then(async () => showArchived(added, await this.list(), this.#nameOf, commands));
    });
  }

  /** Archives newer messages of these chats, by their numbers, or of all. Tries again to close gaps. */
  async update(numbers: ReadonlySet<number>): Promise<void> {
    await this.#reporting(async () => {
      void this.#run(await this.#chats(numbers));
    });
  }

  pause(numbers: ReadonlySet<number>): void {
    for (const number of numbers) this.#runs.pause(number);
  }

  /** The archived chats; none if they can't be read. */
  async list(): Promise<ArchivedChat[]> {
    return this.#all().catch(() => []);
  }

  /**
   * The numbers of archived chats; undefined, after a message, if the archive can't be read. @throws UserFacingError if
   * one isn't archived
   */
  async numbersOf(chats: readonly ArchivedChatArgument[]): Promise<Set<number> | undefined> {
    const service = await this.#host.connection.open().catch(() => undefined);
    return this.#reporting(async () => {
      const archived = await this.#all();
      const found = chats.map((chat) =>
        archived.filter(({ number, botChat }) => {
          if (typeof chat === 'number') return number === chat;
          if ('service' in chat) return hasSameMessages(botChat, chat);
          return botChat.service === service?.address && isSame(botChat, chat);
        }),
      );
      if (found.some((same) => same.length === 0))
        throw new UserFacingError(l10n.t("This chat isn't archived. Select “Archive Messages…” in its menu first."));
      return new Set(found.flat().map(({ number }) => number));
    });
  }

  /** The archived chats with these numbers, or one that the user picks. */
  async choose(numbers: ReadonlySet<number>, title: ShownText): Promise<ArchivedChat[]> {
    const chosen = await this.#reporting(async () => {
      const chats = await this.#chats(numbers);
      return numbers.size > 0 ? chats : this.#pick(chats, title);
    });
    return chosen ?? [];
  }

  /** The number of an archived chat. The user picks one if several bots have such a conversation. */
  async chooseOne(chat: ArchivedChatArgument, title: ShownText): Promise<number | undefined> {
    const numbers = await this.numbersOf([chat]);
    if (!numbers || numbers.size < 2) return numbers?.values().next().value;
    const [picked] = await this.#pick(await this.choose(numbers, title), title);
    return picked?.number;
  }

  /** The only one of these chats, or the one that the user picks. */
  async #pick(chats: readonly ArchivedChat[], title: ShownText): Promise<ArchivedChat[]> {
    if (chats.length <= 1) return [...chats];
    const items = await Promise.all(
      chats.map(async (chat) => {
        const { name, otherName, botName } = await this.namesOf(chat);
        const description = joinPhrases(otherName, messagesText(chat.messages), l10n.t('as {0}', botName));
        return listItem({ icon: KIND_ICONS[chat.botChat.kind], label: name, description, chat });
      }),
    );
    const picked = await pickOne(items, { title, matchOnDescription: true });
    return picked ? [picked.chat] : [];
  }

  /** Deletes the archived messages of these chats, by their numbers, or of chats that the user picks. */
  async remove(numbers: ReadonlySet<number>): Promise<void> {
    await this.#reporting(() => this.#deletion.askAndRemove(numbers));
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
  readonly search: MessageSearch['search'] = (query, limit, signal, after) =>
    this.pages.search(query, limit, signal, after).catch((error) => {
      throw signal.aborted ? error : toUserFacing(error);
    });

  /** What a chat and its bot are called: as the user calls them, or by the names that are or were known, or else their IDs. Makes no request. */
  async namesOf({ number, botChat, ...kept }: ArchivedChat): Promise<ShownNames> {
    const known = await namesAt(this.#host.connection, botChat.service);
    const ownNameOf = (kind: Kind, id: string) => known && knownOwnName(known, kind, id);
    const name = ownNameOf(botChat.kind, botChat.id) ?? kept.name;
    const botName = ownNameOf('bot', botChat.botId) ?? kept.botName;
    if (name !== kept.name || botName !== kept.botName) {
      // Nobody has asked for this, so that an error is shown once.
      const logFailure = (error: unknown) => this.#host.log.warn(`names of an archived chat are not kept: ${error}`);
      this.thread.archive.setNames(number, { name, botName }).catch(logFailure);
    }
    const labelOf = (kind: Kind, id: string) => known && knownLabel(known, kind, id);
    const label = labelOf(botChat.kind, botChat.id);
    return {
      name: label ?? (singleLineName(name) || singleLineName(botChat.id)),
      ...(label !== undefined && label !== name && { otherName: singleLineName(name) }),
      botName: labelOf('bot', botChat.botId) ?? (singleLineName(botName) || singleLineName(botChat.botId)),
    };
  }

  readonly #nameOf = async (chat: ArchivedChat) => (await this.namesOf(chat)).name;

  async close(): Promise<void> {
    this.#runs.dispose();
    await this.thread.close();
  }

  /** Catches up with chats, and says if that stopped before the end. */
  async #run(chats: readonly ArchivedChat[]): Promise<void> {
    await Promise.all(chats.map(({ number, botChat }) => this.#runs.start(number, botChat)));
    this.#view.repaint();
    const errorOf = ({ number }: ArchivedChat) => this.#runs.state(number)?.error;
    const failed = chats.filter((chat) => errorOf(chat) !== undefined);
    const [first] = failed;
    if (!first) return;
    if (!(await askToRetry(errorOf(first), await this.#nameOf(first), failed.length))) return;
    await this.thread.retry();
    await this.#run(failed);
  }

  /**
   * Does what the user has asked for, and shows errors of the archive. `once` is for actions that nobody has asked for:
   * each kind of error is shown only once. Resolves to undefined after an error.
   */
  async #reporting<T>(run: () => Promise<T>, { once = false } = {}): Promise<T | undefined> {
    if (!once) this.thread.startAnew();
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      if (once && this.#reported.has(error.problem)) return undefined;
      this.#reported.add(error.problem);
      await this.#showProblem(error);
      return undefined;
    }
  }

  async #showProblem(error: ArchiveError): Promise<void> {
    this.#host.log.error(error);
    if (error.problem !== 'damaged') {
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
    // Another archive may be in use now.
    this.#showChange();
    if (aside) await showInfo(l10n.t('The damaged archive is kept as {0}.', aside.fsPath));
  }

  /** Puts a damaged archive aside, unless another window has done so: the file is another one then. */
  async #setAside(): Promise<Uri | undefined> {
    // A thread that was started after the damage was found doesn't know of it yet.
    await this.thread.archive.chats().catch(() => undefined);
    return (await this.thread.archive.isDamaged()) ? this.thread.setAside() : undefined;
  }

  async #all(): Promise<ArchivedChat[]> {
    const exists = await this.thread.exists();
    const chats = exists ? await this.thread.archive.chats() : [];
    if (exists) void this.#deletion.finish();
    const count = chats.length;
    this.#view.setTitle(count > 0 ? l10n.t('Archive ({0})', formatCount(count)) : l10n.t('Archive'));
    return chats;
  }

  /** The archived chats with these numbers, or all. @throws UserFacingError if there are none */
  async #chats(numbers: ReadonlySet<number>): Promise<ArchivedChat[]> {
    const chats = await this.#all();
    if (chats.length === 0) throw new UserFacingError(l10n.t('No chat is archived yet.'));
    return numbers.size === 0 ? chats : chats.filter(({ number }) => numbers.has(number));
  }

  async #node(chat: ArchivedChat): Promise<ArchiveNode> {
    const names = await this.namesOf(chat);
    return { archived: chat.number, ...chat.botChat, chat, ...names, run: this.#runs.state(chat.number) };
  }
}
