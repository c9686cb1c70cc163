/** Dependencies of the features. */
import type { Event, LogOutputChannel, Memento, TextDocument, Uri } from 'vscode';
import type { BotChat } from '../protocol/botChat.ts';
import type { Page } from '../service/client.ts';
import type { Button, Listed } from '../service/message.ts';
import type { Chat } from '../service/model.ts';
import type { Audiences } from './audiences.ts';
import type { ChatEvents } from './chatEvents.ts';
import type { Commands } from './commands.ts';
import type { Connection } from './connection.ts';
import type { DurableFiles } from './durableFiles.ts';
import type { ListSettings } from './listSettings.ts';
import type { MentionedIds } from './mentionedIds.ts';
import type { Service } from './service.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store.ts';
import type { Tokens } from './tokens.ts';

/** Asks the user for what is missing before a service can be used. */
export interface Access {
  /** The service to use. Offers to connect if there is none; undefined if the user cancels. */
  openService(): Promise<Service | undefined>;
  /**
   * The bot to act as: `preferred` if it has a token. Asks if there are several, beginning with those that are known to be
   * in `chats`, or, if none is, with a `hint` what the choice means; undefined if the user cancels.
   */
  chooseBot(
    service: Service,
    title: string,
    preferred?: string,
    chats?: readonly Chat[],
    hint?: string,
  ): Promise<string | undefined>;
  /** Asks for a bot's token and saves it. Resolves to the bot's ID; undefined if the user cancels. */
  setToken(service: Service, botId?: string): Promise<string | undefined>;
}

export interface MessageSender {
  /** Sends a document, the open one by default, to chats after the user has confirmed it. */
  send(chats: readonly Chat[], document?: Uri): Promise<void>;
}

/** Messages that are kept on this computer. Methods reject with an error of the archive. */
export interface MessageArchive {
  /**
   * A page of a chat, newest first, as the service would list it (contract 4.4). Undefined if not all of it is archived:
   * the chat isn't, or the page reaches into a gap.
   */
  list(chat: BotChat, page: Page): Promise<Listed[] | undefined>;
  /** The first message that was sent at a time (Unix ms) or later; undefined if the archive of the chat isn't complete. */
  firstSince(chat: BotChat, time: number): Promise<{ msgId: string; sendTime: number } | undefined>;
  /** The ID of the last archived message before a gap, which precedes this one; undefined if there's no such gap. */
  beforeGap(chat: BotChat, msgId: string): Promise<string | undefined>;
  /** When the newest messages of a chat were last read from the service (Unix ms); undefined if it isn't archived. */
  checkedAt(chat: BotChat): Promise<number | undefined>;
  /** The last known names of a chat and its bot, empty if there are none; undefined if it isn't archived. */
  namesOf(chat: BotChat): Promise<{ name: string; botName: string } | undefined>;
}

/** Which chats are archived, for what is offered for them elsewhere. */
export interface ArchivedChats {
  /** None if the archive can't be read. */
  list(): Promise<readonly BotChat[]>;
  /** Fires when others may be archived than before. */
  readonly onDidChange: Event<void>;
}

/** Pages of chats, for features that show no history. */
export interface MessageReader {
  /**
   * Lists a page of a chat (contract 4.4), from the archive while the service can't be reached: `outage` says why.
   * Rejects as the client does.
   */
  read(chat: BotChat, page: Page, signal: AbortSignal): Promise<{ entries: Listed[]; outage?: unknown }>;
}

