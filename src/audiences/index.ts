/** The commands that edit audiences and the *Do Not Send* list. */
import type { Disposable } from 'vscode';
import type { MessageSender } from '../deliveries/contract.ts';
import { lazy } from '../platform/defer.ts';
import { type ActivationHost, wholeHost } from '../platform/host.ts';

export function registerAudiences(host: ActivationHost, sender: MessageSender): Disposable[] {
  const { commands } = host;
  const audiences = lazy(async () => {
    const { AudienceManager } = await import('./audienceManager.ts');
    return new AudienceManager(await wholeHost(host), sender);
  });
  return [
    ...commands.registerAll(audiences, 'addFileToAudience', 'addToAudience', 'manageAudiences'),
    commands.register('editNeverList', async () => {
      const { editNeverList } = await import('./editNeverList.ts');
      await editNeverList(await wholeHost(host));
    }),
  ];
}
