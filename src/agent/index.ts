/** The tools for agents: language models that work with the user in VS Code. */
import { type Disposable, lm } from 'vscode';
import { lazy } from '../platform/defer.ts';
import { type ActivationHost, wholeHost } from '../platform/host.ts';
import type { AgentPorts } from './tool.ts';

/** The tools in the manifest, without `botchats_`. */
export const TOOLS = ['list', 'look_up', 'read', 'search', 'activity', 'draft', 'delivery'] as const;

/** Calls `answered` after each answer to an agent. */
export function registerAgent(host: ActivationHost, ports: AgentPorts, answered: () => void): Disposable[] {
  const tools = lazy(async () => {
    const { createTools } = await import('./createTools.ts');
    return createTools({ ...(await wholeHost(host)), ...ports });
  });
  // Tools are registered at once: the first call may activate the extension, and VS Code doesn't wait for a tool after that.
  return TOOLS.map((name) =>
    lm.registerTool(`botchats_${name}`, {
      prepareInvocation: async (options) => (await tools())[name].prepareInvocation(options),
      invoke: async (options, token) => {
        const result = await (await tools())[name].invoke(options, token);
        answered();
        return result;
      },
    }),
  );
}
