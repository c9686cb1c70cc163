/** Opens new drafts. */
import {
  commands,
  Position,
  Range,
  SnippetString,
  type TextDocument,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import { buttonComment, composeDraft, type DraftAddress, draftSnippet, emptyDraft } from '../../markup/messageDraft.ts';
import { isVariableName } from '../../markup/template.ts';
import type { ResourceArgument } from '../../platform/commandArguments.ts';
import type { Host } from '../../platform/host.ts';
import { knownOwnName } from '../../presentation/describe.ts';
import { askFile, fileName } from '../../presentation/fileDialogs.ts';
import { columnKey } from '../../presentation/recipientCsv.ts';
import { l10n } from '../../presentation/shown.ts';
import { type Chat, chatsAmong } from '../../service/model.ts';
import type { CheckedDraft, WrittenDraft } from '../contract.ts';
import { countedProblems } from './document/problem.ts';
import type { DraftReader } from './draftReader.ts';
import { unknownRecipients } from './unknownRecipients.ts';

type DraftHost = Pick<Host, 'commands' | 'connection'>;

/** Opens new documents, for commands and for other features. */
export const newDrafts = (host: DraftHost & Pick<Host, 'tokens'>, reader: DraftReader) => ({
  newMessage: async (clicked?: ResourceArgument, selected: readonly ResourceArgument[] = []) => {
    const resources = selected.length > 0 ? selected : clicked ? [clicked] : [];
    await openNewDraft(host, chatsAmong(resources), clicked?.botId);
  },
  newMessageAsBot: (bot?: { id: string }) => openNewDraft(host, [], bot?.id),
  newMessageFromFile: (file?: Uri) => openPersonalDraft(host, reader, file),
  open: (draft: WrittenDraft) => openWrittenDraft(draft, host, reader),
});

/** Opens a new document that is addressed to these chats, or asks for its recipients, with its preview beside it. */
export async function openNewDraft(
  host: DraftHost & Pick<Host, 'tokens'>,
  chats: readonly Chat[],
  botId?: string,
): Promise<void> {
  const button = buttonComment(
    l10n.t('Learn More'),
    l10n.t('A button below the message: opens a URL, copies text, or reports a value to the bot'),
  );
  if (chats.length > 0) return void (await show(emptyDraft(await namedAddress(host, chats, botId), button), host));
  const fileNote = l10n.t('A CSV file, whose columns are variables, such as {{name}}');
  const snippet = new SnippetString(draftSnippet(botId ?? (await onlyBot(host)), fileNote, button));
  const editor = await window.showTextDocument(await workspace.openTextDocument({ language: 'markdown' }));
  // In YAML, tabs don't indent.
  const options = { undoStopBefore: true, undoStopAfter: true, keepWhitespace: true };
  await editor.insertSnippet(snippet, undefined, options);
  await host.commands.run('preview', editor.document.uri);
  // The suggestions help to name groups, where the cursor is.
  await commands.executeCommand('editor.action.triggerSuggest');
}

/** Opens a new document whose recipients are those in a CSV file: by default the active one, or one that the user chooses. */
export async function openPersonalDraft(
  host: DraftHost & Pick<Host, 'tokens'>,
  { files }: Pick<DraftReader, 'files'>,
  clicked?: Uri,
): Promise<void> {
  const file =
    clicked ?? activeCsv() ?? (await askFile(l10n.t('To the recipients in which file?'), { CSV: ['csv', 'tsv'] }));
  if (!file) return;
  const name = fileName(file);
  const read = await files.read(Uri.joinPath(file, '..', 'message.md'), { path: name, kind: undefined });
  const saysNoKind = 'table' in read && read.table.problems.some(({ kind }) => kind === 'noKind');
  const kind = saysNoKind ? ('person' as const) : undefined;
  const content = emptyDraft({ botId: await onlyBot(host), chats: [], file: { name, kind } });
  const variable = 'table' in read ? firstVariable(read.table.columns) : '';
  await show(content + variable, host, { beside: file, selected: variable.length });
}

/** A message that reminds of a delivery. */
interface Reminder {
  /** The ID of the delivery, and what it said. */
  readonly follows: { readonly delivery: string; readonly text: string };
  readonly chats: readonly Chat[];
  readonly botId: string;
  /** The file that lists the chats, if they are too many for the document. */
  readonly file?: Uri | undefined;
}

/** Opens a new document that is addressed to some recipients of a delivery, with its text in a comment. */
export async function openReminderDraft(host: DraftHost, { follows, chats, botId, file }: Reminder): Promise<void> {
  const address = file ? { botId, chats: [], file: { name: fileName(file) } } : await namedAddress(host, chats, botId);
  const note = l10n.t('Reminds of this message:');
  await show(emptyDraft({ ...address, follows: { ...follows, note } }), host, file && { beside: file });
}

/** A column of values as a variable, which shows how they're written; empty if there is none. */
function firstVariable(columns: readonly string[]): string {
  const name = columns.find((one) => !/^(?:id|kind)$/.test(columnKey(one)) && isVariableName(one));
  return name === undefined ? '' : `{{${name}}}`;
}

function activeCsv(): Uri | undefined {
  const uri = window.activeTextEditor?.document.uri;
  return uri && uri.scheme !== 'untitled' && /\.[ct]sv$/i.test(uri.path) ? uri : undefined;
}

/**
 * An address for a new document that is saved beside a file without a question. Undefined where VS Code has no such
 * documents.
 */
async function freeAddress(file: Uri): Promise<Uri | undefined> {
  if (file.scheme !== 'file' && file.scheme !== 'vscode-remote') return undefined;
  const stem = fileName(file).replace(/\.\w+$/, '');
  for (let number = 1; ; number++) {
    const address = Uri.joinPath(file, '..', `${stem}${number === 1 ? '' : `-${number}`}.md`);
    // In a remote window, VS Code itself adds the remote computer.
    const untitled = address.with({ scheme: 'untitled', authority: file.scheme === 'file' ? address.authority : '' });
    const isOpen = workspace.textDocuments.some(({ uri }) => `${uri}` === `${untitled}`);
    const isTaken =
      isOpen ||
      (await workspace.fs.stat(address).then(
        () => true,
        () => false,
      ));
    if (!isTaken) return untitled;
  }
}

/** The bot with a token, if there is exactly one. */
async function onlyBot({ connection, tokens }: Pick<Host, 'connection' | 'tokens'>): Promise<string | undefined> {
  const service = await connection.open().catch(() => undefined);
  const [bot, second] = service ? await tokens.bots(service) : [];
  return second === undefined ? bot : undefined;
}

/** Opens a draft that an agent wrote: see {@link DraftOpener}. The focus stays where the user is typing. */
async function openWrittenDraft(
  { botId, chats, ...content }: WrittenDraft,
  host: DraftHost,
  reader: DraftReader,
): Promise<CheckedDraft> {
  const text = composeDraft(content, await namedAddress(host, chats, botId));
  const document = await show(text, host, { preserveFocus: true });
  const { parsed, problems, rules } = await reader.read(document);
  const directory = await host.connection.open().then(
    (service) => service.directory,
    () => undefined,
  );
  const unknown = directory ? unknownRecipients(parsed, directory) : [];
  const { kept: recipients, leftOut } = await rules.divide(reader.chatsOf(parsed));
  return {
    problems: countedProblems([...problems, ...unknown]).map(({ severity, text }) => ({ severity, text })),
    recipients: recipients.length,
    leftOut: leftOut.length,
    unchecked: recipients.filter(({ kind, id }) => !directory?.has(kind, id)).length,
  };
}

/** The address of a draft, with known names as comments. Without a service, no name is known. */
async function namedAddress(
  { connection }: Pick<DraftHost, 'connection'>,
  chats: readonly Chat[],
  botId: string | undefined,
): Promise<DraftAddress> {
  const service = await connection.open().catch(() => undefined);
  const named = chats.map(({ kind, id }) => ({ kind, id, name: service && knownOwnName(service.directory, kind, id) }));
  return { botId, chats: named };
}

/** A new document; one that will be saved `beside` a file, if given. The last `selected` characters are selected. */
async function show(
  content: string,
  { commands }: Pick<DraftHost, 'commands'>,
  { preserveFocus = false, beside, selected = 0 }: { preserveFocus?: boolean; beside?: Uri; selected?: number } = {},
): Promise<TextDocument> {
  const address = beside && (await freeAddress(beside));
  const document = await (address
    ? workspace.openTextDocument(address)
    : workspace.openTextDocument({ language: 'markdown', content }));
  if (address) {
    const edit = new WorkspaceEdit();
    edit.insert(address, new Position(0, 0), content);
    await workspace.applyEdit(edit);
  }
  const end = document.positionAt(content.length);
  const start = document.positionAt(content.length - selected);
  await window.showTextDocument(document, { selection: new Range(start, end), preserveFocus });
  await commands.run('preview', document.uri);
  return document;
}
