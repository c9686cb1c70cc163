/** Dependencies of the features. */
import type { LogOutputChannel, Memento, Uri } from 'vscode';
import type { BotChat } from '../protocol/botChat.ts';
import type { Page } from '../service/client.ts';
import type { Listed } from '../service/message.ts';
import type { Chat } from '../service/model.ts';
import type { Audiences } from './audiences.ts';
import type { ChatEvents } from './chatEvents.ts';
import type { Commands } from './commands.ts';
import type { Connection } from './connection.ts';
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
  /** The bot to act as: `preferred` if it has a token. Asks if there are several; undefined if the user cancels. */
  chooseBot(service: Service, title: string, preferred?: string): Promise<string | undefined>;
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
}

/** What is read from settings and storage. Its schemas are loaded on first use. */
export interface Stored {
  readonly audiences: Audiences;
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
