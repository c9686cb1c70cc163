/** Registers the tools for agents: language models that work with the user in VS Code. */
import { type Disposable, lm } from 'vscode';
import { defer } from '../platform/defer.ts';
import type { ActivationHost, Load } from '../platform/host.ts';
import { once } from '../platform/once.ts';
import type { AgentHost } from './agentHost.ts';
import type { createTools } from './createTools.ts';

/** As in the manifest, without `botchats_`. */
export const TOOLS = [
  'list',
  'look_up',
  'read',
  'search',
  'draft',
  'delivery',
] as const satisfies readonly (keyof ReturnType<typeof createTools>)[];

type Lazy = Pick<typeof import('./createTools.ts'), 'createTools'>;
type Ports = Pick<AgentHost, 'deliveries' | 'drafts' | 'messages' | 'search'>;

export function registerAgent(host: ActivationHost, ports: Ports, load: Load<Lazy>): Disposable[] {
  const { connection, settings, tokens } = host;
  const tools = once(() =>
    load().then(({ createTools, stored }) => createTools({ connection, settings, tokens, ...stored, ...ports })),
  );
  const register = (name: (typeof TOOLS)[number]) =>
    lm.registerTool(`botchats_${name}`, {
      prepareInvocation: async (options) => (await tools())[name].prepareInvocation(options),
      invoke: async (options, token) => (await tools())[name].invoke(options, token),
    });
  return [defer(() => TOOLS.map(register))];
}
