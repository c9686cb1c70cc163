/** Links for known IDs and to messages in terminals. */
import {
  type CancellationToken,
  commands,
  type TerminalLink,
  type TerminalLinkContext,
  type TerminalLinkProvider,
} from 'vscode';
import { followCommand, followTitle, linkTitle, OPEN_LINK } from './commandLinks.ts';
import { chatLinksIn, knownIdsIn } from './idsInLines.ts';
import type { KnownIds } from './knownIds.ts';

export interface IdTerminalLink extends TerminalLink {
  readonly command: string;
  readonly argument: unknown;
}

export class TerminalLinks implements TerminalLinkProvider<IdTerminalLink> {
  readonly #known: KnownIds;

  constructor(known: KnownIds) {
    this.#known = known;
  }

  async provideTerminalLinks({ line }: TerminalLinkContext, token: CancellationToken): Promise<IdTerminalLink[]> {
    const known = await this.#known.read();
    if (token.isCancellationRequested) return [];
    const at = ({ start, end }: { start: number; end: number }) => ({ startIndex: start, length: end - start });
    return [
      ...chatLinksIn(line).map((found) => ({
        ...at(found),
        tooltip: linkTitle(found),
        command: OPEN_LINK,
        argument: found.address,
      })),
      ...(known ? knownIdsIn(line, known) : []).map(({ start, end, ...reference }) => ({
        ...at({ start, end }),
        tooltip: followTitle(reference),
        command: followCommand(reference),
        argument: reference,
      })),
    ];
  }

  async handleTerminalLink({ command, argument }: IdTerminalLink): Promise<void> {
    await commands.executeCommand(command, argument);
  }
}
