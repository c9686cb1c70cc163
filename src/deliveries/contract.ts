/** What deliveries do for other features, and the upper folders of deliveries for the lower ones. */
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
  /** When the delivery was sent, or else confirmed (Unix ms). */
  readonly time: number;
  readonly botId: string;
  readonly state: 'sending' | 'scheduled' | 'edited' | 'unfinished' | 'unreached' | 'resent' | 'delivered';
  /** When the delivery is to be sent (Unix ms), if it's scheduled. */
  readonly due?: number | undefined;
  /** How many recipients were to get the message. */
  readonly total: number;
  /** Recipients by result. Those who were left out aren't in `total`. */
  readonly counts: Readonly<Record<'reached' | 'leftOut' | UnreachedRecipient['result'], number>>;
}

/** A recipient that neither a delivery nor a resend of it is known to have reached. */
export interface UnreachedRecipient {
  readonly chat: Chat;
  readonly name: string;
  readonly result: 'unconfirmed' | 'absent' | 'unknown' | 'rejected' | 'notSent';
  /** Why the recipient wasn't reached, in the user's language. */
  readonly details: string;
}

/** The outbox, with which nothing can be sent. */
export interface DeliveryReader {
  /** The deliveries, newest first, and how many can't be read. */
  list(): Promise<{ deliveries: readonly DeliverySummary[]; unreadable: number }>;
  /**
   * A delivery, with the first `limit` recipients that were not reached and are included, those that need the most
   * attention first. Undefined if there's no such delivery. @throws UserFacingError if it can't be read
   */
  get(
    id: string,
    includes: (chat: Chat) => boolean,
    limit: number,
  ): Promise<{ delivery: DeliverySummary; unreached: readonly UnreachedRecipient[] } | undefined>;
}

/** A scheduled message that is being edited in a document. Sending the document replaces it. */
export interface EditedMessage {
  /** The ID of the delivery. */
  readonly id: string;
  /** When the message was to be sent (Unix ms). */
  readonly due: number;
  /** The bot that sends the message, unless the document names another one. */
  readonly botId: string;
  /** The recipients who were left out because they had the message or didn't exist, by `chatKey`. They stay left out. */
  readonly needless: ReadonlySet<string>;
  /** How many receive the message, unless the document names its recipients. */
  readonly recipients: Readonly<Record<Chat['kind'], number>>;
}

export type ScheduledMessage = Pick<EditedMessage, 'id' | 'due'>;

export interface MessageEdits {
  /** The message that is being edited in a document. Makes no request. */
  in(document: Pick<TextDocument, 'isUntitled' | 'uri'>): Promise<EditedMessage | undefined>;
  /** The next message that is scheduled from a document, whose changes it doesn't have. Makes no request. */
  scheduledFrom(document: Pick<TextDocument, 'isUntitled' | 'uri'>): Promise<ScheduledMessage | undefined>;
  /** Fires when the messages that documents edit or schedule may have changed. */
  readonly onDidChange: Event<void>;
}

/** How many deliveries the outbox has, and which of them. */
export interface OutboxSurvey {
  /** The deliveries that can be exported, each before its resends. */
  readonly ids: readonly string[];
  /** The deliveries among these that are scheduled. */
  readonly scheduled: readonly string[];
  /** How many deliveries are being sent. */
  readonly sending: number;
  readonly unreadable: number;
}

/** The files of a delivery, line by line. A claim is one line. */
export interface MovedDelivery {
  readonly id: string;
  readonly lines: readonly string[];
  readonly claims: readonly string[];
  readonly journal: readonly string[];
  /** The replies. */
  readonly replies: readonly string[];
  /** When the delivery was to be sent (Unix ms), until that was canceled to move it. */
  readonly due?: number | undefined;
}

/**
 * What an import did with a delivery: it's `added`, or `extended` by what happened to it on the other computer; `kept`
 * as it is, because what is here is as new; `diverged` if both computers went on with it, `sending` if this one does:
 * then it stays as it is, too. One that is `damaged` isn't imported.
 */
export type MergeResult = 'added' | 'extended' | 'kept' | 'diverged' | 'sending' | 'damaged';

/** The outbox on its way to another computer, or from one. A move sends nothing. */
export interface MovableOutbox {
  survey(): Promise<OutboxSurvey>;
  /**
   * A delivery to export, in a file that is made at a time (Unix ms). A scheduled delivery is canceled, if `mayCancel`.
   * Undefined if it may not be, or if the delivery is being sent or gone.
   */
  take(id: string, at: number, mayCancel: boolean): Promise<MovedDelivery | undefined>;
  /** The export failed, and there's no file: schedules again what was canceled. Rejects if something stays canceled. */
  keep(): Promise<void>;
  /** Notes that the file made at a time (Unix ms) may have these deliveries: another computer may send the rest of them. */
  leave(ids: readonly string[], at: number): Promise<void>;
  /** Takes over a delivery from a file that was made at a time (Unix ms). Rejects without adding it if that is aborted. */
  merge(delivery: MovedDelivery, at: number, signal: AbortSignal): Promise<MergeResult>;
  /** Asks whether this computer should send deliveries from a file that are canceled here, at their times (Unix ms). */
  askToSchedule(moved: readonly { readonly id: string; readonly due: number }[]): Promise<void>;
}
