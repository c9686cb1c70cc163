import * as v from 'valibot';
import type { Fact } from '../../../src/presentation/factParts.ts';
import { factsOf } from '../../../src/presentation/facts.ts';
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

/** In local time, as facts show it. */
export const NOW = new Date(2026, 4, 2, 12).getTime();
export const seconds = (year: number, month: number, day: number, hours = 0, minutes = 0) =>
  new Date(year, month, day, hours, minutes).getTime() / 1000;
export const MARCH = seconds(2024, 2, 12, 10, 3);
export const MARCH_SHOWN = 'Mar 12, 2024, 10:03 AM (2 years ago)';

/** English uses a narrow no-break space before AM and PM. */
export const spaced = (text: string) => text.replaceAll('\u202f', ' ');
export const shown = (facts: readonly Fact[]) => facts.map(({ label, value }) => [label, spaced(value)]);
export const all = (found: Found) => factsOf(found, NOW);
export const factOf = (found: Found, label: string) => all(found).find((fact) => fact.label === label);
export const factValue = (found: Found, label: string) => spaced(factOf(found, label)?.value ?? '(missing)');
export const childrenOf = (found: Found, label: string) => shown(factOf(found, label)?.children ?? []);

/** An empty review record and an empty bot (contract 2.2–2.4). */
export const NO_RECORD = {
  id: 0,
  chatId: '',
  chatType: 0,
  checkWay: '',
  reason: '',
  status: 0,
  createTime: 0,
  updateTime: 0,
  delFlag: 0,
};
export const NO_BOT = {
  id: 0,
  botId: '',
  nickname: '',
  nicknameId: 0,
  avatarId: 0,
  avatarUrl: '',
  token: '',
  link: '',
  introduction: '',
  createBy: '',
  createTime: 0,
  headcount: 0,
  private: 0,
  uri: '',
  checkChatInfoRecord: NO_RECORD,
};
export const RECORD = { ...NO_RECORD, id: 9042, chatId: 'big', chatType: 2, createTime: MARCH };
export const RELATION = {
  id: 8042,
  groupId: 'big',
  botId: '3048',
  delFlag: 0,
  createTime: MARCH,
  updateTsime: 0,
  bot: { ...NO_BOT, botId: '3048', nickname: 'Order Desk' },
};
