/**
 * What the tools for agents get of the other features. Nothing in here sends, resumes, saves a token or changes a
 * setting, so no tool can, whatever a model asks for.
 */
import type { Audiences } from '../platform/audiences.ts';
import type { ListSettings } from '../platform/listSettings.ts';
import type { Service } from '../platform/service.ts';
import type { Settings } from '../platform/settings.ts';
import type { Store } from '../platform/store.ts';
import type { Tokens } from '../platform/tokens.ts';
import type { BotChat } from '../protocol/botChat.ts';
import type { Page } from '../service/client.ts';
import type { Button, Listed } from '../service/message.ts';
import type { Chat } from '../service/model.ts';

/** A service without the client that sends. */
export type ReadOnlyService = Pick<Service, 'address' | 'directory' | 'sandbox'>;

export interface MessageReader {
  /** Lists a page of a chat (contract 4.4), from the archive while the service can't be reached: `outage` says why. */
  read(chat: BotChat, page: Page, signal: AbortSignal): Promise<{ entries: Listed[]; outage?: unknown }>;
}

/** A chat in the archive. */
export interface SearchedChat {
  readonly botChat: BotChat;
  /** When its newest messages were last archived (Unix ms), if ever. */
  readonly checkedAt: number | undefined;
  /** Whether messages are missing. */
  readonly isIncomplete: boolean;
}

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
  readonly text: string;
}

export interface ArchiveQuery {
  readonly text: string;
  /** Which of the archived chats are searched. */
  includes(chat: BotChat): boolean;
  readonly senderId?: string | undefined;
  /** From `since` on and before `until` (Unix ms). */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

export interface MessageSearch {
  /**
   * The newest messages that a query finds, after a position if given. `next` is that of the next page; undefined at the
   * end. `chats` are those that were searched.
   */
  search(
    query: ArchiveQuery,
    limit: number,
    after?: number,
  ): Promise<{ hits: readonly SearchHit[]; next: number | undefined; chats: readonly SearchedChat[] }>;
}

/** A draft as an agent writes it. */
export interface AgentDraft {
  readonly body: string;
  readonly type: 'markdown' | 'text' | 'html' | undefined;
  readonly botId: string | undefined;
  readonly chats: readonly Chat[];
  readonly audiences: readonly string[];
  readonly buttons: readonly (readonly Button[])[];
}

export interface DraftOpener {
  /** Opens a draft as a new document, with its preview. Resolves to what its checks find, and its number of recipients. */
  open(
    draft: AgentDraft,
  ): Promise<{ problems: readonly { severity: 'error' | 'warning'; text: string }[]; recipients: number }>;
}

/** A recipient that a delivery didn't reach. */
export interface Unreached {
  readonly chat: Chat;
  readonly name: string;
  readonly result: 'missing' | 'unknown' | 'rejected' | 'notSent';
  /** Why, in the user's language. */
  readonly details: string;
}

export interface DeliverySummary {
  readonly id: string;
  /** The name of the document. */
  readonly name: string;
  /** When it was confirmed (Unix ms). */
  readonly time: number;
  readonly botId: string;
  readonly state: 'sending' | 'unfinished' | 'unreached' | 'resent' | 'delivered';
  readonly total: number;
  /** Recipients by result. */
  readonly counts: Readonly<Record<'reached' | Unreached['result'], number>>;
}

export interface DeliveryReader {
  /** The deliveries of the outbox, newest first, and how many can't be read. */
  list(): Promise<{ deliveries: readonly DeliverySummary[]; unreadable: number }>;
  /** A delivery and its unreached recipients, those that need the most attention first; undefined if there's none. */
  get(id: string): Promise<{ delivery: DeliverySummary; unreached: readonly Unreached[] } | undefined>;
}

export interface AgentHost {
  readonly audiences: Pick<Audiences, 'get' | 'read'>;
  readonly connection: { open(): Promise<ReadOnlyService> };
  readonly lists: Pick<ListSettings, 'read'>;
  readonly settings: Pick<Settings, 'agentAccess' | 'agentChats' | 'agentsEnabled'>;
  readonly store: Pick<Store, 'find'>;
  /** The IDs of the bots that have a token, not the tokens. */
  readonly tokens: Pick<Tokens, 'bots'>;

  readonly deliveries: DeliveryReader;
  readonly drafts: DraftOpener;
  readonly messages: MessageReader;
  readonly search: MessageSearch;
}
