import {
  type ExportProgress,
  type ExportStore,
  newProgress,
  savedProgress,
} from '../../../../src/chats/history/commands/exportProgress.ts';
import type { ExportFormat } from '../../../../src/chats/history/commands/formats.ts';
import { readToBeginning } from '../../../../src/chats/history/commands/readHistory.ts';
import { assemble } from '../../../../src/chats/history/commands/writeExport.ts';
import { toNdjson } from '../../../../src/markup/messageFormats.ts';
import type { Json } from '../../../../src/markup/safeText.ts';
import type { BotChat } from '../../../../src/protocol/botChat.ts';
import type { FakeChat, Names } from './chat.ts';

export const botChat: BotChat = { service: 'https://service.example', kind: 'group', id: 'big', botId: '30481126' };

/** An in-memory store. `failing` is called before each write and may throw. */
export class MemoryStore implements ExportStore {
  readonly parts = new Map<number, string>();
  progress: string | undefined;
  failing: (what: 'progress' | 'part') => void = () => {};

  async readProgress(): Promise<unknown> {
    return this.progress && JSON.parse(this.progress);
  }

  async writeProgress(progress: ExportProgress): Promise<void> {
    this.failing('progress');
    this.progress = JSON.stringify(progress);
  }

  async readPart(part: number): Promise<string | undefined> {
    return this.parts.get(part);
  }

  async writePart(part: number, text: string): Promise<void> {
    this.failing('part');
    this.parts.set(part, text);
  }

  async clear(): Promise<void> {
    this.parts.clear();
    this.progress = undefined;
  }
}

interface Options {
  signal?: AbortSignal;
  onPage?: (progress: ExportProgress) => void;
}

/** Reads the chat from the saved progress, or from its newest message. */
export async function read(chat: FakeChat, store: ExportStore, options: Options = {}): Promise<ExportProgress> {
  const { signal = new AbortController().signal, onPage = () => {} } = options;
  const from = (await savedProgress(store, botChat)) ?? newProgress(botChat, 1_700_000_000_000);
  return readToBeginning(from, { list: chat.list, store, signal, onPage });
}

/** The names of the messages in the assembled document. */
export async function assembled(progress: ExportProgress, store: ExportStore): Promise<Names> {
  const lines = (await document(progress, store)).trimEnd().split('\n');
  return lines.filter(Boolean).map((line) => {
    const raw = JSON.parse(line);
    return raw.broken ?? Number(raw.msgId);
  });
}

/** Writes long entries as raw JSON. */
export const verbatim = () => ({ begin: '' as const, piece: (json: string) => json as Json, end: '\n' as Json });

const NDJSON: ExportFormat = { heading: '', ending: '', entry: toNdjson, source: verbatim };

/** The assembled document, as NDJSON unless a format is given. */
export async function document(progress: ExportProgress, store: ExportStore, format = NDJSON): Promise<string> {
  let text = '';
  await assemble(progress, {
    store,
    format,
    write: async (more) => {
      text += more;
    },
    signal: new AbortController().signal,
    onPart: () => {},
  });
  return text;
}
