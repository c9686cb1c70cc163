import { between, mix } from './mix.ts';

const day = 86_400_000;
/** Where the chats of the sandbox end: midnight in UTC+8 after 13 March 2026. */
const end = Date.UTC(2026, 2, 13, 16);
const opening = 9 * 3_600_000;
const openHours = 11 * 3_600_000;
/** However long a chat is, it takes no more days than this. */
const days = 300;

/** A turn of a scene, both counted from 0 in a chat of `scenes` scenes and in a scene of `turns` turns. */
export interface Moment {
  readonly scene: number;
  readonly scenes: number;
  readonly turn: number;
  readonly turns: number;
}

/**
 * The send time of a moment in Unix milliseconds. Scenes are spread over the waking hours (UTC+8) of as many days as
 * they need, the newest on the last day; times rise from turn to turn. `seed` makes one chat's times unlike another's.
 */
export function sendTime(seed: number, { scene, scenes, turn, turns }: Moment): number {
  const scenesADay = Math.max(4, Math.ceil(scenes / days));
  // Counted from the end, so that the newest scene is the last of the last day.
  const back = scenes - 1 - scene;
  const daysBack = Math.floor(back / scenesADay);
  const slot = Math.floor(openHours / scenesADay);
  const slotStart = end - (daysBack + 1) * day + opening + (scenesADay - 1 - (back % scenesADay)) * slot;
  const gap = Math.min(Math.floor(slot / turns), 240_000);
  const sceneStart = slotStart + between(mix(seed, scene), 0, slot - gap * turns);
  return sceneStart + turn * gap + between(mix(seed, scene, turn), 0, gap - 1);
}
