/** What each command of the extension takes. */
import * as v from 'valibot';
import { Uri } from 'vscode';
import { BotChat } from '../protocol/botChat.ts';
import { givenIdentifier, lenientList, lenientOptional } from '../service/fields.ts';
import { KINDS } from '../service/model.ts';

/** A group, bot or user, from a tree item, a link or another feature. */
export const ResourceArgument = v.object({
  kind: v.picklist(KINDS),
  id: givenIdentifier,
  /** The bot that reads the chat, if the caller knows it. */
  botId: lenientOptional(givenIdentifier),
});
export type ResourceArgument = v.InferOutput<typeof ResourceArgument>;

/** A row of a tree. It isn't copied, because VS Code compares rows by identity. Its view validates what it holds. */
const Row = v.custom<object>((value) => typeof value === 'object' && value !== null);
export const DeliveryId = v.pipe(v.string(), v.regex(/^\d{15}-\w{8}$/));
const Delivery = v.union([
  DeliveryId,
  v.pipe(
    v.object({ id: DeliveryId }),
    v.transform(({ id }) => id),
  ),
]);
/** A row of the archive, by the number of its chat. */
const Archived = v.pipe(
  v.object({ archived: v.pipe(v.number(), v.safeInteger()) }),
  v.transform(({ archived }) => archived),
);
/** An archived chat: a row of the archive, the chat of a history, or a row of the sidebar. */
const ArchivedChat = v.union([Archived, BotChat, ResourceArgument]);
export type ArchivedChatArgument = v.InferOutput<typeof ArchivedChat>;
/** What to search a chat for. */
const SoughtMessages = v.object({
  text: v.optional(v.string()),
  /** The sender, by type and ID as messages have them. */
  sender: v.optional(v.object({ type: v.string(), id: v.string() })),
});
export type SoughtMessages = v.InferOutput<typeof SoughtMessages>;
const File = v.custom<Uri>((value) => value instanceof Uri);

/** The row that was clicked isn't in its list any more, or its list is just being rebuilt. */
export class RowGoneError extends Error {
  override readonly name = 'RowGoneError';
}

/**
 * The row that was clicked, or undefined for what is selected or has the focus. VS Code passes undefined or null for a row that
 * was clicked while its list was updated: the command isn't for another one then.
 */
const clicked = <const S extends v.GenericSchema>(row: S) =>
  v.union([
    v.pipe(
      v.null(),
      v.transform((): never => {
        throw new RowGoneError();
      }),
    ),
    lenientOptional(row),
  ]);
/** The clicked row, and all selected ones. */
const clickedAnd = <const S extends v.GenericSchema>(row: S) => [clicked(row), lenientOptional(v.array(row))] as const;

/** What is done with one row is done with the clicked one, whatever else is selected. */
const ROW = [clicked(Row)] as const;
const DELIVERY = [clicked(Delivery)] as const;
/** The clicked item, and all selected items. */
const itemAnd = <const S extends v.GenericSchema>(item: S) =>
  [lenientOptional(item), lenientOptional(v.array(item))] as const;

const ROWS = clickedAnd(Row);
const DELIVERIES = clickedAnd(Delivery);
const ARCHIVED = clickedAnd(Archived);
const FILES = itemAnd(File);
const BOT = [lenientOptional(v.object({ id: givenIdentifier }))] as const;
/** The key of a message, from the webview context of the page. */
const MESSAGE = [lenientOptional(v.object({ message: v.string() }))] as const;

/**
 * The arguments of each command, by its name without `botChats.`. VS Code adds arguments of its own, and a keybinding may
 * pass anything: an invalid argument becomes undefined.
 */
