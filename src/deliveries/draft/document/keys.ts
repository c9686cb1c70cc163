/**
 * The keys of the `chat:` block: how each is written, what it means, and what people write instead. Reading, completion, hovers and
 * problems follow from these tables: a new key is a row, and one of {@link RULE_ROWS} is read, too.
 */
import { l10n, type ShownText } from '../../../presentation/shown.ts';

export interface KeyRow {
  /** The form of its value: a list, keys, or rows of buttons. If missing, it's one text. */
  readonly shape?: 'list' | 'map' | 'buttons';
  /** What its value, or an item of its list, is chosen from. */
  readonly offers?: 'bot' | 'group' | 'user' | 'audience' | 'file' | 'kind' | 'type' | 'cell';
  /** What the key means, in one sentence. */
  readonly help: () => ShownText;
  /** What people write instead, with blanks between. */
  readonly synonyms?: string;
}
type KeyRows = Readonly<Record<string, KeyRow>>;

/** The keys that name chats: those of the block, and those of each rule. */
const CHATS = {
  groups: {
    shape: 'list',
    offers: 'group',
    help: () => l10n.t('The IDs of the groups that receive the message.'),
    synonyms: 'to chats receivers recvids groupids',
  },
  people: {
    shape: 'list',
    offers: 'user',
    help: () => l10n.t('The IDs of the people who receive the message.'),
    synonyms: 'to chats receivers recvids users user person userids',
  },
  audiences: {
    shape: 'list',
    offers: 'audience',
    help: () => l10n.t('The names of audiences in your settings. Everyone in them receives the message.'),
    synonyms: 'lists list',
  },
  recipients: {
    offers: 'file',
    help: () =>
      l10n.t('A CSV file with an id column, beside this document. Its other columns are variables, such as {{name}}.'),
    synonyms: 'csv table',
  },
  kind: {
    offers: 'kind',
    help: () => l10n.t('Whether the IDs in the file are those of people (person) or of groups (group).'),
  },
} satisfies KeyRows;
export type ChatsKey = keyof typeof CHATS;

interface RuleRow extends KeyRow {
  readonly shape: 'map';
  /** What each key below the rule means. */
  readonly below: Readonly<Record<ChatsKey, () => string>>;
}

/** The rules that name chats. Each has the same keys below it. */
const RULE_ROWS = {
  except: {
    shape: 'map',
    help: () =>
      l10n.t('Groups, people, audiences, and a CSV file of those who get nothing, even if they are named above.'),
    synonyms: 'exclude excluding not without never exceptions',
    below: {
      groups: () => l10n.t('The IDs of groups that get nothing.'),
      people: () => l10n.t('The IDs of people who get nothing.'),
      audiences: () => l10n.t('The names of audiences in your settings. Nobody in them gets anything.'),
      recipients: () => l10n.t('A CSV file with an id column, beside this document. Nobody in it gets anything.'),
      kind: CHATS.kind.help,
    },
  },
} satisfies Record<string, RuleRow>;
export type ChatsRule = keyof typeof RULE_ROWS;

export const EFFECT_KEYS = ['opens', 'copies', 'reports'] as const;
/** The keys of a button. */
export const BUTTON_KEYS = ['text', ...EFFECT_KEYS] as const;
/** The contract's own keys for what a button does (2.8). They allow any action type. */
export const ACTION_KEYS = ['actionType', 'url', 'value'] as const;

const BUTTON: Readonly<Record<(typeof BUTTON_KEYS)[number], KeyRow>> = {
  text: { help: () => l10n.t('The label on the button.'), synonyms: 'label title name caption plain plaintext txt' },
  opens: { help: () => l10n.t('The URL that the button opens.'), synonyms: 'url link href open address' },
  copies: { help: () => l10n.t('The text that the button copies to the clipboard.'), synonyms: 'copy clipboard value' },
  reports: {
    help: () => l10n.t('The value that the bot receives when someone clicks the button.'),
    synonyms: 'report send callback value',
  },
};

/** The keys of the block, in the order in which they're offered. */
const BLOCK = {
  bot: {
    offers: 'bot',
    help: () => l10n.t('The ID of the bot that sends the message.'),
    synonyms: 'from as sender botid token',
  },
  ...CHATS,
  where: {
    shape: 'map',
    help: () =>
      l10n.t(
        'Picks rows of the CSV file by their columns: a value, a list of values, or present for any value. All lines must hold, and nothing below not:.',
      ),
    synonyms: 'filter only if pick',
  },
  ...RULE_ROWS,
  type: {
    offers: 'type',
    help: () => l10n.t('The type of content: markdown (default), text, html, image, or file.'),
    synonyms: 'contenttype format',
  },
  imageKey: { help: () => l10n.t('The key that the service gave the uploaded image.'), synonyms: 'image picture' },
  fileName: { help: () => l10n.t('The file name that recipients see.'), synonyms: 'file' },
  fileUrl: { help: () => l10n.t('The URL that the file is downloaded from.'), synonyms: 'file url link' },
  buttons: { shape: 'buttons', help: () => l10n.t('Rows of buttons below the message.') },
  follows: {
    help: () => l10n.t('The ID of the delivery that this message reminds of. Their reports link to each other.'),
  },
} satisfies KeyRows;
export type BlockKey = keyof typeof BLOCK;