/** What to search the archive for. */
export interface ArchiveQuery {
  readonly text: string;
  /** Which of the archived chats are searched. */
  includes(chat: BotChat): boolean;
  readonly senderId?: string | undefined;
  /** From `since` on and before `until` (Unix ms). */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** A chat that was searched. */
export interface SearchedChat {
  readonly botChat: BotChat;
  /** How far back it's archived (Unix ms); undefined for its beginning. */
  readonly since: number | undefined;
  /** When its newest messages were last archived (Unix ms), if ever. */
  readonly checkedAt: number | undefined;
  /** Whether messages are missing. */
  readonly isIncomplete: boolean;
}

/** An archived message that was found. */
export interface SearchHit {
  /** Where it ends: the next page begins after it. */
  readonly position: number;
  readonly botChat: BotChat;
  /** Undefined for a message that can't be read. */
  readonly msgId: string | undefined;
  readonly senderId: string;
  readonly senderName: string;
  /** Unix ms, if known. */
  readonly time: number | undefined;
  /** An excerpt. */
  readonly text: string;
}

export interface MessageSearch {
  /**
   * The newest messages that a query finds, after a position if given. `next` is that of the next page; undefined at the
   * end. `chats` are those that were searched. `outdated` is how many messages in the archive may not be found yet.
   * @throws UserFacingError if the archive can't be read
   */
  search(
    query: ArchiveQuery,
    limit: number,
    signal: AbortSignal,
    after?: number,
  ): Promise<{
    hits: readonly SearchHit[];
    next: number | undefined;
    chats: readonly SearchedChat[];
    outdated: number;
  }>;
}

/** A draft that another feature has written. */
export interface WrittenDraft {
  readonly body: string;
  readonly type: 'markdown' | 'text' | 'html' | undefined;
  readonly botId: string | undefined;
  readonly chats: readonly Chat[];
  /** Names of audiences. */
  readonly audiences: readonly string[];
  readonly buttons: readonly (readonly Button[])[];
}

/** What the checks of a draft find. */
export interface CheckedDraft {
  readonly problems: readonly { readonly severity: 'error' | 'warning'; readonly text: string }[];
  /** The number of recipients, including those of audiences, and how many of them were never looked up. */
  readonly recipients: number;
  readonly unchecked: number;
}

export interface DraftOpener {
  /** Opens a draft as a new document, with its preview. Sends nothing. */
  open(draft: WrittenDraft): Promise<CheckedDraft>;
}

/** A delivery without its message and its recipients. */
export interface DeliverySummary {
  readonly id: string;
  /** The name of the document. */
  readonly name: string;
  /** When it was confirmed (Unix ms). */
  readonly time: number;
  readonly botId: string;
  readonly state: 'sending' | 'scheduled' | 'edited' | 'unfinished' | 'unreached' | 'resent' | 'delivered';
  /** When it's to be sent (Unix ms), if it's scheduled. */
  readonly due?: number | undefined;
  readonly total: number;
  /** Recipients by result. */
  readonly counts: Readonly<Record<'reached' | UnreachedRecipient['result'], number>>;
}

/** A recipient that a delivery didn't reach. */
export interface UnreachedRecipient {
  readonly chat: Chat;
  readonly name: string;
  readonly result: 'unconfirmed' | 'absent' | 'unknown' | 'rejected' | 'notSent';
  /** Why, in the user's language. */
  readonly details: string;
}

/** The outbox, with which nothing can be sent. */
export interface DeliveryReader {
  /** The deliveries, newest first, and how many can't be read. */
  list(): Promise<{ deliveries: readonly DeliverySummary[]; unreadable: number }>;
  /**
   * A delivery and, of its recipients, the first `limit` that were not reached and are included, those that need the most
   * attention first. Undefined if there's none. @throws UserFacingError if it can't be read
   */
  get(
    id: string,
    includes: (chat: Chat) => boolean,
    limit: number,
  ): Promise<{ delivery: DeliverySummary; unreached: readonly UnreachedRecipient[] } | undefined>;
}

/** A scheduled message that is being edited in a document. What is sent of the document replaces it. */
export interface EditedMessage {
  /** The ID of its delivery. */
  readonly id: string;
  /** When it was to be sent (Unix ms). */
  readonly due: number;
  /** Who sends it, unless the document names another bot. */
  readonly botId: string;
  /** How many receive it, unless the document names others. */
  readonly recipients: Readonly<Record<Chat['kind'], number>>;
}

export type ScheduledMessage = Pick<EditedMessage, 'id' | 'due'>;

export interface MessageEdits {
  /** The message that is being edited in a document. Makes no request. */
  in(document: Pick<TextDocument, 'isUntitled' | 'uri'>): Promise<EditedMessage | undefined>;
  /** The next message that is scheduled from a document, whose changes it doesn't have. Makes no request. */
  scheduledFrom(document: Pick<TextDocument, 'isUntitled' | 'uri'>): Promise<ScheduledMessage | undefined>;
  /** Fires when other documents may edit or schedule messages, or other messages. */
  readonly onDidChange: Event<void>;
}

/** What there is from activation on. */
export interface Platform {
  readonly chatEvents: ChatEvents;
  readonly commands: Commands;
  readonly connection: Connection;
  /** The folder where the extension is installed. */
  readonly extensionUri: Uri;
  readonly log: LogOutputChannel;
  /** VS Code's storage of the {@link Store}. */
  readonly memento: Memento;
  readonly mentionedIds: MentionedIds;
  readonly settings: Settings;
  /** The extension's storage folder. It survives updates. */
  readonly storageUri: Uri;
  readonly tokens: Tokens;
  /** VS Code's storage for this folder or workspace. */
  readonly workspaceMemento: Memento;
}

/** What is read from settings and storage. Its schemas are loaded on first use. */
export interface Stored {
  readonly audiences: Audiences;
  /** In the extension's storage folder, or in place of it. */
  readonly files: DurableFiles;
  readonly lists: ListSettings;
  readonly store: Store;
}

/** What the registration of a feature gets. */
export interface ActivationHost extends Platform {
  readonly access: Access;
}

/** What the rest of a feature gets, once it is loaded. */
export interface Host extends ActivationHost, Stored {}

/** Loads on first use what activation doesn't need: exports of `lazy.ts`, and what all features share. */
export type Load<Exports> = () => Promise<Exports & { stored: Stored }>;
