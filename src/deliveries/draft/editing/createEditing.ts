/** Language features for drafts. Loaded with the first document that has front matter. */
import {
  type CodeActionContext,
  type DiagnosticCollection,
  Hover,
  type Position,
  type Range,
  type TextDocument,
} from 'vscode';
import type { Host } from '../../../platform/host.ts';
import { plainMarkdown } from '../../../presentation/card.ts';
import type { Reference } from '../../../service/model.ts';
import type { MessageEdits } from '../../contract.ts';
import { blockLocationAt } from '../document/blockLocation.ts';
import { rowOf } from '../document/keys.ts';
import { namedIn } from '../document/parseDraft.ts';
import type { DraftReader } from '../draftReader.ts';
import { firstRows } from '../recipients/recipientTable.ts';
import { codeLenses } from './codeLens.ts';
import { completionItems, isOffered } from './completion.ts';
import { Diagnostics, quickFixes } from './diagnostics.ts';
import { DraftCache } from './draftCache.ts';
import { type Asked, KeySuggestions } from './keySuggestions.ts';
import { variableHover, variableItems } from './variableHelp.ts';

/** How many IDs of a file are known everywhere. Each slows down the search for them. */
const MAX_MENTIONED = 5_000;

type EditingHost = Pick<Host, 'audiences' | 'connection' | 'lists' | 'mentionedIds' | 'settings'> & {
  readonly edits: MessageEdits;
};

/** Calls `checkAll` when the directory changes. */
export function createEditing(
  host: EditingHost,
  reader: DraftReader,
  collection: DiagnosticCollection,
  checkAll: () => void,
) {
  const drafts = new DraftCache(reader);
  const completions = async (asked: Asked) => {
    const draft = reader.parse(asked.text);
    const file = draft.recipientFile && (await reader.files.read(asked.uri, draft.recipientFile));
    const table = file && 'table' in file ? file.table : undefined;
    return (await variableItems(asked, draft, table, host.connection)) ?? completionItems(asked, host, draft, table);
  };
  /** Whether a key or a value that begins with a letter is offered there. */
  const isOfferedAt = async (letter: string, asked: Asked) =>
    blockLocationAt(asked.text, asked.offset) !== undefined && isOffered(letter, (await completions(asked)) ?? []);
  const diagnostics = new Diagnostics(drafts, host.connection, collection, checkAll);
  const listening = reader.files.onDidChange(() => checkAll());
  return {
    check: async (document: TextDocument) => {
      await diagnostics.check(document);
      const { files = [], table } = drafts.lastRead(document) ?? {};
      for (const { file } of files) if (file.uri) reader.files.watch(file.uri);
      host.mentionedIds.add(firstRows(table, MAX_MENTIONED).map(({ chat: { kind, id } }) => ({ kind, id })));
    },
    forget: (document: TextDocument) => diagnostics.forget(document),
    clear: () => drafts.clear(),
    dispose: () => {
      diagnostics.dispose();
      listening.dispose();
    },
    fixes: (document: TextDocument, range: Range, context: CodeActionContext) =>
      quickFixes(document, range, context, drafts),
    completions,
    keys: new KeySuggestions(isOfferedAt),
    hover: async (document: TextDocument, position: Position) =>
      keyHover(document, position) ??
      // Only of those whom `where:` picks.
      variableHover(document, position, (await drafts.read(document)).table, host.connection),
    /** Everything that these documents and the audiences mention. */
    mentioned: (documents: readonly TextDocument[]): Reference[] => {
      const parsed = documents.map((document) => drafts.get(document));
      const own = parsed.flatMap(namedIn).flatMap(({ recipients }) => recipients);
      const named = [...own, ...host.audiences.read().audiences.values()];
      const bots = parsed.flatMap(({ bot }) => (bot ? [{ kind: 'bot' as const, id: bot.id }] : []));
      return [...named.flat(), ...bots];
    },
    lenses: async (document: TextDocument) => {
      if (!drafts.get(document).hasBlock) return [];
      // An outbox that can't be read mustn't hide the others.
      const edited = await host.edits.in(document).catch(() => undefined);
      const scheduled = edited ? undefined : await host.edits.scheduledFrom(document).catch(() => undefined);
      return codeLenses(document, drafts, reader, diagnostics.problems(document), { edited, scheduled });
    },
  };
}

/** What a key of the `chat:` block means. */
function keyHover(document: TextDocument, position: Position): Hover | undefined {
  const range = document.getWordRangeAtPosition(position, /\w+/);
  if (!range || !/^["']?[ \t]*:/.test(document.lineAt(position).text.slice(range.end.character))) return undefined;
  const location = blockLocationAt(document.getText(), document.offsetAt(range.end));
  const row = location?.in === 'key' ? rowOf(location.of, document.getText(range)) : undefined;
  return row && new Hover(plainMarkdown(row.help()), range);
}
