/** Creates the tools for agents. Loaded on first use. */
import { AgentAccess } from './agentAccess.ts';
import type { AgentHost } from './agentHost.ts';
import { DeliveryTool } from './deliveryTool.ts';
import { DraftTool } from './draftTool.ts';
import { ListTool } from './listTool.ts';
import { LookUpTool } from './lookUpTool.ts';
import { ReadTool } from './readTool.ts';
import { SearchTool } from './searchTool.ts';
import { GuardedTool, type Tool } from './tool.ts';

/** The tools by their names without `botchats_`. */
export function createTools(host: AgentHost) {
  const access = new AgentAccess(host.settings);
  const guard = <Input>(tool: Tool<Input>) => new GuardedTool(tool, access, host.log);
  return {
    list: guard(new ListTool(host, access)),
    look_up: guard(new LookUpTool(host, access)),
    read: guard(new ReadTool(host, access)),
    search: guard(new SearchTool(host, access)),
    draft: guard(new DraftTool(host, access)),
    delivery: guard(new DeliveryTool(host, access)),
  };
}
