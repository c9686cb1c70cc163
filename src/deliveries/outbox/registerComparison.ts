/** Registers the comparison of documents with what was sent, and the documents that show what was sent. */
import { type Disposable, window, workspace } from 'vscode';
import type { ActivationHost, Load } from '../../platform/host.ts';
import { once } from '../../platform/once.ts';
import type { OutboxController } from './outboxController.ts';

/** Documents as they were sent. Never change, so nothing reports changes. */
const SENT_SCHEME = 'bot-chats-sent';

export type LazyComparison = Pick<typeof import('./comparison.ts'), 'Comparison'>;

export function registerComparison(
  host: Pick<ActivationHost, 'commands'>,
  load: Load<LazyComparison>,
  controller: () => Promise<OutboxController>,
): Disposable[] {
  const comparison = once(async () => {
    const { Comparison } = await load();
    return new Comparison(await controller(), SENT_SCHEME);
  });
  return [
    host.commands.register('compareWithSent', async (what) => {
      await (await comparison()).open(what ?? window.activeTextEditor?.document.uri);
    }),
    workspace.registerTextDocumentContentProvider(SENT_SCHEME, {
      provideTextDocumentContent: async ({ query }) => (await comparison()).text(query),
    }),
  ];
}
