/** The top level of the tree: its sections, the notes above them, and the view's title and message. */
import delay from 'delay';
import { l10n } from 'vscode';
import type { Connection } from '../platform/connection.ts';
import type { Service } from '../platform/service.ts';
import { errorText, mayBeBlocked } from '../presentation/errorText.ts';
import { isOutage, mayNeedAddress } from '../service/errors.ts';
import type { ChatNode, NoteNode } from './nodes.ts';
import {
  aboutBrowsersNote,
  aboutKeyringsNotes,
  changeAddressNote,
  lostTokenNote,
  noTokenNote,
  outageNote,
  setUpNote,
} from './notes.ts';
import type { RowDirectory } from './rowDirectory.ts';
import type { Rows } from './rows.ts';
import type { SavedTokens } from './savedTokens.ts';
import { SECTIONS, type Sections } from './sections.ts';
import type { TreeDisplay } from './sidebarView.ts';

/** How long the first rows wait for the secret storage (milliseconds), which may be locked. */
const TOKENS_TIMEOUT = 200;

export class RootNodes {
  readonly #connection: Connection;
  readonly #directory: RowDirectory;
  readonly #rows: Rows;
  readonly #sections: Sections;
  readonly #tokens: SavedTokens;
  readonly #display: TreeDisplay;
  #loadCount = 0;
  #pendingCount = 0;
  #showsOutage = false;
  #showsAddress = false;
  #showsNoToken = false;
  #isSandbox = false;

  constructor(
    connection: Connection,
    directory: RowDirectory,
    rows: Rows,
    sections: Sections,
    tokens: SavedTokens,
    display: TreeDisplay,
  ) {
    this.#connection = connection;
    this.#directory = directory;
    this.#rows = rows;
    this.#sections = sections;
    this.#tokens = tokens;
    this.#display = display;
  }

  /** Whether a note says that the service can't be reached. */
  get showsOutage(): boolean {
    return this.#showsOutage;
  }

  /** Whether the notes differ from those that were loaded last. Those that are being loaded are up to date. */
  areOutdated(): boolean {
    if (this.#pendingCount > 0) return false;
    if (this.#isOutage() !== this.#showsOutage || this.#isAddressWrong() !== this.#showsAddress) return true;
    return this.#isTokenMissing() !== this.#showsNoToken;
  }

  /** The nodes of the service in use, or a note that says why it can't be used. */
  async load(): Promise<ChatNode[]> {
    const load = ++this.#loadCount;
    const state = await this.#connection.state();
    // A later call reads newer settings, so it alone changes the view.
    if (load === this.#loadCount) {
      this.#display.setTitle(state === 'sandbox' ? l10n.t('Sandbox') : undefined);
      if (state === 'none') this.#display.setMessage(undefined);
    }
    if (state === 'none') return [];
    try {
      const service = await this.#connection.open();
      if (load === this.#loadCount) {
        this.#directory.use(service.directory);
        this.#display.setMessage(this.#sections.filterNote(service));
      }
      // Otherwise a note about the tokens would soon repaint all rows.
      this.#pendingCount++;
      await Promise.race([this.#tokens.load(), delay(TOKENS_TIMEOUT)]);
      this.#pendingCount--;
      return [...this.#notes(service), ...SECTIONS];
    } catch (error) {
      if (load === this.#loadCount) this.#display.setMessage(errorText(error));
      return [setUpNote()];
    }
  }

  #notes({ sandbox }: Service): NoteNode[] {
    this.#isSandbox = sandbox !== undefined;
    this.#showsOutage = this.#isOutage();
    this.#showsAddress = this.#isAddressWrong();
    this.#showsNoToken = this.#isTokenMissing();
    const error = this.#rows.sharedError();
    return [
      ...(this.#showsOutage ? [outageNote(error)] : []),
      ...(this.#showsAddress ? [changeAddressNote()] : []),
      ...(mayBeBlocked(error) ? [aboutBrowsersNote()] : []),
      ...(this.#showsNoToken ? this.#tokenNotes() : []),
    ];
  }

  #tokenNotes(): NoteNode[] {
    const { lost } = this.#tokens;
    return lost.length > 0 ? [lostTokenNote(lost), ...aboutKeyringsNotes()] : [noTokenNote()];
  }

  #isOutage(): boolean {
    return isOutage(this.#rows.sharedError());
  }

  #isAddressWrong(): boolean {
    return this.#isOutage() || mayNeedAddress(this.#rows.sharedError());
  }

  #isTokenMissing(): boolean {
    return !this.#isSandbox && this.#tokens.isEmpty();
  }
}
