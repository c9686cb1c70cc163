/** Turns a message into a draft: Markdown ready to send, with its buttons as front matter. */
import type { Button, Listed } from '../service/message.ts';
import { buttonAddress } from './messageContent.ts';
import { contentMarkdown } from './messageFormats.ts';

/**
 * The content of a message, without its quotation, as Markdown. YAML front matter holds the rows of buttons, if any:
 * `text` with `opens`, `copies` or `reports` (contract 2.8). Undocumented action types are kept unchanged.
 */
export function toDraft(entry: Listed): string {
  const rows = entry.readable ? (entry.message.content.buttons ?? []) : [];
  const text = contentMarkdown(entry);
  if (rows.length > 0) return `---\nchat:\n  buttons:\n${rows.map(rowOf).join('')}---\n\n${text}`;
  // Otherwise a leading rule would start front matter.
  return /^\uFEFF?---/.test(text) ? `---\n---\n\n${text}` : text;
}

function rowOf(row: Button[]): string {
  return row.map((button, index) => itemOf(button, index === 0)).join('');
}

function itemOf(button: Button, isFirst: boolean): string {
  const [first = '', ...others] = Object.entries(fieldsOf(button)).map(([name, value]) => `${name}: ${yaml(value)}\n`);
  return [`${isFirst ? '    - - ' : '      - '}${first}`, ...others.map((line) => `        ${line}`)].join('');
}

function fieldsOf(button: Button): Record<string, string | number> {
  const { text, actionType, url, value } = button;
  switch (actionType) {
    case 1:
      return { text, opens: buttonAddress(button) };
    case 2:
      return { text, copies: value };
    case 3:
      return { text, reports: value };
    default:
      return { text, ...(actionType !== undefined && { actionType }), ...(url && { url }), ...(value && { value }) };
  }
}

/** JSON is valid YAML, except for some characters. Invisible characters are escaped as well. */
function yaml(value: string | number): string {
  return JSON.stringify(value).replace(
    /[\u007F-\u009F\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFFE\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
