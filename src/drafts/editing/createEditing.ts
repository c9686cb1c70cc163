/** All that needs to be loaded to help with writing drafts. */
import type { CodeActionContext, DiagnosticCollection, Position, Range, TextDocument } from 'vscode';
import type { Reference } from '../../service/model.ts';
import { audience, audienceNames, readAudiences } from '../audiences.ts';
import { lensesOf } from './codeLens.ts';
import { complete } from './completion.ts';
import { Diagnostics } from './diagnostics.ts';
import { DraftCache } from './draftCache.ts';
import type { EditingNeeds } from './index.ts';
import { hoverOf } from './keyHover.ts';
import { fixesFor } from './quickFixes.ts';

/** `checkAll` is called when more is known than at the last checks. */
export function createEditing(needs: EditingNeeds, collection: DiagnosticCollection, checkAll: () => void) {
  const readings = new DraftCache(audience);
  const diagnostics = new Diagnostics(readings, needs.connection, collection, checkAll);
  return {
    check: (document: TextDocument) => diagnostics.check(document),
    readAnew: () => readings.clear(),
    dispose: () => diagnostics.dispose(),
    fixes: (document: TextDocument, range: Range, context: CodeActionContext) =>
      fixesFor(document, range, context, readings),
    completions: (document: TextDocument, position: Position) =>
      complete(document, position, { ...needs, audienceNames }),
    hover: hoverOf,
    named: (documents: readonly TextDocument[]): Reference[] => {
      const drafts = documents.map((document) => readings.of(document));
      const chats = [...drafts.flatMap(({ recipients }) => recipients), ...[...readAudiences().values()].flat()];
      const bots = drafts.flatMap(({ bot }) => (bot ? [{ kind: 'bot' as const, id: bot.id }] : []));
      return [...chats.map(({ type, id }) => ({ kind: type, id })), ...bots];
    },
    lenses: (document: TextDocument) => lensesOf(document, readings, audience),
  };
}
