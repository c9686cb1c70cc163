/** The values of variables for each recipient: columns of the file, then what the directory knows (contract 2.1, 2.5). */
import type { Directory } from '../../../directory/directory.ts';
import { textOf, type Values } from '../../../markup/template.ts';
import { type Chat, chatKey, type Found } from '../../../service/model.ts';
import type { RecipientTable } from './recipientTable.ts';

/** Fields of groups and of users, by their names in the contract. `name` is that of either. */
const GROUP_FIELDS = [
  'introduction',
  'category',
  'headcount',
  'createBy',
  'createTime',
  'readHistory',
  'avatarUrl',
] as const;
const USER_FIELDS = [
  'nickname',
  'registerTimeText',
  'registerTime',
  'onLineDay',
  'continuousOnLineDay',
  'isVip',
  'avatarUrl',
] as const;

export type DirectoryVariable = 'name' | 'id' | (typeof USER_FIELDS)[number] | (typeof GROUP_FIELDS)[number];
/** Variables that need no file. */
export const DIRECTORY_VARIABLES: readonly string[] = [...new Set(['name', 'id', ...USER_FIELDS, ...GROUP_FIELDS])];

export class RecipientValues {
  readonly #table: Pick<RecipientTable, 'columns' | 'rows'> | undefined;
  readonly #directory: Pick<Directory, 'peek'> | undefined;
  readonly #columns: ReadonlyMap<string, number>;

  constructor(
    table: Pick<RecipientTable, 'columns' | 'rows'> | undefined,
    directory: Pick<Directory, 'peek'> | undefined,
  ) {
    this.#table = table;
    this.#directory = directory;
    this.#columns = new Map(table?.columns.map((name, at) => [name, at]));
  }

  /** Whether a value has to be looked up: the file doesn't have it. */
  isFromDirectory(chat: Chat, name: string): boolean {
    return name !== 'id' && !(this.#columns.has(name) && this.#table?.rows.has(chatKey(chat)));
  }

  of(chat: Chat): Values {
    const cells = this.#table?.rows.get(chatKey(chat))?.cells;
    const found = this.#directory?.peek(chat.kind, chat.id);
    return (name) => {
      if (name === 'id') return chat.id;
      const column = this.#columns.get(name);
      if (cells && column !== undefined) return cells[column] ?? '';
      return found ? fieldOf(found, name) : '';
    };
  }
}

/** The own names of chats: those in the file, else those in the directory, else empty. */
export function ownNamesIn(
  table: Pick<RecipientTable, 'columns' | 'rows'> | undefined,
  directory: Pick<Directory, 'peek'> | undefined,
): (chat: Chat) => string {
  const inFile = new RecipientValues(table, undefined);
  const found = new RecipientValues(undefined, directory);
  return (chat) => textOf(inFile.of(chat)('name')) || textOf(found.of(chat)('name'));
}

function fieldOf(found: Found, name: string): string {
  if (found.kind === 'bot') return '';
  const { resource, kind } = found;
  if (name === 'name') return kind === 'group' ? found.resource.name : found.resource.nickname;
  const fields: readonly string[] = kind === 'group' ? GROUP_FIELDS : USER_FIELDS;
  if (!fields.includes(name)) return '';
  const value: unknown = resource[name as keyof typeof resource];
  return value === undefined ? '' : String(value);
}