const keysOf = <Key extends string>(rows: Readonly<Record<Key, KeyRow>>) => Object.keys(rows) as Key[];
export const BLOCK_KEYS = keysOf(BLOCK);
export const CHATS_KEYS = keysOf(CHATS);
export const CHATS_RULES = keysOf(RULE_ROWS);

/** Makes something for each rule. */
export const byRule = <T>(of: (rule: ChatsRule) => T) =>
  Object.fromEntries(CHATS_RULES.map((rule) => [rule, of(rule)])) as Record<ChatsRule, T>;

export const isBlockKey = (key: string): key is BlockKey => Object.hasOwn(BLOCK, key);
export const isChatsRule = (key: string): key is ChatsRule => Object.hasOwn(RULE_ROWS, key);
/** Whether a key says who of the recipients gets the message. */
export const isRule = (key: string): key is ChatsRule | 'where' => key === 'where' || isChatsRule(key);

/** The keys in each map, as far as they're known: those of `where` and of `not`, which is below it, are also columns. */
export const MAPS: Readonly<Record<'chat' | 'buttons' | 'where' | 'not' | ChatsRule, KeyRows>> = {
  chat: BLOCK,
  buttons: BUTTON,
  where: { not: { shape: 'map', help: () => l10n.t('What must not hold for a row that is picked.') } },
  not: {},
  ...byRule((rule): KeyRows => {
    const { below } = RULE_ROWS[rule];
    return Object.fromEntries(CHATS_KEYS.map((key) => [key, { ...CHATS[key], help: below[key] }]));
  }),
};
export type MapName = keyof typeof MAPS;

export function rowOf(map: MapName, key: string): KeyRow | undefined {
  const rows = MAPS[map];
  return Object.hasOwn(rows, key) ? rows[key] : undefined;
}

/** `contentType` (contract 4.5). */
export const CONTENT_TYPES = ['markdown', 'text', 'html', 'image', 'file'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** What `kind` says of the recipients in a file. */
export const KINDS = ['person', 'group'] as const;

/** The keys that a type requires and no other type uses (contract 2.7). */
export const REQUIRED_KEYS = { image: ['imageKey'], file: ['fileName', 'fileUrl'] } as const;

/** For each key, type or kind, what people write instead. */
const SYNONYMS = new Map<string, string | undefined>([
  ...Object.entries<KeyRow>({ ...BLOCK, ...BUTTON }).map(([key, { synonyms }]) => [key, synonyms] as const),
  ['actionType', 'action'],
  ['markdown', 'md'],
  ['image', 'picture photo img'],
  ['person', 'people persons users member members contacts 人 个人 用户 成员 联系人'],
  ['group', 'groups chat chats room rooms 群 群聊 群组'],
]);

/** The `known` words that an unknown one may stand for: its synonyms, or else the most similar one. */
export function suggestionsFor<Word extends string>(word: string, known: readonly Word[]): Word[] {
  const lower = word.toLowerCase();
  const synonyms = known.filter((one) => SYNONYMS.get(one)?.split(' ').includes(lower));
  if (synonyms.length > 0) return synonyms;
  const similar = known
    .map((one) => ({ one, distance: editDistance(lower, one.toLowerCase()) }))
    .filter(({ one, distance }) => distance <= (isLong(lower, one) || isReordered(lower, one) ? 2 : 1));
  return similar
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 1)
    .map(({ one }) => one);
}

/** Two other letters make almost any short word of any other. */
const isLong = (...words: string[]) => words.every((word) => word.length > 4);
const isReordered = (a: string, b: string) => sorted(a) === sorted(b.toLowerCase());
const sorted = (word: string) => [...word].toSorted().join('');

/** Levenshtein distance; infinite if the lengths differ by more than two. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, character] of [...a].entries()) {
    const above = row;
    row = [i + 1];
    for (let j = 1; j <= b.length; j++) {
      const [left = 0, up = 0, corner = 0] = [row[j - 1], above[j], above[j - 1]];
      row.push(Math.min(left + 1, up + 1, corner + (character === b[j - 1] ? 0 : 1)));
    }
  }
  return row.at(-1) ?? 0;
}
