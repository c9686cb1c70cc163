import assert from 'node:assert/strict';
import type { Fact } from '../../../src/presentation/factParts.ts';
import { factsOf } from '../../../src/presentation/facts.ts';
import { bot, group, user } from './resources.ts';

describe('Every non-empty field', () => {
  /** All labels and values, at any depth. */
  const everything = (facts: readonly Fact[]): string[] =>
    facts.flatMap(({ label, value, children = [] }) => [label, value, ...everything(children)]);

  /** A distinct value for each field. */
  const named = (prefix: string, fields: readonly string[], numbers: readonly string[], from: number) => ({
    ...Object.fromEntries(fields.map((field) => [field, `${prefix}-${field}`])),
    ...Object.fromEntries(numbers.map((field, index) => [field, from + index])),
  });

  const record = (prefix: string, from: number) => ({
    ...named(prefix, ['chatId', 'checkWay', 'reason'], ['id', 'chatType', 'status'], from),
    createTime: 1e13 + from,
    updateTime: 2e13 + from,
  });
  const fullBot = (prefix: string, from: number) => ({
    ...named(
      prefix,
      ['botId', 'nickname', 'avatarUrl', 'link', 'introduction', 'createBy', 'uri'],
      ['id', 'nicknameId', 'avatarId', 'headcount', 'private'],
      from,
    ),
    createTime: 1e13 + from,
    checkChatInfoRecord: record(`${prefix}-record`, from + 10),
  });
  const relation = {
    ...named('relation', ['groupId', 'botId'], ['id'], 701),
    createTime: 3e13,
    updateTsime: 4e13,
    bot: fullBot('nested', 101),
  };
  const fullGroup = {
    ...named(
      'group',
      ['groupId', 'name', 'introduction', 'createBy', 'avatarUrl', 'category', 'uri'],
      ['id', 'avatarId', 'headcount', 'readHistory'],
      201,
    ),
    createTime: 5e13,
    groupBotRel: relation,
    checkChatInfoRecord: record('record', 211),
  };
  const fullUser = {
    ...named(
      'user',
      ['userId', 'nickname', 'avatarUrl', 'registerTimeText'],
      ['onLineDay', 'continuousOnLineDay', 'isVip'],
      301,
    ),
    registerTime: 6e13,
    medals: [named('medal', ['name', 'desc', 'imageUrl'], ['id', 'sort'], 401)],
  };
  const leaves = (value: unknown): string[] =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [String(value)];

  for (const [name, found, fields] of [
    ['group', group(fullGroup), fullGroup],
    ['bot', bot(fullBot('bot', 101)), fullBot('bot', 101)],
    ['user', user(fullUser), fullUser],
  ] as const) {
    it(`of a ${name} is shown, including nested ones`, () => {
      const shownText = everything(factsOf(found)).join('\n');
      assert.deepEqual(
        leaves(fields).filter((leaf) => !new RegExp(`(?<![\\w-])${leaf}(?![\\w-])`).test(shownText)),
        [],
      );
    });

    it(`of a ${name} has either a reference or children`, () => {
      const flat = (facts: readonly Fact[]): Fact[] => facts.flatMap((fact) => [fact, ...flat(fact.children ?? [])]);
      assert.deepEqual(
        flat(factsOf(found)).filter(({ reference, children }) => reference && children),
        [],
      );
    });
  }
});
