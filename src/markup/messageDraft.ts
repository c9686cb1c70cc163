/** Creates drafts: Markdown ready to send, whose front matter names the bot, the recipients and the buttons. */
import type { Button, Listed } from '../service/message.ts';
import type { Chat } from '../service/model.ts';
import { truncate } from '../service/truncate.ts';
import { escapeProse, escapeVariables } from './markdownVariables.ts';
import { buttonAddress } from './messageContent.ts';
import { contentMarkdown } from './messageFormats.ts';

/** Who sends a draft, and who receives it. */
export interface DraftAddress {
  botId?: string | undefined;
  /** The chats, with their names if known. */
  chats: readonly (Chat & { name?: string | undefined })[];
  /** A file of more recipients beside the draft, and `person` unless the file says what they are. */
  file?: { name: string; kind?: 'person' | undefined };
  /** The delivery that the draft reminds of, by its ID, and its text, for a comment that begins with a note. */
  follows?: { delivery: string; text: string; note: string };
}

/**
 * The content of a message, without its quotation, as Markdown. YAML front matter holds the address and the rows of
 * buttons, if any: `text` with `opens`, `copies` or `reports` (contract 2.8). Undocumented action types are kept
 * unchanged.
 */
export function toDraft(entry: Listed, address: DraftAddress = { chats: [] }): string {
  const rows = entry.readable ? (entry.message.content.buttons ?? []) : [];
  const block = addressLines(address) + buttonLines(rows.map((row) => row.map(withoutVariables)));
  const text = escapeProse(contentMarkdown(entry));
  if (block) return `---\nchat:\n${block}---\n\n${text}`;
  // Without front matter of its own, a leading rule would start one.
  return /^\uFEFF?---/.test(text) ? `---\n---\n\n${text}` : text;
}

/** A draft without content, to be written, with a comment in its block, if given. */
export const emptyDraft = (address: DraftAddress, comment = '') =>
  `---\nchat:\n${addressLines(address)}${comment}---\n\n`;

/** A comment that shows how a button is written, with a note that says what it is. */
export const buttonComment = (label: string, note: string) =>
  `  # buttons: [{text: ${label}, opens: "https://example.com"}] # ${note}\n`;

/**
 * A draft to be filled in, as a snippet of VS Code. What is left empty in its block isn't wrong. Comments show a file of
 * recipients, with a note that says what it is, and a button.
 */
export function draftSnippet(botId: string | undefined, fileNote: string, button: string): string {
  const escaped = (text: string) => text.replace(/[$}\\]/g, '\\$&');
  const bot = botId === undefined ? '' : `  bot: ${escaped(yaml(botId))}\n`;
  const file = `  # recipients: people.csv # ${fileNote}\n  # kind: person\n`;
  return `---\nchat:\n${bot}  groups: [$1]\n  people: [$2]\n${escaped(file + button)}---\n\n$0`;
}

/** The content of a draft, without its address. */
export interface DraftContent {
  readonly body: string;
  readonly type?: 'markdown' | 'text' | 'html' | undefined;
  /** Names of audiences. */
  readonly audiences: readonly string[];
  readonly buttons: readonly (readonly Button[])[];
}

/** A draft with this content. It always has a `chat:` block, so that no body can pass for one. */
export function composeDraft({ body, type, audiences, buttons }: DraftContent, address: DraftAddress): string {
  const typeLine = type === undefined ? '' : `  type: ${type}\n`;
  const names = audiences.map((name) => `    - ${yaml(name)}\n`);
  const audienceLines = names.length > 0 ? `  audiences:\n${names.join('')}` : '';
  return `---\nchat:\n${typeLine}${addressLines(address)}${audienceLines}${buttonLines(buttons)}---\n\n${body}`;
}

const withoutVariables = ({ text, url, value, ...button }: Button): Button => ({
  ...button,
  text: escapeVariables(text),
  url: escapeVariables(url),
  value: escapeVariables(value),
});

function buttonLines(rows: readonly (readonly Button[])[]): string {
  return rows.length > 0 ? `  buttons:\n${rows.map(rowOf).join('')}` : '';
}

function addressLines({ botId, chats, file, follows }: DraftAddress): string {
  const listOf = (kind: Chat['kind'], key: string) => {
    const items = chats
      .filter((chat) => chat.kind === kind)
      .map(({ id, name }) => `    - ${yaml(id)}${nameComment(name)}\n`);
    return items.length > 0 ? `  ${key}:\n${items.join('')}` : '';
  };
  const bot = botId === undefined ? '' : `  bot: ${yaml(botId)}\n`;
  const kind = file?.kind ? `  kind: ${file.kind}\n` : '';
  const fileLines = file ? `  recipients: ${yaml(file.name)}\n${kind}` : '';
  const followLines = follows
    ? `  # ${follows.note}\n${commentOf(follows.text)}  follows: ${yaml(follows.delivery)}\n`
    : '';
  return `${followLines}${bot}${listOf('group', 'groups')}${listOf('user', 'people')}${fileLines}`;
}

/** How many lines of a text a comment has. */
const MAX_LINES = 30;
/** How much of a line (UTF-16 units). */
const MAX_COLUMNS = 200;

/** A text as a comment of YAML, as a quotation. */
function commentOf(text: string): string {
  const lines = text.trim().split(/\r\n|[\n\r]/);
  const shown = lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), '…'] : lines;
  return shown.map((line) => `${`  # > ${truncate(inComment(line), MAX_COLUMNS)}`.trimEnd()}\n`).join('');
}

const inComment = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');

/** A name as a comment of YAML, if there is one. It can't end its line. */
export const nameComment = (name: string | undefined) => (name ? ` # ${inComment(name)}` : '');

function rowOf(row: readonly Button[]): string {
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
