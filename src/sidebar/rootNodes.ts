/** The top of the tree: its sections, the notes above them, and what the view says beside and above itself. */
import { l10n } from 'vscode';
import type { Connection } from '../platform/connection.ts';
import type { Service } from '../platform/service.ts';
import { errorText, isOutage } from '../presentation/errorText.ts';
import type { Listing } from './sections.ts';
import type { ChatNode, NoteNode, SectionNode } from './nodes.ts';
import { noTokenNote, outageNote, setUpNote } from './notes.ts';
import type { Rows } from './rows.ts';
import type { SavedTokens } from './savedTokens.ts';

export const SECTIONS: readonly SectionNode[] = (['group', 'bot', 'user'] as const).map((kind) => ({
  type: 'section',
  kind,
}));

export interface RootsNeeds {
  readonly connection: Connection;
  readonly rows: Rows;
  readonly listing: Listing;
  readonly tokens: SavedTokens;
  /** Says beside the title of the view what is shown, or nothing. */
  name(what: string | undefined): void;
  /** Puts a sentence above the rows, or takes it away. */
  say(text: string | undefined): void;
  /** The rows of this service are shown from now on. */
  opened(service: Service): void;
}

export class Roots {
  readonly #needs: RootsNeeds;
  /** How often they were asked for. */
  #asked = 0;
  #isOutage = false;
  #isTokenMissing = false;
  #isSandbox = false;

  constructor(needs: RootsNeeds) {
    this.#needs = needs;
  }

  /** The service could not be reached for any row, and that is told above them. */
  get isOutage(): boolean {
    return this.#isOutage;
  }

  /** Whether the notes are to be others than those that were painted last. */
  haveTurned(): boolean {
    return this.#seesOutage() !== this.#isOutage || this.#seesNoToken() !== this.#isTokenMissing;
  }

  async nodes(): Promise<ChatNode[]> {
    const { connection, listing, tokens, name, say, opened } = this.#needs;
    const asked = ++this.#asked;
    const state = await connection.state();
    // Settings may have changed meanwhile, and their rows be shown: what is said and listened to is theirs.
    if (asked === this.#asked) {
      name(state === 'sandbox' ? l10n.t('Sandbox') : undefined);
      if (state === 'none') say(undefined);
    }
    if (state === 'none') return [];
    try {
      const service = await connection.open();
      if (asked === this.#asked) {
        opened(service);
        say(listing.filterNote(service));
      }
      tokens.need();
      return [...this.#notes(service), ...SECTIONS];
    } catch (error) {
      if (asked === this.#asked) say(errorText(error));
      return [setUpNote()];
    }
  }

  #notes({ sandbox }: Service): NoteNode[] {
    this.#isSandbox = sandbox !== undefined;
    // As it is now: rows may be put to be looked up again, or be those of another service, since they were painted.
    this.#isOutage = this.#seesOutage();
    this.#isTokenMissing = this.#seesNoToken();
    const notes = this.#isOutage ? [outageNote(this.#needs.rows.trouble())] : [];
    return this.#isTokenMissing ? [...notes, noTokenNote()] : notes;
  }

  #seesOutage(): boolean {
    return isOutage(this.#needs.rows.trouble());
  }

  #seesNoToken(): boolean {
    return !this.#isSandbox && this.#needs.tokens.isNone();
  }
}
