/** The panel that searches the archive. There's one at most. */
import type { SoughtMessages } from '../../platform/commandArguments.ts';
import type { Host } from '../../platform/host.ts';
import { OpenPanels } from '../../platform/openPanels.ts';
import { createPanel, type Handlers, openPage, type ShownPanel, type WebviewPage } from '../../platform/webviewPage.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import { showError } from '../../presentation/showError.ts';
import { l10n } from '../../presentation/shown.ts';
import { type FoundView, FromSearchPage, type SearchQuery, type ToSearchPage } from '../../protocol/search.ts';
import { toError } from '../../service/errors.ts';

import type { ArchivedChat } from '../archive/chatTable.ts';
import { partsOf, senderKey } from '../archive/messageTable.ts';
import type { RemoteArchive } from '../archive/remote.ts';
import type { Cursor, FoundMessage, FoundPage, SearchRequest } from '../archive/search.ts';
import type { ArchiveController } from './archiveController.ts';
import { archiveErrorText, toUserFacing } from './archiveErrorText.ts';
import { coverageText, listedKey, unarchivedText } from './coverage.ts';

type SearchHost = Pick<Host, 'commands' | 'connection' | 'extensionUri' | 'lists' | 'log' | 'workspaceMemento'>;
/** How many results are shown at once. */
const PAGE = 50;

/** The key of the only panel. */
const ONE = 'archive';

type Archived = Pick<ArchiveController, 'namesOf' | 'thread'>;

export class SearchPanel {
  readonly #viewType: string;
  readonly #host: SearchHost;
  readonly #controller: Archived;
  readonly #search: LatestSearch;
  readonly #panels: OpenPanels<ShownPanel>;
  #page: WebviewPage<ToSearchPage> | undefined;
  /** The archived chats that the page knows, by number. */
  #chats = new Map<number, ArchivedChat>();
  /** Whether the page knows what is archived. */
  #hasScope = false;
  /** The number of the search that the page asked for last. */
  #asked: number | undefined;
  #words = '';

  constructor(viewType: string, host: SearchHost, controller: Archived) {
    this.#viewType = viewType;
    this.#host = host;
    this.#panels = new OpenPanels(viewType, host.workspaceMemento);
    this.#controller = controller;
    this.#search = new LatestSearch(controller.thread.archive, {
      found: (search, found, isLast) => {
        this.#post({ type: 'found', search, found: found.map(viewOf), isLast });
        // Another window has archived a chat that the page doesn't know.
        if (found.some(({ chat }) => !this.#chats.has(chat))) void this.showScope();
      },
      failed: (search, error) => this.#post({ type: 'failed', search, text: archiveErrorText(error) }),
    });
  }

  /** Shows the panel with the focus in its query, which can be filled in. */
  async show(query?: SearchQuery): Promise<void> {
    const shown = await this.#panels.find(ONE);
    if (shown) {
      shown.reveal();
      // The page drops filters that it doesn't know.
      await this.showScope();
    } else {
      this.restore(createPanel(this.#viewType, l10n.t('Search Messages')));
      // A new page has the focus already, and perhaps something typed.
      if (!query) return;
    }
    this.#page?.onceFilled('focus', () => this.#post({ type: 'focus', ...(query && { query }) }));
  }

  /** Shows the search as it was left, or a new one if it was closed. */
  async showResults(): Promise<void> {
    const shown = await this.#panels.find(ONE);
    if (shown) shown.reveal();
    else await this.show();
  }

  /** Shows the newest messages of an archived chat, by its number, or those with a text or of a sender. */
  async showChat(chat: number, { text = '', sender }: SoughtMessages = {}): Promise<void> {
    const filter = sender && { sender: senderKey({ senderType: sender.type, senderId: sender.id }) };
    await this.show({ text, chat, ...filter, order: 'newest' });
  }

  /** Fills a new panel, or one from before a reload. */
  restore(panel: ShownPanel): void {
    this.#panels.get(ONE)?.dispose();
    this.#panels.add(ONE, panel, panel);
    this.#hasScope = false;
    this.#page = openPage(panel, this.#host, {
      page: 'search',
      schema: FromSearchPage,
      fill: () => this.showScope(),
      handlers: this.#handlers,
      fail: (error) => showError(toUserFacing(error)),
      closed: () => {
        this.#search.stop();
      },
    });
  }

