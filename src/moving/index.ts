/** Moving the outbox and the archive to another computer: its commands. */
import type { Disposable } from 'vscode';
import type { MovableArchive } from '../chats/contract.ts';
import type { MovableOutbox } from '../deliveries/contract.ts';
import { once } from '../platform/defer.ts';
import type { ActivationHost, Load } from '../platform/host.ts';
import { isBrowser } from '../platform/node.ts';

type Lazy = Pick<typeof import('./moveController.ts'), 'MoveController'>;

interface Moves {
  /** The outbox. */
  readonly outbox: () => Promise<MovableOutbox>;
  readonly archive: () => Promise<MovableArchive>;
}

export function registerMoving(host: ActivationHost, { outbox, archive }: Moves, load: Load<Lazy>): Disposable[] {
  const controller = once(async () => {
    const { MoveController } = await load();
    // Without Node there is no SQLite.
    return new MoveController(host, { outbox, archive: async () => (isBrowser() ? undefined : archive()) });
  });
  return [
    host.commands.register('moveData', async () => (await controller()).move()),
    host.commands.register('importData', async () => (await controller()).import()),
    host.commands.register('importMessages', async (chat) => (await controller()).import(chat)),
  ];
}
