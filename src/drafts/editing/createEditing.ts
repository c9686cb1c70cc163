/** Help with writing drafts. Loaded with the first document that has front matter. */
import type { CodeActionContext, DiagnosticCollection, Position, Range, TextDocument } from 'vscode';
import type { Host } from '../../platform/host.ts';
import type { Reference } from '../../service/model.ts';
import { DraftReader } from '../draftReader.ts';
import { lensesOf } from './codeLens.ts';
import { complete } from './completion.ts';
import { Diagnostics } from './diagnostics.ts';
import { DraftCache } from './draftCache.ts';
import { hoverOf } from './keyHover.ts';
import { fixesFor } from './quickFixes.ts';

export type EditingHost = Pick<Host, 'audiences' | 'connection' | 'lists' | 'mentionedIds' | 'settings'>;

/** `checkAll` is called when the directory knows more than at the last checks. */
export function createEditing(host: EditingHost, collection: DiagnosticCollection, checkAll: () => void) {
  const reader = new DraftReader(host);
  const drafts = new DraftCache(reader);
  const diagnostics = new Diagnostics(drafts, host.connection, collection, checkAll);
  return {
    check: (document: TextDocument) => diagnostics.check(document),
    clear: () => drafts.clear(),
    dispose: () => diagnostics.dispose(),
    fixes: (document: TextDocument, range: Range, context: CodeActionContext) =>
      fixesFor(document, range, context, drafts),
    completions: (document: TextDocument, position: Position) => complete(document, position, host),
    hover: hoverOf,
    /** All that these documents and the audiences name. */
    mentioned: (documents: readonly TextDocument[]): Reference[] => {
      const parsed = documents.map((document) => drafts.of(document));
      const named = [...parsed.flatMap(({ recipients }) => recipients), ...host.audiences.read().audiences.values()];
      const bots = parsed.flatMap(({ bot }) => (bot ? [{ kind: 'bot' as const, id: bot.id }] : []));
      return [...named.flat().map(({ type, id }) => ({ kind: type, id })), ...bots];
    },
    lenses: (document: TextDocument) => lensesOf(document, drafts, reader),
  };
}
