/** All that finds IDs, and shows whose they are. Loaded when VS Code first asks for something. */

import { IdLinks } from './documentLinks.ts';
import { IdHover } from './hover.ts';
import { Pattern } from './idPattern.ts';
import { NameHints } from './inlayHints.ts';
import { KnownIds, type KnownNeeds } from './knownIds.ts';
import { LookUpCommand, type LookUpNeeds } from './lookUpCommand.ts';
import { TerminalLinks } from './terminalLinks.ts';

export interface LookupNeeds extends KnownNeeds, LookUpNeeds {
  /** Makes VS Code ask for the links of all that it shows. */
  askForLinks(): void;
}

export class IdsController {
  readonly known: KnownIds;
  readonly hover: IdHover;
  readonly links: IdLinks;
  readonly hints: NameHints;
  readonly terminal: TerminalLinks;
  readonly command: LookUpCommand;

  constructor(needs: LookupNeeds) {
    const pattern = new Pattern();
    this.known = new KnownIds(needs);
    this.hover = new IdHover(this.known, pattern);
    this.links = new IdLinks(this.known, needs.askForLinks);
    this.hints = new NameHints(this.known);
    this.terminal = new TerminalLinks(this.known);
    this.command = new LookUpCommand(needs, this.known, pattern);
  }

  dispose(): void {
    this.links.dispose();
    this.hints.dispose();
    this.known.dispose();
  }
}
