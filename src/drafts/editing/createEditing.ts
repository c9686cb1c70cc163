/** Language features for drafts. Loaded with the first document that has front matter. */
import type { CodeActionContext, DiagnosticCollection, Position, Range, TextDocument } from 'vscode';
import type { Host } from '../../platform/host.ts';
import type { Reference } from '../../service/model.ts';
import { DraftCache, DraftReader } from '../draftReader.ts';
import { codeLenses } from './codeLens.ts';
import { completionItems } from './completion.ts';
import { Diagnostics, quickFixes } from './diagnostics.ts';
import { keyHover } from './keyHelp.ts';

type EditingHost = Pick<Host, 'audiences' | 'connection' | 'lists' | 'mentionedIds' | 'settings'>;

/** Calls `checkAll` when the directory changes. */
export function createEditing(host: EditingHost, collection: DiagnosticCollection, checkAll: () => void) {
  const reader = new DraftReader(host);
  const drafts = new DraftCache(reader);
  const diagnostics = new Diagnostics(drafts, host.connection, collection, checkAll);
  return {
    check: (document: TextDocument) => diagnostics.check(document),
    clear: () => drafts.clear(),
    dispose: () => diagnostics.dispose(),
    fixes: (document: TextDocument, range: Range, context: CodeActionContext) =>
      quickFixes(document, range, context, drafts),
    completions: (document: TextDocument, position: Position) => completionItems(document, position, host),
    hover: keyHover,
    /** Everything that these documents and the audiences mention. */
    mentioned: (documents: readonly TextDocument[]): Reference[] => {
      const parsed = documents.map((document) => drafts.get(document));
      const named = [...parsed.flatMap(({ recipients }) => recipients), ...host.audiences.read().audiences.values()];
      const bots = parsed.flatMap(({ bot }) => (bot ? [{ kind: 'bot' as const, id: bot.id }] : []));
      return [...named.flat().map(({ type, id }) => ({ kind: type, id })), ...bots];
    },
    lenses: (document: TextDocument) => codeLenses(document, drafts, reader),
  };
}
