/** The commands that send documents, and resend deliveries. */
import type { Disposable } from 'vscode';
import { methodsOf, part } from '../../platform/defer.ts';
import { type ActivationHost, wholeHost } from '../../platform/host.ts';
import type { MessageSender } from '../contract.ts';
import type { DraftReader } from '../draft/draftReader.ts';
import type { OutboxFeature } from '../outbox/index.ts';

/** `chosen` are the IDs of the deliveries that a command is for. */
export function registerSending(
  host: ActivationHost,
  { controller, edits }: OutboxFeature,
  reader: () => Promise<DraftReader>,
  chosen: (clicked?: string, selected?: readonly string[]) => Iterable<string>,
): MessageSender & { disposables: Disposable[] } {
  const { commands } = host;
  const sending = part(async () => {
    const { sendCommands } = await import('./sendCommands.ts');
    return sendCommands({
      host: await wholeHost(host),
      controller: await controller(),
      edits,
      reader: await reader(),
    });
  });
  const disposables = [
    ...commands.registerAll(sending, 'sendActiveMarkdown', 'sendAs', 'sendEditedDelivery', 'sendSelection'),
    ...commands.registerEach(chosen, sending, 'lookUpMissing', 'resendDelivery'),
  ];
  return { disposables, ...methodsOf(sending, 'send') };
}
