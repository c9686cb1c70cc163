import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { Mark } from '../../../../src/platform/store.ts';
import { Listed } from '../../../../src/service/message.ts';

/** The bot that reads. */
export const BOT = 'bot-7';

/**
 * A number is a message with that time; a negative one is the bot's own. A string is an unreadable entry. Where its text
 * matters, a message is itself.
 */
export type Name = number | string | Listed;

export function listed(name: Name): Listed {
  if (typeof name === 'object') return name;
  if (typeof name === 'string') return v.parse(Listed, { broken: name });
  return v.parse(Listed, { msgId: idOf(name), sendTime: Math.abs(name), senderId: name < 0 ? BOT : 'user-1' });
}

const idOf = (name: number) => `m${Math.abs(name)}`;
export const markOf = (name: number): Mark => ({ msgId: idOf(name), sendTime: Math.abs(name) });

/** A page as in the contract, newest first. The names are oldest first. */
export const pageOf = (...names: Name[]) => names.map(listed).toReversed();

/** The numbers of a range, both ends included. */
export const upTo = (to: number, from = 1) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** A message with these fields. */
export function message(fields: Record<string, unknown>): Listed {
  const entry = v.parse(Listed, fields);
  assert.ok(entry.readable);
  return entry;
}
