import { notes, orders, pages, weather } from './botChats.ts';
import { film, games, hiking } from './groups.ts';
import { reading } from './reading.ts';
import { release } from './release.ts';
import type { Scene } from './scene.ts';
import { shop } from './shop.ts';
import { town } from './town.ts';

/** The scenes of a chat, its people (indexes of users), and its initial number of messages. */
export interface Script {
  readonly scenes: readonly Scene[];
  readonly people: readonly number[];
  readonly length: number;
}

/** The scripts of the groups, in order. The length of the first is an option of the sandbox. */
export const groupScripts: readonly Script[] = [
  { scenes: shop, people: [0, 2, 3, 4, 6, 8], length: 480 },
  { scenes: town, people: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], length: 760 },
  { scenes: reading, people: [1, 3, 5, 7, 9], length: 240 },
  { scenes: games, people: [2, 4, 8, 10], length: 36 },
  { scenes: hiking, people: [1, 3, 5, 9], length: 120 },
  { scenes: release, people: [0, 4, 6, 10], length: 64 },
  { scenes: film, people: [3, 7, 9], length: 3 },
];

/** The scenes between a user and each bot, in the bots' order. */
export const botScenes: readonly (readonly Scene[])[] = [orders, pages, weather, notes];
