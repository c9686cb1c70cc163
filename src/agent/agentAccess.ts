/** What the user lets agents see. */
import { workspace } from 'vscode';
import type { Settings } from '../platform/settings.ts';
import { type Chat, includesChat } from '../service/model.ts';
import { ToolError } from './toolError.ts';

export class AgentAccess {
  readonly #settings: Pick<Settings, 'agentAccess' | 'agentChats' | 'agentsEnabled'>;

  constructor(settings: Pick<Settings, 'agentAccess' | 'agentChats' | 'agentsEnabled'>) {
    this.#settings = settings;
  }

  /** Whether agents may use tools here. */
  get isAvailable(): boolean {
    return workspace.isTrusted && this.#settings.agentsEnabled;
  }

  /** @throws ToolError if agents may use no tool here: `when` in the manifest hides tools, but doesn't refuse calls */
  check(): void {
    if (!workspace.isTrusted)
      throw new ToolError("Bot Chats tools don't work in an untrusted workspace. Go on without them.");
    if (!this.#settings.agentsEnabled)
      throw new ToolError(
        'The user has turned off the tools of Bot Chats (botChats.agents.enabled). Go on without them.',
      );
  }

  /** Whether agents may see a group or a person, perhaps after asking the user. */
  sees(chat: Chat): boolean {
    const { agentAccess, agentChats } = this.#settings;
    return agentAccess === 'chosen' ? includesChat(agentChats ?? [], chat) : agentAccess !== 'none';
  }

  /** Whether the user has allowed these chats beforehand, so that no question is needed. */
  isGranted(chats: readonly Chat[]): boolean {
    const { agentAccess } = this.#settings;
    return agentAccess === 'all' || (agentAccess === 'chosen' && chats.every((chat) => this.sees(chat)));
  }

  /** Whether the user is asked about every chat. */
  get asksEachTime(): boolean {
    return this.#settings.agentAccess === 'ask';
  }

  /** Says which chats are left out; empty if none are. */
  get limits(): string {
    switch (this.#settings.agentAccess) {
      case 'chosen':
        if (!this.#settings.agentChats)
          return "The setting botChats.agents.chats isn't valid, so agents see no groups or people. Ask the user to correct it.";
        return 'The user lets agents see only some chats (botChats.agents.chats). Others are left out.';
      case 'none':
        return "The user doesn't let agents see any chats (botChats.agents.access). Groups and people are left out.";
      default:
        return '';
    }
  }

  /** @throws ToolError if agents may not see any group or person */
  checkAny(): void {
    if (this.#settings.agentAccess === 'none') throw new ToolError(`${this.limits} Go on without them.`);
  }

  /** @throws ToolError if agents may not see a group or a person */
  checkChat(chat: Chat): void {
    if (!this.sees(chat)) throw this.#hidden(`${chat.kind === 'group' ? 'group' : 'person'} ${chat.id}`);
  }

  /** @throws ToolError if agents may see neither the group nor the person with one of these IDs */
  checkIds(ids: readonly string[]): void {
    const hidden = ids.find((id) => !this.sees({ kind: 'group', id }) && !this.sees({ kind: 'user', id }));
    if (hidden !== undefined) throw this.#hidden(hidden);
  }

  #hidden(what: string): ToolError {
    return new ToolError(`The user doesn't let agents see ${what}. ${this.limits} Go on without it.`);
  }
}
