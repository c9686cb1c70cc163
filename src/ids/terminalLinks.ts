/** Links for known IDs in terminals. */
import {
  type CancellationToken,
  commands,
  type TerminalLink,
  type TerminalLinkContext,
  type TerminalLinkProvider,
} from 'vscode';
import type { Reference } from '../service/model.ts';
import { followCommand, followTitle } from './idActions.ts';
import { knownIdsIn } from './idsInLines.ts';
import type { KnownIds } from './knownIds.ts';

export interface IdTerminalLink extends TerminalLink {
  readonly reference: Reference;
}

export class TerminalLinks implements TerminalLinkProvider<IdTerminalLink> {
  readonly #known: KnownIds;

  constructor(known: KnownIds) {
    this.#known = known;
  }

  async provideTerminalLinks({ line }: TerminalLinkContext, token: CancellationToken): Promise<IdTerminalLink[]> {
    const known = await this.#known.read();
    if (!known || token.isCancellationRequested) return [];
    return knownIdsIn(line, known).map(({ start, end, ...reference }) => ({
      startIndex: start,
      length: end - start,
      tooltip: followTitle(reference),
      reference,
    }));
  }

  async handleTerminalLink({ reference }: IdTerminalLink): Promise<void> {
    await commands.executeCommand(followCommand(reference), reference);
  }
}
