/** The keys of the `chat:` block, and what people write instead. */

export const BLOCK_KEYS = [
  'bot',
  'groups',
  'people',
  'audiences',
  'recipients',
  'kind',
  'where',
  'except',
  'type',
  'imageKey',
  'fileName',
  'fileUrl',
  'buttons',
  'follows',
] as const;
export type BlockKey = (typeof BLOCK_KEYS)[number];
export const isBlockKey = (key: string): key is BlockKey => BLOCK_KEYS.some((one) => one === key);

/** The keys that name chats: those of the block, and those of `except:`. */
export const CHATS_KEYS = ['groups', 'people', 'audiences', 'recipients', 'kind'] as const;

export const EFFECT_KEYS = ['opens', 'copies', 'reports'] as const;
/** The keys of a button. */
export const BUTTON_KEYS = ['text', ...EFFECT_KEYS] as const;
export type ButtonKey = (typeof BUTTON_KEYS)[number];
/** The contract's own keys for what a button does (2.8). They allow any action type. */
export const ACTION_KEYS = ['actionType', 'url', 'value'] as const;

/** `contentType` (contract 4.5). */
export const CONTENT_TYPES = ['markdown', 'text', 'html', 'image', 'file'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** What `kind` says of the recipients in a file. */
export const KINDS = ['person', 'group'] as const;

/** The keys that a type requires and no other type uses (contract 2.7). */
export const REQUIRED_KEYS = { image: ['imageKey'], file: ['fileName', 'fileUrl'] } as const;

/** For each key, type or kind, what people write instead. */
const SYNONYMS = [
  'groups: to chats receivers recvids groupids',
  'people: to chats receivers recvids users user person userids',
  'bot: from as sender botid token',
  'audiences: lists list',
  'recipients: csv table',
  'where: filter only if pick',
  'except: exclude excluding not without never exceptions',
  'type: contenttype format',
  'imageKey: image picture',
  'fileName: file',
  'fileUrl: file url link',
  'text: label title name caption plain plaintext txt',
  'opens: url link href open address',
  'copies: copy clipboard value',
  'reports: report send callback value',
  'actionType: action',
  'markdown: md',
  'image: picture photo img',
  'person: people persons users member members contacts 人 个人 用户 成员 联系人',
  'group: groups chat chats room rooms 群 群聊 群组',
].map((line) => line.split(/:? /));

/** The `known` words that an unknown one may stand for: its synonyms, or else the most similar one. */
export function suggestionsFor<Word extends string>(word: string, known: readonly Word[]): Word[] {
  const lower = word.toLowerCase();
  const synonyms = known.filter((one) => SYNONYMS.some(([key, ...words]) => key === one && words.includes(lower)));
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
