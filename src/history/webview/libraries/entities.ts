/** HTML's names of characters, for the Markdown parser: the browser knows them all, so that no table of them is packed. */

/** Where there is no browser, those of XML, which addresses need; see names.ts for the others. */
const KNOWN = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

const reader = globalThis.document?.createElement('textarea');

/** The character that `&name;` stands for; the same text where that is no name. */
export function decodeHTMLStrict(entity: string): string {
  if (!reader) return KNOWN.get(entity.slice(1, -1)) ?? entity;
  // The text of this element is never anything else.
  reader.innerHTML = entity;
  // HTML also reads the beginnings of names that need no semicolon: `&nothing;` as `¬hing;`.
  return reader.value.endsWith(';') && entity !== '&semi;' ? entity : reader.value;
}
