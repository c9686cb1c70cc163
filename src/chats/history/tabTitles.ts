/** The titles of history tabs, which tell histories with the same name apart. */
import { shortServiceName } from '../../presentation/describe.ts';
import type { BotChat } from '../../protocol/botChat.ts';

/** A history with its names, or their IDs until they are looked up. */
export interface NamedHistory {
  readonly botChat: BotChat;
  readonly name: string;
  readonly botName: string;
}

/**
 * The name of a history, followed by what sets it apart from the others of that name: the ID of its chat, its bot or its
 * service. `unrestored` are the titles of tabs that VS Code restores only when they are shown.
 */
export function tabTitle(history: NamedHistory, open: readonly NamedHistory[], unrestored: readonly string[]): string {
  const { botChat, name, botName } = history;
  const { service, kind, id, botId } = botChat;
  const rivals = open.filter((other) => other !== history && other.name === name);
  const sameService = rivals.filter((other) => other.botChat.service === service);
  const sameChat = sameService.filter((other) => other.botChat.kind === kind && other.botChat.id === id);
  const isRestoredLater = unrestored.some((title) => title === name || title.startsWith(`${name} (`));
  const isOtherChat = sameChat.length < sameService.length || (rivals.length === 0 && isRestoredLater);
  const differences = [
    isOtherChat && id !== name && id,
    sameChat.length > 0 && (sameChat.some((other) => other.botName === botName) ? botId : botName),
    sameService.length < rivals.length && shortServiceName(service),
  ].filter(Boolean);
  return differences.length > 0 ? `${name} (${differences.join(', ')})` : name;
}
