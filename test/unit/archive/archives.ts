// Archives in memory, and messages for them.
import { DatabaseSync } from 'node:sqlite';
import { ArchiveDatabase } from '../../../src/archive/archiveDatabase.ts';
import type { SqliteDatabase } from '../../../src/archive/sql.ts';
import type { BotChat } from '../../../src/protocol/botChat.ts';

export const CHAT: BotChat = { service: 'https://chat.example', type: 'group', id: '100000001', botId: '20000001' };

/** An archive in memory. */
export const memoryArchive = () => new ArchiveDatabase(() => new DatabaseSync(':memory:'));

/** The connection of an archive, for what only its file shows. */
export function openFile(path: string): SqliteDatabase {
  return new DatabaseSync(path);
}

/** A message as the service lists it (contract 2.6). */
export function messageOf(msgId: string, text: string, more: Record<string, unknown> = {}) {
  return {
    msgId,
    parentId: '',
    senderId: '3000001',
    senderType: 'user',
    senderNickname: 'Ana',
    contentType: 'text',
    content: { text },
    sendTime: 1_700_000_000_000,
    commandName: '',
    commandId: 0,
    ...more,
  };
}

export const jsonsOf = (messages: readonly unknown[]) => messages.map((message) => JSON.stringify(message));
