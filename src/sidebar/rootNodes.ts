/** The top level of the tree: its sections, the notes above them, and the view's title and message. */
import delay from 'delay';
import type { Connection } from '../platform/service.ts';
import { errorText, mayBeBlocked } from '../presentation/errorText.ts';
import { l10n } from '../presentation/shown.ts';
import { isOutage, mayNeedAddress } from '../service/errors.ts';
import type { Kind } from '../service/model.ts';
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
import type { RowDirectory, Rows } from './rows.ts';
import type { SavedTokens } from './savedTokens.ts';
import { SECTIONS, type Sections } from './sections.ts';
import type { TreeDisplay } from './sidebarView.ts';

interface Findings {
  isOutage: boolean;
  isAddressWrong: boolean;
  /** The bots whose token is gone; undefined unless a token is missing. */
  lost?: readonly string[] | undefined;
}

export class RootNodes {
  readonly #connection: Connection;
  readonly #directory: RowDirectory;
  readonly #rows: Rows;
  readonly #sections: Sections;
  readonly #tokens: SavedTokens;
  readonly #display: TreeDisplay;
  #loadCount = 0;
  #isUnusable = false;
  /** What the notes said when they were loaded last. */
  #shown: Findings = { isOutage: false, isAddressWrong: false };
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
    return this.#shown.isOutage;
  }

  /** Whether the notes differ from those that were loaded last. */
  areOutdated(): boolean {
    return JSON.stringify(this.#findings()) !== JSON.stringify(this.#shown);
  }

  /**
   * The sections, whose names never change, and the notes above them: what is remembered is read meanwhile. Or a note if
   * the service can't be used.
   */
  async load(): Promise<ChatNode[]> {
    const load = ++this.#loadCount;
    // A later call reads newer settings, so it alone changes the view.
    const isLatest = () => load === this.#loadCount;
    const state = await this.#connection.state();
    if (isLatest()) {
      this.#display.setTitle(state === 'sandbox' ? l10n.t('Sandbox') : undefined);
      if (state === 'none') this.#display.setMessage(undefined);
    }
    if (state === 'none') return [];
    this.#isSandbox = state === 'sandbox';
    // Repainting would loop if it failed again, and a filter is shown with what it finds.
    const waits = this.#isUnusable || this.#sections.filter !== '';
    const opening = this.#open(isLatest);
    // That an address is wrong is known before anything is read.
    const isUsable = await (waits ? opening : Promise.race([opening, delay(0, { value: true })]));
    if (!isUsable) return [setUpNote()];
    void opening.then((isOpen) => {
      if (!isOpen && isLatest()) this.#display.repaint(undefined);
    });
    return [...this.#notes(), ...SECTIONS];
  }

  /**
   * How many rows of a section are listed and shown. Opens the service only if a filter needs names, or the sandbox's lists
   * are shown.
   */
  async counts(kind: Kind): Promise<{ shown: number; listed: number }> {
    const needsService = this.#sections.filter || (await this.#connection.state()) === 'sandbox';
    return this.#sections.counts(kind, needsService ? await this.#directory.open() : {});
  }

  /** Resolves to whether the service can be used. Shows why it can't, or the filter. */
  async #open(isLatest: () => boolean): Promise<boolean> {
    try {
      const service = await this.#directory.open();
      this.#isUnusable = false;
      if (isLatest()) this.#display.setMessage(this.#sections.filterNote(service));
      void this.#tokens.load();
      return true;
    } catch (error) {
      this.#isUnusable = true;
      if (isLatest()) this.#display.setMessage(errorText(error));
      return false;
    }
  }

  #notes(): NoteNode[] {
    this.#shown = this.#findings();
    const error = this.#rows.sharedError();
    return [
      ...(this.#shown.isOutage ? [outageNote(error)] : []),
      ...(this.#shown.isAddressWrong ? [changeAddressNote()] : []),
      ...(mayBeBlocked(error) ? [aboutBrowsersNote()] : []),
      ...tokenNotes(this.#shown),
    ];
  }

  #findings(): Findings {
    const error = this.#rows.sharedError();
    return {
      isOutage: isOutage(error),
      isAddressWrong: isOutage(error) || mayNeedAddress(error),
      lost: !this.#isSandbox && this.#tokens.isEmpty() ? this.#tokens.lost : undefined,
    };
  }
}

function tokenNotes({ lost }: Findings): NoteNode[] {
  if (!lost) return [];
  return lost.length > 0 ? [lostTokenNote(lost), ...aboutKeyringsNotes()] : [noTokenNote()];
}
