/** The chat, the bot and the senders of a history, as the page displays them. */
import type { Service } from '../../platform/service.ts';
import {
  type KnownNames,
  knownName,
  knownOwnName,
  otherName,
  shortServiceName,
  summaryOf,
} from '../../presentation/describe.ts';
import { joinPhrases } from '../../presentation/factParts.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import type { Reference } from '../../service/model.ts';
import type { MessageArchive } from '../contract.ts';
import type { ExportNames } from './commands/formats.ts';
import type { TimelineItem } from './timelineItems.ts';

/** The chat's service. Rejects if it's not connected. */
export type OpenService = () => Promise<Service>;

const directoryOf = (open: OpenService) =>
  open().then(
    (service) => service.directory,
    () => undefined,
  );

/**
 * The name and summary of a chat, and the names of its bot and its service. Falls back to the archive's names and to IDs
 * if a lookup fails: the error shows at the ends of the messages.
 */
export async function headingOf(open: OpenService, botChat: BotChat, archive: Pick<MessageArchive, 'namesOf'>) {
  const { kind, id, botId } = botChat;
  const directory = await directoryOf(open);
  const found = await Promise.all([
    directory?.get(kind, id).catch(() => undefined),
    directory?.get('bot', botId).catch(() => undefined),
  ]);
  const archived = found.every(Boolean) ? undefined : await archive.namesOf(botChat).catch(() => undefined);
  return knownHeading(botChat, directory, archived);
}

/** Like {@link headingOf}, with names that are known. Makes no request. */
export function knownHeading(
  { service, kind, id, botId }: BotChat,
  known: KnownNames | undefined,
  archived?: Awaited<ReturnType<MessageArchive['namesOf']>>,
) {
  const found = known?.peek(kind, id);
  return {
    name: (known && knownName(known, kind, id)) ?? (archived?.name || id),
    summary: known ? joinPhrases(otherName(known, kind, id), found && summaryOf(found)) : '',
    readAs: (known && knownName(known, 'bot', botId)) ?? (archived?.botName || botId),
    service: shortServiceName(service),
  };
}

/** The service's own names of a chat and its bot, which others may read; empty if they aren't known. Makes no request. */
export async function namesForOthers(
  open: OpenService,
  botChat: BotChat,
  archive: Pick<MessageArchive, 'namesOf'>,
): Promise<ExportNames> {
  const { kind, id, botId } = botChat;
  const known = await directoryOf(open);
  const chat = known && knownOwnName(known, kind, id);
  const bot = known && knownOwnName(known, 'bot', botId);
  if (chat !== undefined && bot !== undefined) return { chat, bot };
  const archived = await archive.namesOf(botChat).catch(() => undefined);
  return { chat: chat ?? archived?.name ?? '', bot: bot ?? archived?.botName ?? '' };
}

/** When a group was created (Unix ms), if it was looked up and says so. Makes no request. */
export async function creationTimeOf(open: OpenService, { kind, id }: BotChat): Promise<number | undefined> {
  const service = await open().catch(() => undefined);
  const found = service?.directory.peek(kind, id);
  const seconds = found?.kind === 'group' ? found.resource.createTime : undefined;
  return seconds ? seconds * 1000 : undefined;
}

/** The chat, its bot and the senders of these items. */
export function participantsOf({ kind, id, botId }: BotChat, items: readonly TimelineItem[]): Reference[] {
  const senders = items.flatMap((item): Reference[] => {
    if (item.type !== 'entry' || !item.entry.readable) return [];
    const { senderId, senderType } = item.entry.message;
    return senderType === 'user' || senderType === 'bot' ? [{ kind: senderType, id: senderId }] : [];
  });
  return [{ kind, id }, { kind: 'bot', id: botId }, ...senders];
}
