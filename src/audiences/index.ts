/** Registers the commands that edit audiences and the *Do Not Send* list. */
import type { Disposable } from 'vscode';
import type { MessageSender } from '../deliveries/contract.ts';
import type { ActivationHost, Load } from '../platform/host.ts';

type Lazy = Pick<typeof import('./audienceManager.ts'), 'AudienceManager'> &
  Pick<typeof import('./editNeverList.ts'), 'editNeverList'>;

export function registerAudiences(host: ActivationHost, sender: MessageSender, load: Load<Lazy>): Disposable[] {
  const manager = async () => {
    const { AudienceManager, stored } = await load();
    return new AudienceManager({ ...host, ...stored }, sender);
  };
  return [
    host.commands.register('manageAudiences', async () => (await manager()).manage()),
    host.commands.register('editNeverList', async () => {
      const { editNeverList, stored } = await load();
      await editNeverList({ ...host, ...stored });
    }),
    host.commands.register('addFileToAudience', async (file) => file && (await manager()).addFile(file)),
    host.commands.register('addToAudience', async (clicked, selected) =>
      (await manager()).addTo(selected.length > 0 ? selected : clicked ? [clicked] : []),
    ),
  ];
}
