/**
 * What the tools for agents get of the other features. Nothing in here sends, resumes, saves a token or changes a
 * setting, so no tool can, whatever a model asks for.
 */
import type { DeliveryReader, DraftOpener, Host, MessageReader, MessageSearch } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';

/** A service without the client that sends. */
export type ReadOnlyService = Pick<Service, 'address' | 'directory' | 'sandbox'>;

/** What other features do for agents. */
export interface AgentPorts {
  readonly deliveries: DeliveryReader;
  readonly drafts: DraftOpener;
  readonly messages: MessageReader;
  readonly search: MessageSearch;
}

export interface AgentHost extends AgentPorts {
  readonly audiences: Pick<Host['audiences'], 'get' | 'read'>;
  readonly connection: { open(): Promise<ReadOnlyService> };
  readonly lists: Pick<Host['lists'], 'read'>;
  readonly log: Pick<Host['log'], 'error'>;
  readonly settings: Pick<Host['settings'], 'agentAccess' | 'agentChats' | 'agentsEnabled'>;
  readonly store: Pick<Host['store'], 'find' | 'get'>;
  /** The IDs of the bots that have a token, not the tokens. */
  readonly tokens: Pick<Host['tokens'], 'bots'>;
}
