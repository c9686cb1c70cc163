/**
 * Deliveries, in folders that only know those before them: `draft` (a document about to be sent), `plan` (what goes to
 * whom), `outbox` (what was confirmed, and everything that happens to it), and on top `view` (what is seen of the outbox),
 * `send` (from a draft to a delivery) and `replies` (what was answered).
 */
import type { MessageArchive } from '../chats/contract.ts';
import type { ActivationHost } from '../platform/host.ts';
import { registerDrafts } from './draft/index.ts';
import { registerOutbox } from './outbox/index.ts';
import { registerReplies } from './replies/index.ts';
import { registerSending } from './send/index.ts';
import { registerView } from './view/index.ts';

export function registerDeliveries(host: ActivationHost, archive: MessageArchive) {
  const outbox = registerOutbox(host);
  const drafts = registerDrafts(host, outbox.edits);
  const view = registerView(host, outbox);
  const sending = registerSending(host, outbox, drafts.reader, view);
  const replies = registerReplies(host, outbox, archive, view.chosen);
  return {
    disposables: [
      ...outbox.disposables,
      ...drafts.disposables,
      ...view.disposables,
      ...sending.disposables,
      ...replies,
    ],
    deliveries: outbox.deliveries,
    drafts: drafts.drafts,
    moves: outbox.moves,
    send: sending.send,
    /** To be awaited before the window closes: ends sending, and stores the results. */
    close: async () => {
      await sending.close();
      await outbox.close();
    },
  };
}
