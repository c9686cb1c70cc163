/** What differs from chat to chat, and is the same each time. */

/** A deterministic 32-bit hash of integers. */
export function mix(...parts: readonly number[]): number {
  let hash = 0x2f6e2b1;
  for (const part of parts) {
    hash = Math.imul(hash ^ part, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

/** An integer from `low` to `high`, inclusive, derived from a hash. */
export function between(hash: number, low: number, high: number): number {
  return low + (hash % (high - low + 1));
}

const day = 86_400_000;
/** The end of all chats: midnight in UTC+8 after March 13, 2026. */
const end = Date.UTC(2026, 2, 13, 16);
const opening = 9 * 3_600_000;
const openHours = 11 * 3_600_000;
/** The most days that a chat covers. */
const maxDays = 300;

/** A turn in a scene. Both are numbered from 0, in a chat of `scenes` scenes and a scene of `turns` turns. */
export interface Moment {
  readonly scene: number;
  readonly scenes: number;
  readonly turn: number;
  readonly turns: number;
}

/**
 * The send time of a turn in Unix milliseconds. Scenes are distributed over the daytime hours (UTC+8) of as many days as
 * necessary, ending on the last day, and times increase from turn to turn. `seed` varies the times between chats.
 */
export function sendTime(seed: number, { scene, scenes, turn, turns }: Moment): number {
  const scenesPerDay = Math.max(4, Math.ceil(scenes / maxDays));
  // Counted from the end, so that the newest scene ends the last day.
  const scenesBack = scenes - 1 - scene;
  const daysBack = Math.floor(scenesBack / scenesPerDay);
  const slot = Math.floor(openHours / scenesPerDay);
  const slotStart = end - (daysBack + 1) * day + opening + (scenesPerDay - 1 - (scenesBack % scenesPerDay)) * slot;
  const gap = Math.min(Math.floor(slot / turns), 240_000);
  const sceneStart = slotStart + between(mix(seed, scene), 0, slot - gap * turns);
  return sceneStart + turn * gap + between(mix(seed, scene, turn), 0, gap - 1);
}
