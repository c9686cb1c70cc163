/** What the archive and the history do for each other and for other features. */
import type { Event } from 'vscode';
import type { BotChat } from '../protocol/botChat.ts';
import type { Page } from '../service/client.ts';
import type { Listed } from '../service/message.ts';
import type { MovedPage } from './archive/movedChats.ts';
import type { FirstSince } from './archive/pageReader.ts';

/** Messages that are kept on this computer. Methods reject with an error of the archive. */
export interface MessageArchive {
  /**
   * A page of a chat, newest first, as the service would list it (contract 4.4). Undefined unless all of the page is
   * archived: the chat may not be, or the page reaches into a gap.
   */
  list(chat: BotChat, page: Page): Promise<Listed[] | undefined>;
  /** The first message that was sent at a time (Unix ms) or later; undefined if the archive of the chat isn't complete. */
  firstSince(chat: BotChat, time: number): Promise<FirstSince | undefined>;
  /** The ID of the last archived message before a gap, which precedes this one; undefined if there's no such gap. */
  beforeGap(chat: BotChat, msgId: string): Promise<string | undefined>;
  /** When the newest messages of a chat were last read from the service (Unix ms); undefined if it isn't archived. */
  checkedAt(chat: BotChat): Promise<number | undefined>;
  /** The last known names of a chat and its bot, empty if there are none; undefined if it isn't archived. */
  namesOf(chat: BotChat): Promise<{ name: string; botName: string } | undefined>;
}

/** The archived chats, for features that offer more for them. */
export interface ArchivedChats {
  /** The archived chats; none if the archive can't be read. */
  list(): Promise<readonly BotChat[]>;
  /** Fires when the archived chats may have changed. */
  readonly onDidChange: Event<void>;
}

/** A search in the archive. */
export interface ArchiveQuery {
  readonly text: string;
  /** Which of the archived chats are searched. */
  includes(chat: BotChat): boolean;
  readonly senderId?: string | undefined;
  /** Only messages from `since` on and before `until` are found (Unix ms). */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** A chat that was searched. */
export interface SearchedChat {
  readonly botChat: BotChat;
  /** How far back the chat is archived (Unix ms); undefined for its beginning. */
  readonly since: number | undefined;
  /** When the newest messages of the chat were last archived (Unix ms), if ever. */
  readonly checkedAt: number | undefined;
  /** Whether messages are missing. */
  readonly isIncomplete: boolean;
}

/** An archived message that was found. */
export interface SearchHit {
  /** The position of the message: a next page begins after it. */
  readonly position: number;
  readonly botChat: BotChat;
  /** The ID; undefined for a message that can't be read. */
  readonly msgId: string | undefined;
  readonly senderId: string;
  readonly senderName: string;
  /** When the message was sent (Unix ms), if known. */
  readonly time: number | undefined;
  /** An excerpt of the text. */
  readonly text: string;
}

export interface MessageSearch {
  /**
   * The newest messages that a query finds, after a position if given. `next` is that of the next page; undefined at the
   * end. `chats` are those that were searched.
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
  }>;
}

/** Pages of chats, for features that show no history. */
export interface MessageReader {
  /**
   * Lists a page of a chat (contract 4.4), from the archive while the service can't be reached: `outage` says why.
   * Rejects as the client does.
   */
  read(chat: BotChat, page: Page, signal: AbortSignal): Promise<{ entries: Listed[]; outage?: unknown }>;
}

/** An archived chat on its way to another computer. */
interface MovedChat {
  readonly botChat: BotChat;
  /** How far back the chat is archived (Unix ms); undefined for its beginning. */
  readonly since?: number | undefined;
  /** When the newest messages of the chat were last read (Unix ms), if ever. */
  readonly checkedAt?: number | undefined;
  /** The last known names of the chat and its bot, or empty. */
  readonly name: string;
  readonly botName: string;
}

/** A chat that is being imported. */
export interface ImportedChat {
  /**
   * Adds a page. Resolves to how many messages are new; undefined if the page can't be from an archive, so that it isn't
   * added.
   */
  add(page: MovedPage): Promise<number | undefined>;
  /** Ends the chat, and notes where its messages came from. `isWhole` if no page is missing. */
  end(isWhole: boolean): Promise<void>;
}

export type ArchivePart =
  | { readonly what: 'chat'; readonly chat: MovedChat }
  | { readonly what: 'page'; readonly page: MovedPage }
  /** The chat has no more pages. */
  | { readonly what: 'ended' };

/** Reads a file from its start, line by line, and says how much of it is read, from 0 to 1. */
export type ImportedLines = (onRead?: (done: number) => void) => AsyncGenerator<string, void>;

/** The archive on its way to another computer, or from one. @throws UserFacingError */
export interface MovableArchive {
  survey(): Promise<{ readonly chats: number; readonly messages: number }>;
  /** All chats, as they are now. */
  read(): AsyncGenerator<ArchivePart, void>;
  /** Imports a chat. `name` is the name of the file. */
  begin(chat: MovedChat, name: string): Promise<ImportedChat>;
  /**
   * Imports an exported file, line by line, after the user has chosen its chat; by default that with this number. `lines`
   * reads it.
   */
  importMessages(name: string, lines: ImportedLines, chat?: number): Promise<void>;
}