export const ARGUMENTS = {
  connect: [],
  /** The place of the click. */
  trySandbox: [lenientOptional(v.literal('walkthrough'))],
  setToken: BOT,
  addBotChats: BOT,
  removeToken: BOT,

  addGroup: [],
  addBot: [],
  addPerson: [],
  addToSidebar: ROWS,
  copyId: ROWS,
  copyJson: ROWS,
  copyValue: ROWS,
  moveDown: ROWS,
  moveUp: ROWS,
  relabel: ROW,
  remove: ROWS,
  retry: ROWS,
  send: ROWS,
  unwatch: ROWS,
  watch: ROWS,
  neverSend: ROWS,
  allowSending: ROWS,
  openNextUnread: [],
  showWatched: [],
  nextActivity: [],
  previousActivity: [],
  filterActivity: [],
  /** A message in the list of activity. */
  markRead: [lenientOptional(v.object({ ...BotChat.entries, msgId: givenIdentifier }))],
  markActivityRead: [],
  refresh: [],
  sortBy: [],
  filter: [],
  clearFilter: [],

  manageAudiences: [],
  editNeverList: [],
  addFileToAudience: [lenientOptional(File)],
  // The list leaves out rows that are neither groups nor people.
  addToAudience: [lenientOptional(ResourceArgument), lenientList(ResourceArgument)],

  /** A chat of any service, at one of its messages, which a query may have found, or at the newest. */
  openMessage: [
    lenientOptional(
      v.object({ ...BotChat.entries, msgId: v.optional(givenIdentifier), found: v.optional(v.string()) }),
    ),
  ],
  /** The address of a link to a chat or a message. */
  openLink: [lenientOptional(v.string())],
  openHistory: ROWS,
  openHistoryAs: ROWS,
  findInHistory: [],
  goToMessage: [],
  backToResults: [],
  /** A time (Unix ms) of the day that is proposed. */
  goToDate: [lenientOptional(v.number())],
  loadHistory: [],
  /** A row, or the document of the active editor. */
  exportHistory: [lenientOptional(Row)],
  newMessageHere: [],
  toggleRemoteImages: [],
  archiveHere: [],
  searchHere: [],
  showStatisticsHere: [],
  showDeliveriesHere: [],
  copyMessage: MESSAGE,
  copyMessageMarkdown: MESSAGE,
  copyMessageJson: MESSAGE,
  copyMessageId: MESSAGE,
  copyMessageLink: MESSAGE,
  searchFromSender: MESSAGE,
  useAsDraft: MESSAGE,

  newMessage: itemAnd(ResourceArgument),
  newMessageAsBot: BOT,
  newMessageFromFile: [lenientOptional(File)],
  preview: FILES,
  sendActiveMarkdown: FILES,
  sendSelection: [],
  sendAs: FILES,

  resumeDelivery: DELIVERIES,
  sendDeliveryNow: DELIVERIES,
  rescheduleDelivery: DELIVERIES,
  unscheduleDelivery: DELIVERIES,
  editDelivery: DELIVERY,
  /** A document that edits a message, or the delivery of that. */
  sendEditedDelivery: [lenientOptional(v.union([File, Delivery]))],
  cancelDelivery: DELIVERIES,
  resendDelivery: DELIVERIES,
  lookUpMissing: DELIVERIES,
  checkDelivery: DELIVERIES,
  openReport: DELIVERIES,
  findReplies: DELIVERIES,
  /** A chat, of the connected service unless it names one. */
  showDeliveries: [lenientOptional(v.union([BotChat, ResourceArgument]))],
  /** A document, or a delivery of one. */
  compareWithSent: [lenientOptional(v.union([File, Delivery]))],
  copyReport: DELIVERY,
  copyReportCsv: DELIVERY,
  saveRecipients: DELIVERY,
  deleteDelivery: DELIVERIES,
  showNextScheduled: [],
  refreshOutbox: [],

  archiveChat: ROWS,
  archiveAnyChat: [],
  updateArchive: ARCHIVED,
  updateAllArchives: [],
  pauseArchive: ARCHIVED,
  deleteArchive: ARCHIVED,
  deleteArchives: [],
  showStatistics: itemAnd(ArchivedChat),
  refreshArchive: [],
  importMessages: [lenientOptional(Archived)],
  searchMessages: [],
  showResults: [],
  searchArchivedChat: [lenientOptional(ArchivedChat), lenientOptional(SoughtMessages)],

  moveData: [],
  importData: [],

  /** An ID, and its kind if known. */
  lookUp: [lenientOptional(v.union([ResourceArgument, v.strictObject({ id: givenIdentifier })]))],
} as const satisfies Record<string, readonly v.GenericSchema[]>;

export type CommandName = keyof typeof ARGUMENTS;
type Outputs<S extends readonly v.GenericSchema[]> = { -readonly [K in keyof S]: v.InferOutput<S[K]> };
export type ArgumentsOf<N extends CommandName> = Outputs<(typeof ARGUMENTS)[N]>;

/** The arguments of a command, from those that VS Code or a caller has passed. @throws RowGoneError */
export function parseArguments<N extends CommandName>(name: N, args: readonly unknown[]): ArgumentsOf<N> {
  const schemas: readonly v.GenericSchema[] = ARGUMENTS[name];
  return schemas.map((schema, index) =>
    v.parse(schema, index < args.length ? (args[index] ?? null) : undefined),
  ) as ArgumentsOf<N>;
}
