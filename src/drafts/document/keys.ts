/** The words of the `chat:` block, and what people write in their place. */

export const BLOCK_KEYS = [
  'bot',
  'groups',
  'people',
  'audiences',
  'type',
  'imageKey',
  'fileName',
  'fileUrl',
  'buttons',
] as const;
export type BlockKey = (typeof BLOCK_KEYS)[number];

export const EFFECT_KEYS = ['opens', 'copies', 'reports'] as const;
/** What a button of one's own is made of. */
export const BUTTON_KEYS = ['text', ...EFFECT_KEYS] as const;
export type ButtonKey = (typeof BUTTON_KEYS)[number];
/** The contract's own words for what a button does (2.8), for action types of every kind. */
export const ACTION_KEYS = ['actionType', 'url', 'value'] as const;

/** `contentType` (contract 4.5). */
export const CONTENT_TYPES = ['markdown', 'text', 'html', 'image', 'file'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** The keys that a type needs and no other one has (contract 2.7). */
export const REQUIRED_KEYS = { image: ['imageKey'], file: ['fileName', 'fileUrl'] } as const;

/** What people write, and what they mean by it in the block, in a button or as a type. */
const SYNONYMS = [
  'groups: to recipients chats receivers recvids groupids',
  'people: to recipients chats receivers recvids users user person userids',
  'bot: from as sender botid token',
  'audiences: lists list',
  'type: contenttype kind format',
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
].map((line) => line.split(/:? /));

/** The words among `known` that somebody may mean by another one: those of the same meaning, else the nearest. */
export function suggestionsFor<Word extends string>(word: string, known: readonly Word[]): Word[] {
  const lower = word.toLowerCase();
  const same = known.filter((one) => SYNONYMS.some(([meant, ...others]) => meant === one && others.includes(lower)));
  if (same.length > 0) return same;
  const near = known
    .map((one) => ({ one, distance: editDistance(lower, one.toLowerCase()) }))
    .filter(({ one, distance }) => distance <= (one.length > 3 ? 2 : 1));
  return near
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 1)
    .map(({ one }) => one);
}

/** How many characters are to be put in, left out or replaced; words of very different lengths are just far. */
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
