/** Finds IDs in documents and terminals, and shows what they belong to. Loaded on first use. */
import type { Host } from '../platform/host.ts';
import { IdHover } from './hover.ts';
import { IdPattern } from './idPattern.ts';
import { NameHints } from './inlayHints.ts';
import { KnownIds } from './knownIds.ts';
import { IdLinks, TerminalLinks } from './links.ts';
import { LookUpCommand } from './lookUpCommand.ts';

export class IdsController {
  readonly known: KnownIds;
  readonly hover: IdHover;
  readonly links: IdLinks;
  readonly hints: NameHints;
  readonly terminal: TerminalLinks;
  readonly lookUp: LookUpCommand;

  /** `refreshLinks` makes VS Code ask for the links of all visible documents. */
  constructor(
    host: Pick<Host, 'access' | 'connection' | 'lists' | 'mentionedIds' | 'settings'>,
    refreshLinks: () => void,
  ) {
    const pattern = new IdPattern(host.settings);
    this.known = new KnownIds(host);
    this.hover = new IdHover(this.known, pattern, host.settings);
    this.links = new IdLinks(this.known, refreshLinks);
    this.hints = new NameHints(this.known, host.settings);
    this.terminal = new TerminalLinks(this.known);
    this.lookUp = new LookUpCommand(host.access, this.known, pattern);
  }

  dispose(): void {
    this.links.dispose();
    this.hints.dispose();
    this.known.dispose();
  }
}