  /** Shows what the archive covers now. If it can't be read, the search itself says why. */
  async showScope(): Promise<void> {
    if (!this.#panels.get(ONE)) return;
    try {
      await this.#showScope();
    } catch (error) {
      this.#host.log.error(toError(error));
    }
  }

  async #showScope(): Promise<void> {
    const { archive } = this.#controller.thread;
    const isEmpty = !(await this.#controller.thread.exists());
    const chats = isEmpty ? [] : await archive.chats();
    const { senders, kinds } = isEmpty ? { senders: [], kinds: [] } : await archive.filters();
    this.#chats = new Map(chats.map((chat) => [chat.number, chat]));
    const named = await Promise.all(
      chats.map(async (chat) => {
        const { botName: _, ...names } = await this.#controller.namesOf(chat);
        return { number: chat.number, kind: chat.botChat.kind, ...names };
      }),
    );
    const listed = chats.length === 0 ? new Set<string>() : await this.#listedKeys();
    this.#hasScope = true;
    this.#post({
      type: 'scope',
      summary: chats.length === 0 ? '' : coverageText(chats, listed),
      unarchived: unarchivedText(chats, listed),
      chats: named,
      senders: senders.map(({ sender, name }) => ({ sender, name: name || '—' })),
      kinds,
    });
  }

  /** The chats of the sidebar, by {@link listedKey}. */
  async #listedKeys(): Promise<Set<string>> {
    const service = await this.#host.connection.open().catch(() => undefined);
    if (!service) return new Set();
    return new Set(this.#host.lists.chats(service).map((chat) => listedKey({ service: service.address, ...chat })));
  }

  readonly #handlers: Handlers<FromSearchPage> = {
    search: ({ search, query }) => this.#find(search, query),
    more: ({ search }) => this.#search.more(search),
    openMessage: ({ chat, msgId }) => {
      const botChat = this.#chats.get(chat)?.botChat;
      if (!botChat) throw new UserFacingError(l10n.t("This chat isn't archived anymore."));
      return this.#host.commands.run('openMessage', { ...botChat, msgId, found: this.#words });
    },
    archive: async () => {
      await this.#host.commands.run('archiveAnyChat');
      await this.showScope();
    },
  };

  async #find(search: number, query: SearchQuery): Promise<void> {
    this.#asked = search;
    this.#words = query.text;
    if (!this.#hasScope) await this.showScope();
    const exists = await this.#controller.thread.exists();
    // Each key asks for another search, and searches may arrive here in any order.
    if (this.#asked !== search) return;
    if (exists) this.#search.start(search, requestOf(query));
    else this.#post({ type: 'found', search, found: [], isLast: true });
  }

  #post(message: ToSearchPage): void {
    void this.#page?.post(message);
  }
}

function viewOf({ id, chat, msgId, sender, senderName, time, kind, parts }: FoundMessage): FoundView {
  return {
    key: `${id}`,
    chat,
    msgId: msgId ?? '',
    senderName: senderName || partsOf(sender).id,
    kind: ['text', 'markdown'].includes(kind) ? '' : kind,
    parts,
    ...(time !== undefined && { time }),
  };
}

function requestOf({ chat, sender, kind, ...query }: SearchQuery): SearchRequest {
  return {
    ...query,
    ...(chat !== undefined && { chats: [chat] }),
    ...(sender !== undefined && { senders: [sender] }),
    ...(kind !== undefined && { kinds: [kind] }),
  };
}

interface Search {
  readonly number: number;
  readonly request: SearchRequest;
  next: Cursor | undefined;
}

interface SearchListener {
  /** Some results of a search, after those before. */
  found(number: number, found: FoundPage['found'], isLast: boolean): void;
  failed(number: number, error: unknown): void;
}

/** Runs one search at a time and, of several that wait, only the latest: each key starts another search. */
export class LatestSearch {
  readonly #archive: Pick<RemoteArchive, 'search'>;
  readonly #listener: SearchListener;
  /** The search that is shown. */
  #current: Search | undefined;
  #isRunning = false;
  /** Whether more of the current search is wanted. */
  #isWanted = false;

  constructor(archive: Pick<RemoteArchive, 'search'>, listener: SearchListener) {
    this.#archive = archive;
    this.#listener = listener;
  }

  /** Starts a search instead of the current one. */
  start(number: number, request: SearchRequest): void {
    this.#current = { number, request, next: undefined };
    this.#isWanted = true;
    void this.#run();
  }

  /** Continues a search, unless another one was started. */
  more(number: number): void {
    if (this.#current?.number !== number || !this.#current.next) return;
    this.#isWanted = true;
    void this.#run();
  }

  stop(): void {
    this.#current = undefined;
    this.#isWanted = false;
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#isWanted && this.#current) {
      this.#isWanted = false;
      await this.#find(this.#current);
    }
    this.#isRunning = false;
  }

  /** Finds the next results of a search: without an index, it takes several steps. */
  async #find(search: Search): Promise<void> {
    try {
      let left = PAGE;
      do {
        const { found, next } = await this.#archive.search(search.request, left, search.next);
        if (this.#current !== search) return;
        search.next = next;
        // Without a place to go on from, the search would begin again, so that it ends here.
        if (!next) this.#isWanted = false;
        left -= found.length;
        if (found.length > 0 || !next) this.#listener.found(search.number, found, !next);
      } while (left > 0 && search.next);
    } catch (error) {
      if (this.#current === search) this.#listener.failed(search.number, error);
    }
  }
}
