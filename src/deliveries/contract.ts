/** What deliveries do for other features, and their floors for those below. */
import type { Event, TextDocument, Uri } from 'vscode';
import type { Button } from '../service/message.ts';
import type { Chat } from '../service/model.ts';

export interface MessageSender {
  /** Sends a document, the open one by default, to chats after the user has confirmed it. */
  send(chats: readonly Chat[], document?: Uri): Promise<void>;
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
  /** The number of recipients, including those of audiences, how many more get nothing, and how many were never looked up. */
  readonly recipients: number;
  readonly leftOut: number;
  readonly unchecked: number;
}

export interface DraftOpener {
  /** Opens a draft as a new document, with its preview. Sends nothing. */
  open(draft: WrittenDraft): Promise<CheckedDraft>;
}

/** A delivery with its resends, without its message and its recipients. */
export interface DeliverySummary {
  readonly id: string;
  /** The name of the document. */
  readonly name: string;
  /** When it was sent, or else confirmed (Unix ms). */
  readonly time: number;
  readonly botId: string;
  readonly state: 'sending' | 'scheduled' | 'edited' | 'unfinished' | 'unreached' | 'resent' | 'delivered';
  /** When it's to be sent (Unix ms), if it's scheduled. */
  readonly due?: number | undefined;
  /** How many were to get the message. */
  readonly total: number;
  /** Recipients by result. Those who were left out aren't in `total`. */
  readonly counts: Readonly<Record<'reached' | 'leftOut' | UnreachedRecipient['result'], number>>;
}

/** A recipient that neither a delivery nor a resend of it is known to have reached. */
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
  /** Who was left out of it because they had the message or didn't exist, by `chatKey`: they stay so. */
  readonly needless: ReadonlySet<string>;
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

/** How many deliveries the outbox has, and which of them. */
export interface OutboxSurvey {
  /** Of those that can be exported, a delivery before its resends. */
  readonly ids: readonly string[];
  /** Those of them that are scheduled. */
  readonly scheduled: readonly string[];
  /** How many are being sent. */
  readonly sending: number;
  readonly unreadable: number;
}

/** The files of a delivery, line by line. A claim is one line. */
export interface MovedDelivery {
  readonly id: string;
  readonly lines: readonly string[];
  readonly claims: readonly string[];
  readonly journal: readonly string[];
  /** What was answered. */
  readonly replies: readonly string[];
  /** When it was to be sent, until that was canceled to move it (Unix ms). */
  readonly due?: number | undefined;
}

/**
 * What an import did with a delivery: it's `added`, or `extended` by what happened to it on the other computer; `kept`
 * as it is, because what is here is as new; `diverged` if both computers went on with it, `sending` if this one does:
 * then it stays as it is, too. One that is `damaged` isn't imported.
 */
export type MergeResult = 'added' | 'extended' | 'kept' | 'diverged' | 'sending' | 'damaged';

/** The outbox on its way to another computer, or from one. Nothing is sent because of that. */
export interface MovableOutbox {
  survey(): Promise<OutboxSurvey>;
  /**
   * A delivery to export, in a file that is made at a time (Unix ms). One that is scheduled is canceled from now on, if that
   * is allowed. Undefined if it isn't, or if it's being sent or gone.
   */
  take(id: string, at: number, mayCancel: boolean): Promise<MovedDelivery | undefined>;
  /** The export failed, and there's no file: schedules again what was canceled. Rejects if something stays canceled. */
  keep(): Promise<void>;
  /** The file that was made at a time (Unix ms) has these, or may have: another computer may have what could still be sent of them. */
  leave(ids: readonly string[], at: number): Promise<void>;
  /** Takes over a delivery from a file that was made at a time (Unix ms). Rejects without adding it if that is aborted. */
  merge(delivery: MovedDelivery, at: number, signal: AbortSignal): Promise<MergeResult>;
  /** Asks whether to send from here, at their times (Unix ms), those of a file that are canceled here. */
  askToSchedule(moved: readonly { readonly id: string; readonly due: number }[]): Promise<void>;
}
