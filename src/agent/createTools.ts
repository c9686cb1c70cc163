/** Creates the tools for agents. Loaded on first use. */
import { AgentAccess } from './agentAccess.ts';
import type { AgentHost } from './agentHost.ts';
import { DeliveryTool } from './deliveryTool.ts';
import { DraftTool } from './draftTool.ts';
import { ListTool } from './listTool.ts';
import { LookUpTool } from './lookUpTool.ts';
import { ReadTool } from './readTool.ts';
import { SearchTool } from './searchTool.ts';
import { GuardedTool } from './tool.ts';

/** The tools by their names without `botchats_`. */
export function createTools(host: AgentHost) {
  const access = new AgentAccess(host.settings);
  return {
    list: new GuardedTool(new ListTool(host, access), access),
    look_up: new GuardedTool(new LookUpTool(host, access), access),
    read: new GuardedTool(new ReadTool(host, access), access),
    search: new GuardedTool(new SearchTool(host, access), access),
    draft: new GuardedTool(new DraftTool(host, access), access),
    delivery: new GuardedTool(new DeliveryTool(host, access), access),
  };
}
