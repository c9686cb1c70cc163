/** Finds recipients by a part of a name or an ID. */
import { fold } from '../../../markup/caseFolding.ts';
import { type Clock, systemClock } from '../../../service/clock.ts';
import type { Chat } from '../../../service/model.ts';
import { TimeSlices } from '../../../service/timeSlices.ts';

/** How many are offered at once. */
const MAX_FOUND = 20;

export interface FoundRecipients {
  readonly chats: readonly Chat[];
  readonly hasMore: boolean;
}

/**
 * The recipients whose name or ID contains a text: first those with this ID, then those whose name or ID begins with it.
 * Searches in time slices. Rejects with a ServiceError if the signal has been aborted.
 */
export async function findRecipients(
  chats: readonly Chat[],
  text: string,
  nameOf: (chat: Chat) => string,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<FoundRecipients> {
  const wanted = fold(text.trim());
  if (!wanted) return { chats: [], hasMore: false };
  const [same, beginning, containing]: [Chat[], Chat[], Chat[]] = [[], [], []];
  await new TimeSlices(signal, clock).each(chats, (chat) => {
    const [id, name] = [fold(chat.id), fold(nameOf(chat))];
    const rank = id === wanted ? same : id.startsWith(wanted) || name.startsWith(wanted) ? beginning : containing;
    // One more tells whether there are more.
    if (rank.length <= MAX_FOUND && (id.includes(wanted) || name.includes(wanted))) rank.push(chat);
  });
  const found = [...same, ...beginning, ...containing];
  return { chats: found.slice(0, MAX_FOUND), hasMore: found.length > MAX_FOUND };
}
