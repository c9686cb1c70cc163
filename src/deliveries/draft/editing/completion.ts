/** Completion inside the `chat:` block, and of emoji codes in the message. */
import { CompletionItemKind, FileType, Range, SnippetString, Uri, workspace } from 'vscode';
import { EMOJI_NAMES } from '../../../markup/emojiCodes.ts';
import { escapeAllInvisible, escapeInvisible } from '../../../markup/escapeInvisible.ts';
import { nameComment } from '../../../markup/messageDraft.ts';
import type { Host } from '../../../platform/host.ts';
import { ownName, singleLineName } from '../../../presentation/describe.ts';
import { formatCount } from '../../../presentation/formats.ts';
import { l10n, Suggestion } from '../../../presentation/shown.ts';
import type { Kind } from '../../../service/model.ts';
import { type BlockLocation, blockLocationAt } from '../document/blockLocation.ts';
import type { ChatBlock } from '../document/chatBlock.ts';
import { findFrontMatter } from '../document/frontMatter.ts';
import { CONTENT_TYPES, EFFECT_KEYS, isChatsRule, type KeyRow, KINDS, MAPS, rowOf } from '../document/keys.ts';
import type { TextRange } from '../document/problem.ts';
import { NOT, PRESENT } from '../document/where.ts';
import { toYaml } from '../document/yamlFields.ts';
import { comparable } from '../recipients/pickedRows.ts';
import type { RecipientTable } from '../recipients/recipientTable.ts';
import type { Asked } from './keySuggestions.ts';

type KeyLocation = Extract<BlockLocation, { in: 'key' }>;

/** The icons of bots, groups and people. VS Code has none of its own for these here, so similar ones stand for them. */
const ICONS = { bot: CompletionItemKind.Event, group: CompletionItemKind.Class, user: CompletionItemKind.User };
const NO_CHATS: Pick<ChatBlock, 'audiences' | 'recipients'> = { audiences: [], recipients: [] };
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/**
 * A whole button: Enter alone wouldn't indent its lines far enough. The effect of the button is suggested at the end:
 * choices of a snippet couldn't say what they mean.
 */
const BUTTON_SNIPPET = '\n  - - text: $1\n      ';
/** What follows a key if its value has lines of its own. */
const SUFFIXES = { list: '\n  - ', map: '\n  ', buttons: BUTTON_SNIPPET };
/** A key of `where:` or `not:` that is the name of a column. */
const COLUMN: KeyRow = { offers: 'cell', help: () => l10n.t('A column of the recipient file.') };
const TRIGGER_SUGGEST = { command: 'editor.action.triggerSuggest', title: '' };
/** Saves the active editor, and asks where if its document has no file. */
export const SAVE = { command: 'workbench.action.files.save', title: '' };

/**
 * Keys, types, IDs by name, and names of audiences, without those that `draft` has already; emoji codes outside the block.
 * Makes no request.
 */
