/** Language features for drafts. Loaded with the first document that has front matter. */
import { type CodeActionContext, type DiagnosticCollection, type Position, Range, type TextDocument } from 'vscode';
import type { Host } from '../../../platform/host.ts';
import { countText } from '../../../presentation/chatItems.ts';
import { formatCount, formatDateTime, formatShortTime } from '../../../presentation/formats.ts';
import { CardHover, Lens, l10n, type ShownCommand, type ShownText, textCard } from '../../../presentation/shown.ts';
import { systemClock } from '../../../service/clock.ts';
import type { Reference } from '../../../service/model.ts';
import type { EditedMessage, MessageEdits, ScheduledMessage } from '../../contract.ts';
import { blockLocationAt } from '../document/blockLocation.ts';
import { rowOf } from '../document/keys.ts';
import { namedIn } from '../document/parseDraft.ts';
import { countedProblems, type Problem } from '../document/problem.ts';
import { type DraftReader, versionText } from '../draftReader.ts';
import { listed, NO_RULES } from '../leaveOut.ts';
import { firstRows } from '../recipients/recipientTable.ts';
import { completionItems, isOffered } from './completion.ts';
import { Diagnostics, quickFixes } from './diagnostics.ts';
import { DraftCache } from './draftCache.ts';
import { type Asked, KeySuggestions } from './keySuggestions.ts';
import { variableHover, variableItems } from './variableHelp.ts';

/** How many IDs of a file are found in other documents. Each slows down the search for IDs. */
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
      // The hover shows values of rows that `where:` picks.
      variableHover(document, position, (await drafts.read(document)).table, host.connection),
    /** Everything that these documents and the audiences mention. */
    mentioned: (documents: readonly TextDocument[]): Reference[] => {
      const parsed = documents.map((document) => drafts.get(document));
      const own = parsed.flatMap(namedIn).flatMap(({ recipients }) => recipients);
      const named = [...own, ...host.audiences.read().audiences.values()];
      const bots = parsed.flatMap(({ bot }) => (bot ? [{ kind: 'bot' as const, id: bot.id }] : []));
      return [...named.flat(), ...bots];
    },
    /** The lenses above the front matter. */
    lenses: async (document: TextDocument) => {
      if (!drafts.get(document).hasBlock) return [];
      // An outbox that can't be read mustn't hide the other lenses.
      const edited = await host.edits.in(document).catch(() => undefined);
      const scheduled = edited ? undefined : await host.edits.scheduledFrom(document).catch(() => undefined);
      const draft = drafts.get(document);
      if (!draft.hasBlock) return [];
      const { table, rules = NO_RULES } = drafts.lastRead(document) ?? {};
      const all = edited ? rules.with('needless', listed(edited.needless)) : rules;
      const counts = reader.countOf(draft, draft.recipientFile && table, all);
      const problems = diagnostics.problems(document);
      const canSend = problems.every(({ severity }) => severity !== 'error');
      const version = versionText(document);
      const commands: ShownCommand[] = [
        ...(version ? [{ command: '', title: version }] : []),
        canSend
          ? { command: 'botChats.sendActiveMarkdown', title: sendTitle(counts), arguments: [document.uri] }
          : { command: 'workbench.actions.view.problems', title: problemsTitle(problems) },
        { command: 'botChats.preview', title: l10n.t('Preview'), arguments: [document.uri] },
        ...(edited ? [openEdited(edited)] : []),
        ...(scheduled ? [editScheduled(scheduled)] : []),
      ];
      return commands.map((command) => new Lens(new Range(0, 0, 0, 0), command));
    },
  };
}

/** What a key of the `chat:` block means. */
function keyHover(document: TextDocument, position: Position): CardHover | undefined {
  const range = document.getWordRangeAtPosition(position, /\w+/);
  if (!range || !/^["']?[ \t]*:/.test(document.lineAt(position).text.slice(range.end.character))) return undefined;
  const location = blockLocationAt(document.getText(), document.offsetAt(range.end));
  const row = location?.in === 'key' ? rowOf(location.of, document.getText(range)) : undefined;
  return row && new CardHover(textCard(row.help()), range);
}

function sendTitle({ group, user, leftOut }: ReturnType<DraftReader['countOf']>): ShownText {
  const title =
    group === 0 || user === 0
      ? l10n.t('Send to {0}', countText(group, user))
      : l10n.t('Send to {0} chats', formatCount(group + user));
  if (leftOut > 0) return l10n.t('{0}, {1} left out', title, formatCount(leftOut));
  return group + user === 0 ? l10n.t('Send…') : title;
}

function problemsTitle(problems: readonly Problem[]): ShownText {
  const { length: count } = countedProblems(problems);
  return count === 1 ? l10n.t('1 problem') : l10n.t('{0} problems', formatCount(count));
}

const openEdited = ({ id, due }: EditedMessage): ShownCommand => ({
  command: 'botChats.openReport',
  // A narrow editor cuts off a longer title.
  title: l10n.t('Edits the message due {0}', formatShortTime(due, systemClock.wall())),
  tooltip: l10n.t('It was scheduled for {0}. To schedule it again, send the edited message.', formatDateTime(due)),
  arguments: [id],
});

const editScheduled = ({ id, due }: ScheduledMessage): ShownCommand => ({
  command: 'botChats.editDelivery',
  title: l10n.t('Edit the version due {0}…', formatShortTime(due, systemClock.wall())),
  tooltip: l10n.t(
    "A version of this document is scheduled for {0}. What you change here isn't in it, unless you edit it and send it again.",
    formatDateTime(due),
  ),
  arguments: [id],
});
