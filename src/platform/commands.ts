/** The commands of the extension: what each takes, and where their failures go. */
import * as v from 'valibot';
import { commands, type Disposable, Uri } from 'vscode';
import { identifier, lenientOptional } from '../service/fields.ts';

/** A group, bot or user, as a row, a link or another feature names it. */
export const ResourceArgument = v.object({
  kind: v.picklist(['group', 'bot', 'user']),
  id: identifier,
  /** The bot that reads the chat, where the caller knows. */
  botId: lenientOptional(identifier),
});
export type ResourceArgument = v.InferOutput<typeof ResourceArgument>;

/** A row of a tree, as it is: VS Code compares rows by identity. Its view checks the rest. */
const Row = v.custom<object>((value) => typeof value === 'object' && value !== null);
const DeliveryId = v.pipe(v.string(), v.regex(/^\d{15}-\w{8}$/));
const Delivery = v.union([
  DeliveryId,
  v.pipe(
    v.object({ id: DeliveryId }),
    v.transform(({ id }) => id),
  ),
]);
const File = v.custom<Uri>((value) => value instanceof Uri);

/** The item that a menu was opened on, and all that are selected with it. */
const itemAnd = <const S extends v.GenericSchema>(item: S) =>
  [lenientOptional(item), lenientOptional(v.array(item))] as const;

const ROWS = itemAnd(Row);
const DELIVERIES = itemAnd(Delivery);
const FILES = itemAnd(File);
/** What the page wrote beside a message: its key. */
const MESSAGE = [lenientOptional(v.object({ message: v.string() }))] as const;

/**
 * What each command takes, by its name without `botChats.`. VS Code adds arguments of its own, and a keybinding may
 * hold anything: an argument that doesn't fit is undefined.
 */
export const ARGUMENTS = {
  connect: [],
  trySandbox: [],
  setToken: [lenientOptional(v.object({ id: identifier }))],
  removeToken: [],

  addGroup: [],
  addBot: [],
  addPerson: [],
  addToSidebar: ROWS,
  copyId: ROWS,
  copyJson: ROWS,
  copyValue: ROWS,
  moveDown: ROWS,
  moveUp: ROWS,
  relabel: ROWS,
  remove: ROWS,
  retry: ROWS,
  send: ROWS,
  unwatch: ROWS,
  watch: ROWS,
  refresh: [],
  sortBy: [],
  filter: [],
  clearFilter: [],

  openHistory: ROWS,
  openHistoryAs: ROWS,
  findInHistory: [],
  goToMessage: [],
  loadHistory: [],
  exportHistory: [],
  togglePictures: [],
  copyMessage: MESSAGE,
  copyMessageMarkdown: MESSAGE,
  copyMessageJson: MESSAGE,
  copyMessageId: MESSAGE,
  useAsDraft: MESSAGE,

  preview: FILES,
  sendActiveMarkdown: FILES,
  sendSelection: [],
  sendAs: FILES,

  resumeDelivery: DELIVERIES,
  cancelDelivery: DELIVERIES,
  resendDelivery: DELIVERIES,
  checkDelivery: DELIVERIES,
  openReport: DELIVERIES,
  copyReport: DELIVERIES,
  copyReportCsv: DELIVERIES,
  deleteDelivery: DELIVERIES,
  refreshOutbox: [],

  lookUp: [lenientOptional(ResourceArgument)],
} as const satisfies Record<string, readonly v.GenericSchema[]>;

export type CommandName = keyof typeof ARGUMENTS;
type Outputs<S extends readonly v.GenericSchema[]> = { -readonly [K in keyof S]: v.InferOutput<S[K]> };
type ArgumentsOf<N extends CommandName> = Outputs<(typeof ARGUMENTS)[N]>;

export class Commands {
  readonly #onError: (error: unknown) => void | Promise<void>;

  /** `onError` shows and logs what a command throws. */
  constructor(onError: (error: unknown) => void | Promise<void>) {
    this.#onError = onError;
  }

  /** Registers a command. What it throws is shown and logged, never lost. */
  register<N extends CommandName>(name: N, run: (...args: ArgumentsOf<N>) => Promise<unknown>): Disposable {
    const schemas: readonly v.GenericSchema[] = ARGUMENTS[name];
    return commands.registerCommand(`botChats.${name}`, async (...given) => {
      try {
        await run(...(schemas.map((schema, index) => v.parse(schema, given[index])) as ArgumentsOf<N>));
      } catch (error) {
        await this.#onError(error);
      }
    });
  }

  /** Runs a command of another feature, which shows its own failures. */
  async run<N extends CommandName>(name: N, ...args: Partial<ArgumentsOf<N>>): Promise<void> {
    await commands.executeCommand(`botChats.${name}`, ...args);
  }
}
