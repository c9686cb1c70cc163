import * as v from 'valibot';
import { Bot, type Found, Group, User } from '../../../src/service/model.ts';

/** Lookup results with these fields; the ID is preset. */
export const group = (fields: object): Found => ({
  kind: 'group',
  resource: v.parse(Group, { groupId: 'big', ...fields }),
  raw: {},
});
export const bot = (fields: object): Found => ({
  kind: 'bot',
  resource: v.parse(Bot, { botId: '3048', ...fields }),
  raw: {},
});
export const user = (fields: object): Found => ({
  kind: 'user',
  resource: v.parse(User, { userId: '7', ...fields }),
  raw: {},
});