export async function completionItems(
  asked: Asked,
  host: Pick<Host, 'audiences' | 'connection' | 'lists'>,
  draft: Pick<ChatBlock, 'audiences' | 'recipients' | 'namedBy'>,
  table?: RecipientTable,
): Promise<Suggestion[] | undefined> {
  const { text, offset, position, line } = asked;
  const location = blockLocationAt(text, offset);
  if (!location) return emojiItems(asked);
  const { start, end } = location.word;
  // A word doesn't go over the end of its line.
  const range = new Range(position.translate(0, start - offset), position.translate(0, end - offset));
  if (location.in === 'key') return keyItems(location, line, range, table);
  // YAML takes a word for a key only if a blank follows its colon.
  const blank = text.charAt(start - 1) === ':' ? ' ' : '';
  const { key, of } = location;
  const before = line.slice(0, range.start.character).trimEnd();
  const row = rowOf(of, key) ?? (of === 'where' || of === 'not' ? COLUMN : undefined);
  const needsBrackets = row?.shape === 'list' && before.endsWith(':');
  // VS Code ranks by how much of the range matches: with the character before the value, an item matches more than a snippet
  // that begins alike.
  const lead = before === '' ? '' : line.slice(before.length - 1, range.start.character);
  const whole = new Range(range.start.translate(0, -lead.length), range.end);
  const typed = text.slice(start, end);
  const [quote = ''] = /^["']/.exec(typed) ?? [];
  const value = (label: string, kind: CompletionItemKind, id = label) => {
    const item = new Suggestion(
      { label: singleLineName(label), description: id === label ? '' : singleLineName(id) },
      kind,
    );
    item.insertText = lead + blank + (needsBrackets ? `[${toYaml(id)}]` : toYaml(id));
    item.filterText = lead.trimStart() + quote + fromWord(`${label} ${id}`, text.slice(start + quote.length, offset));
    item.range = whole;
    return item;
  };
  if (!row?.offers) return undefined;
  const named = isChatsRule(of) ? (draft.namedBy[of] ?? NO_CHATS) : draft;
  // A chat that is just being typed doesn't count as named.
  const isElsewhere = ({ start, end }: TextRange) => offset < start || offset > end;
  switch (row.offers) {
    case 'cell':
      return valueItems(key, table, value);
    case 'type':
      return CONTENT_TYPES.map((type) => value(type, CompletionItemKind.EnumMember));
    case 'kind':
      return KINDS.map((kind) => value(kind, CompletionItemKind.EnumMember));
    case 'file':
      if (asked.isUntitled) return [saveItem(typed, range)];
      return (await filesBeside(asked.uri)).map((name) => value(name, CompletionItemKind.File));
    case 'audience': {
      const chosen = new Set(named.audiences.filter(isElsewhere).map(({ name }) => name));
      const names = host.audiences.names().filter((name) => !chosen.has(name));
      return names.map((name) => value(name, CompletionItemKind.Reference));
    }
    default: {
      const kind = row.offers;
      const recipients = named.recipients.filter((one) => one.kind === kind && isElsewhere(one));
      const chosen = new Set(recipients.map(({ id }) => id));
      const isWholeItem = /^\s*-\s/.test(line) && line.slice(range.end.character).trim() === '';
      return [...(await knownNames(kind, host))].flatMap(([id, { names, own }]) => {
        if (chosen.has(id)) return [];
        const item = value(names || id, ICONS[kind], id);
        if (isWholeItem) item.insertText += nameComment(own);
        return [item];
      });
    }
  }
}

/** Puts the part of a text first that begins with what was typed, if a word begins there. */
function fromWord(text: string, typed: string): string {
  const starts = typed ? text.matchAll(WORD) : [];
  const found = [...starts].find(({ index }) => text.slice(index).toLowerCase().startsWith(typed.toLowerCase()));
  return found?.index ? `${text.slice(found.index)} ${text}` : text;
}

/** Offers to save a document that has no place yet, so that files can't be looked for. `typed` stays as it is. */
function saveItem(typed: string, range: Range): Suggestion {
  const item = new Suggestion(l10n.t('Save this document to choose a CSV file beside it…'), CompletionItemKind.File);
  item.insertText = typed;
  item.filterText = typed;
  item.range = range;
  item.command = SAVE;
  return item;
}

/** The emoji codes, where one begins in the message of a draft. */
function emojiItems({ text, offset, position, line }: Asked): Suggestion[] | undefined {
  const typed = /\[\.[^\s[\]]{0,20}$/.exec(line.slice(0, position.character))?.[0];
  if (typed === undefined || !isInMessage(text, offset)) return undefined;
  // VS Code closes a bracket as it's typed.
  const end = position.character + (line.charAt(position.character) === ']' ? 1 : 0);
  const range = new Range(position.line, position.character - typed.length, position.line, end);
  return EMOJI_NAMES.map(([name, emoji]) => {
    const code = `[.${name}]`;
    const item = new Suggestion(
      { label: escapeInvisible(code), detail: escapeInvisible(` ${emoji}`) },
      CompletionItemKind.Text,
    );
    item.insertText = code;
    item.filterText = code;
    item.range = range;
    return item;
  });
}

/** Whether an offset is below a `chat:` block. */
function isInMessage(text: string, offset: number): boolean {
  const front = findFrontMatter(text);
  if (!front?.isClosed || offset < front.yaml.end) return false;
  return /^["']?chat["']?[ \t]*:/m.test(text.slice(front.yaml.start, front.yaml.end));
}

/** Whether any item begins with a typed letter; without a letter, whether there are items. */
export const isOffered = (letter: string, items: readonly Suggestion[]) =>
  items.some(({ filterText = '' }) => {
    const words = filterText.toLowerCase().match(WORD) ?? [];
    return words.some((word) => word.startsWith(letter.toLowerCase()));
  });

function keysAt({ of, siblings }: KeyLocation, table: RecipientTable | undefined): [string, KeyRow][] {
  const rows = Object.entries(MAPS[of]);
  switch (of) {
    case 'chat':
      // Nobody knows the ID of a delivery: the page of replies writes `follows`.
      return rows.filter(([key]) => key !== 'follows');
    case 'where':
    case 'not': {
      const columns = (table?.columns ?? []).filter((column) => column && column !== NOT);
      return [...columns.map((column): [string, KeyRow] => [column, COLUMN]), ...rows];
    }
    case 'buttons': {
      const hasEffect = EFFECT_KEYS.some((effect) => siblings.has(effect)) || siblings.has('actionType');
      return rows.filter(([key]) => key === 'text' || !hasEffect);
    }
    default:
      return rows;
  }
}

/** How many values of a column are offered. */
const MAX_VALUES = 200;

/** The values that a column of the file has, with the number of their rows, and that it has any. */
function valueItems(
  column: string,
  table: RecipientTable | undefined,
  item: (label: string, kind: CompletionItemKind) => Suggestion,
): Suggestion[] {
  const at = table?.columns.indexOf(column) ?? -1;
  const counts = new Map<string, number>();
  for (const { cells } of at < 0 ? [] : (table?.rows.values() ?? [])) {
    const cell = comparable(cells[at] ?? '');
    if (cell && (counts.has(cell) || counts.size < MAX_VALUES)) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  const items = [...counts].map(([text, count]) => {
    const one = item(text, CompletionItemKind.Value);
    // Without quotation marks, the word would stand for any value.
    if (text === PRESENT) one.insertText = String(one.insertText).replace(PRESENT, JSON.stringify);
    one.detail = count === 1 ? l10n.t('1 row') : l10n.t('{0} rows', formatCount(count));
    return one;
  });
  const present = item(PRESENT, CompletionItemKind.Keyword);
  present.detail = l10n.t('Any value');
  return [...items, present];
}

/** Keys that are not used yet, each in the column where it's valid: its line may be indented otherwise. */
function keyItems(location: KeyLocation, line: string, word: Range, table: RecipientTable | undefined): Suggestion[] {
  const { lead } = location;
  const range = lead === undefined ? word : new Range(word.start.with({ character: 0 }), word.end);
  // VS Code compares the filter text with the text in the range, without the blanks before it.
  const typed = line.slice(range.start.character, word.start.character).trimStart();
  const unused = keysAt(location, table).filter(([key]) => !location.siblings.has(key));
  return unused.map(([key, row], index) => {
    const item = new Suggestion(
      escapeAllInvisible(key),
      row === COLUMN ? CompletionItemKind.Field : CompletionItemKind.Property,
    );
    const name = escapeSnippet(toYaml(key));
    const suffix = (row.shape ? SUFFIXES[row.shape] : ' ').replaceAll('\n', `\n${lead}`);
    item.insertText = new SnippetString(lead === undefined ? name : `${lead}${name}:${suffix}$0`);
    // Without this, VS Code would indent by tabs in documents that do.
    item.keepWhitespace = true;
    item.filterText = typed + key;
    item.detail = row.help();
    item.range = range;
    item.sortText = String(index);
    // Suggestions follow for the value of the key, or for the keys below it.
    if (row.offers || row.shape === 'map') item.command = TRIGGER_SUGGEST;
    return item;
  });
}

const escapeSnippet = (text: string) => text.replace(/[\\$}]/g, '\\$&');

/** The CSV files in the folder of a document. */
async function filesBeside(uri: Uri): Promise<string[]> {
  const entries = await workspace.fs.readDirectory(Uri.joinPath(uri, '..')).then(undefined, () => []);
  return entries.flatMap(([name, type]) =>
    (type & FileType.File) !== 0 && /\.(?:csv|tsv)$/i.test(name) ? [name] : [],
  );
}

/** For each known ID of a kind: all its names, to search by, and the service's own, to write. */
async function knownNames(
  kind: Kind,
  { connection, lists }: Pick<Host, 'connection' | 'lists'>,
): Promise<Map<string, { names: string; own?: string }>> {
  const service = (await connection.state()) === 'none' ? undefined : await connection.open().catch(() => undefined);
  const all = new Map<string, { names: string; own?: string }>();
  for (const { id, label } of lists.read(kind, service ?? {}).entries) all.set(id, { names: label ?? '' });
  for (const { id, found } of service?.directory.entries() ?? []) {
    const own = ownName(found);
    if (found.kind === kind) all.set(id, { names: [all.get(id)?.names, own].filter(Boolean).join(' · '), own });
  }
  return all;
}
