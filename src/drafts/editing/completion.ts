/** Completion inside the `chat:` block. */
import { CompletionItem, CompletionItemKind, type Position, Range, SnippetString, type TextDocument } from 'vscode';
import type { Host } from '../../platform/host.ts';
import { displayName } from '../../presentation/describe.ts';
import type { Kind } from '../../service/model.ts';
import { blockLocationAt } from '../document/blockLocation.ts';
import { BLOCK_KEYS, BUTTON_KEYS, CONTENT_TYPES, EFFECT_KEYS } from '../document/keys.ts';
import { blockKeyText, buttonKeyText } from './keyHelp.ts';

const KIND_OF_KEY: { readonly [key: string]: Kind } = { bot: 'bot', groups: 'group', people: 'user' };
const LIST_KEYS = ['groups', 'people', 'audiences'];
/** One whole button: its lines are far from where Enter would begin them. */
const BUTTON_SNIPPET = `\n  - - text: $1\n      \${2|${EFFECT_KEYS}|}: `;
const TRIGGER_SUGGEST = { command: 'editor.action.triggerSuggest', title: '' };

/** Keys, types, IDs by name and names of audiences; nothing outside of the block. Makes no request. */
export async function completionItems(
  document: TextDocument,
  position: Position,
  host: Pick<Host, 'audiences' | 'connection' | 'lists'>,
): Promise<CompletionItem[] | undefined> {
  const cursor = blockLocationAt(document.getText(), document.offsetAt(position));
  if (!cursor) return undefined;
  const { start, end } = cursor.word;
  const range = new Range(document.positionAt(start), document.positionAt(end));
  if (cursor.at === 'key') return keyItems(cursor.of, cursor.others, range);
  const value = (label: string, kind: CompletionItemKind, id = label) => {
    const item = new CompletionItem({ label, description: id === label ? '' : id }, kind);
    item.insertText = toYaml(id);
    item.filterText = `${id} ${label}`;
    item.range = range;
    return item;
  };
  const { key } = cursor;
  if (key === 'type') return CONTENT_TYPES.map((type) => value(type, CompletionItemKind.EnumMember));
  if (key === 'audiences') return host.audiences.names().map((name) => value(name, CompletionItemKind.Reference));
  const kind = KIND_OF_KEY[key];
  if (!kind) return undefined;
  const names = await knownNames(kind, host);
  return Array.from(names, ([id, name]) => value(name || id, CompletionItemKind.User, id));
}

function keyItems(of: 'chat' | 'button', others: ReadonlySet<string>, range: Range): CompletionItem[] {
  const hasEffect = EFFECT_KEYS.some((effect) => others.has(effect)) || others.has('actionType');
  const keys =
    of === 'chat'
      ? BLOCK_KEYS.map((key) => ({ key, about: blockKeyText(key) }))
      : BUTTON_KEYS.filter((key) => key === 'text' || !hasEffect).map((key) => ({ key, about: buttonKeyText(key) }));
  return keys
    .filter(({ key }) => !others.has(key))
    .map(({ key, about }, index) => {
      const item = new CompletionItem(key, CompletionItemKind.Property);
      const behind = LIST_KEYS.includes(key) ? '\n  - ' : key === 'buttons' ? BUTTON_SNIPPET : ' ';
      item.insertText = new SnippetString(`${key}:${behind}$0`);
      item.detail = about;
      item.range = range;
      item.sortText = String(index);
      if (key === 'bot' || key === 'type' || LIST_KEYS.includes(key)) item.command = TRIGGER_SUGGEST;
      return item;
    });
}

/** The IDs of a kind that the person works with, and those that were looked up before, with their names. */
async function knownNames(
  kind: Kind,
  { connection, lists }: Pick<Host, 'connection' | 'lists'>,
): Promise<Map<string, string>> {
  const service = (await connection.state()) === 'none' ? undefined : await connection.open().catch(() => undefined);
  const names = new Map<string, string>();
  for (const { id, label } of lists.read(kind, service ?? {}).entries) names.set(id, label ?? '');
  for (const { id, found } of service?.directory.entries() ?? []) {
    if (found.kind === kind) names.set(id, [names.get(id), displayName(found)].filter(Boolean).join(' · '));
  }
  return names;
}

/** An ID as YAML reads it back. */
const toYaml = (id: string) => (/^(?!null$)\w[\w-]*$/i.test(id) ? id : JSON.stringify(id));
