/** Moving the outbox and the archive to another computer: its commands. */
import type { Disposable } from 'vscode';
import type { MovableArchive } from '../chats/contract.ts';
import type { MovableOutbox } from '../deliveries/contract.ts';
import { lazy } from '../platform/defer.ts';
import type { ActivationHost } from '../platform/host.ts';
import { isBrowser } from '../platform/node.ts';

interface Moves {
  /** The outbox. */
  readonly outbox: () => Promise<MovableOutbox>;
  readonly archive: () => Promise<MovableArchive>;
}

export function registerMoving(host: ActivationHost, { outbox, archive }: Moves): Disposable[] {
  const moving = lazy(async () => {
    const { MoveController } = await import('./moveController.ts');
    // Without Node there is no SQLite, and so no archive.
    return new MoveController(host, { outbox, archive: async () => (isBrowser() ? undefined : archive()) });
  });
  return host.commands.registerAll(moving, 'importData', 'importMessages', 'moveData');
}
