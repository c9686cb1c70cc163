/** A draft, which is a message about to be sent, and how it's read from a document and the files that it names. */
import * as v from 'valibot';
import { type TextDocument, type Uri, workspace } from 'vscode';
import { escapeAllInvisible, excerpt } from '../../markup/escapeInvisible.ts';
import { MessageTemplate } from '../../markup/messageTemplate.ts';
import type { Host } from '../../platform/host.ts';
import type { Notes } from '../../platform/neverList.ts';
import { unreadableText } from '../../presentation/describe.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import { fileName } from '../../presentation/fileDialogs.ts';
import { firstTexts, joinNames, joinSentences } from '../../presentation/formats.ts';
import { neverNotes, neverProblem } from '../../presentation/neverSend.ts';
import { l10n, type ShownText, shownText } from '../../presentation/shown.ts';
import { isEditable, tabOf } from '../../presentation/textEditors.ts';
import type { Outgoing } from '../../service/message.ts';
import { type Chat, chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import { byRule, CHATS_RULES, type ChatsRule, type ContentType } from './document/keys.ts';
import type { NamedChats } from './document/namedChats.ts';
import { namedIn, type ParsedDraft, parseDraft } from './document/parseDraft.ts';
import { countedProblems, inDocumentOrder, type Problem, TOP } from './document/problem.ts';
import { type LeavesOut, listed, NO_RULES, noted, Rules } from './leaveOut.ts';
import { pickRows } from './recipients/pickedRows.ts';
import { type DraftFile, fileOf, type RecipientFile, RecipientFiles } from './recipients/recipientFiles.ts';
import { recipientProblems } from './recipients/recipientProblems.ts';
import type { RecipientTable } from './recipients/recipientTable.ts';
import { variableName } from './recipients/variableText.ts';

export interface Draft {
  /** What the user is shown: the name of the document, or a description. */
  readonly name: string;
  /** Address of the document, if it has one. */
  readonly source?: string | undefined;
  /** Address of the document, even of an untitled one, while it's open. */
  readonly uri?: string | undefined;
  /** The whole text of the document that the message is made of. Undefined for selections. */
  readonly document?: string | undefined;
  readonly message: Outgoing;
  /** The bot that the document names, if any. */
  readonly botId?: string | undefined;
  /** The ID of the delivery that the document reminds of, if any. */
  readonly follows?: string | undefined;
  /** The chats that the document names. */
  readonly chats: readonly Chat[];
  /** The variables of the message; without any, it is sent as it is. */
  readonly variables?: readonly string[];
  /** The file of the recipients, with values for the variables. */
  readonly table?: RecipientTable | undefined;
  /** Who is left out. */
  readonly rules: Rules;
  /** What the document's own checks warn about, a sentence each. */
  readonly problems?: readonly string[];
}

/** What a document says, with its recipients, and with the problems of both. */
export interface ReadDraft {
  readonly parsed: ParsedDraft;
  /** The files that the document names: that of its recipients, and those of its rules. */
  readonly files: readonly DraftFile[];
  /** The file of recipients, if it could be read: the rows that `where:` picks, and all other rows apart. */
  readonly table: RecipientTable | undefined;
  /** Who is left out: see `leaveOut.ts`. */
  readonly rules: Rules;
  /** In document order. */
  readonly problems: readonly Problem[];
  /** What would be sent; undefined if there is an error. */
  readonly message: Outgoing | undefined;
}

type ReaderHost = Pick<Host, 'audiences' | 'never' | 'settings'>;

/** Parses a document's text according to the settings, as the type that it names, or as `type`. */
export const parseText = (
  text: string,
  { audiences, settings }: Pick<ReaderHost, 'audiences' | 'settings'>,
  type?: ContentType,
  isVerbatim = false,
): ParsedDraft =>
  parseDraft(text, {
    keepFrontMatter: settings.keepsFrontMatter,
    isVerbatim,
    type,
    // {@link DraftReader.read} reports audiences that can't be read.
    audiences: () => {
      const { audiences: readable, unreadable } = audiences.read();
      return [...readable.keys(), ...unreadable.keys()];
    },
  });

const NONE: ReadonlySet<string> = new Set();

/**
 * For each rule, whom it leaves out, given the notes about the chats that it names, and what is said if no recipient is
 * among them.
 */
const MEANINGS: Readonly<Record<ChatsRule, { leavesOut(named: Notes): LeavesOut; idleText(): ShownText }>> = {
  except: {
    leavesOut: noted,
    idleText: () => l10n.t('except: leaves nobody out, because no recipient is in it.'),
  },
};

/**
 * Reads drafts with the files that they name. All who check, show or send drafts share one reader, which keeps what it has
 * read.
 */
export class DraftReader {
  readonly files = new RecipientFiles();
  readonly #host: ReaderHost;

  constructor(host: ReaderHost) {
    this.#host = host;
  }

  /** See {@link parseText}. */
  parse(text: string, type?: ContentType, isVerbatim = false): ParsedDraft {
    return parseText(text, this.#host, type, isVerbatim);
  }

  /** Reads a document, and the files that it names. `parsed` is what {@link parse} made of it. */
  async read(
    document: Pick<TextDocument, 'getText' | 'uri'>,
    parsed: ParsedDraft = this.parse(document.getText()),
  ): Promise<ReadDraft> {
    const text = document.getText();
    const { where } = parsed;
    const files: DraftFile[] = [];
    for (const { recipientFile: named } of namedIn(parsed))
      if (named) files.push({ named, file: await this.files.read(document.uri, named) });
    const file = fileOf(files, 'recipients');
    const inFile = file && 'table' in file ? file.table : undefined;
    const picked = inFile && where && (await pickRows(inFile, where));
    const table = picked ?? inFile;
    const never = this.#host.never.read();
    const noList = parsed.hasBlock ? neverProblem(never) : '';
    const audiences = namedIn(parsed).flatMap((one) => one.audiences);
    const { unreadable } = this.#host.audiences.read();
    const notes = byRule(() => new Map<string, string>());
    for (const rule of CHATS_RULES) await this.#note(parsed.namedBy[rule], fileOf(files, rule), notes[rule]);
    const rules = new Rules({
      never: noted(never.notes),
      ...byRule((rule) => (parsed.namedBy[rule] ? MEANINGS[rule].leavesOut(notes[rule]) : listed(NONE))),
      where: listed(picked?.unmatched ?? NONE),
      // Who needn't get the message is known only once it's sent.
      needless: listed(NONE),
    });
    const problems = [
      ...parsed.problems,
      ...(await recipientProblems(text, parsed, files, picked, rules)),
      ...audiences.flatMap(({ name, start, end }) => {
        const entries = unreadable.get(name);
        return entries ? [{ severity: 'error' as const, text: unreadableText(name, entries), start, end }] : [];
      }),
      ...(noList ? [{ severity: 'error' as const, text: noList, ...TOP }] : []),
    ];
    const canSend = problems.every(({ severity }) => severity !== 'error');
    // If the draft can't be sent, not all recipients may be known.
    if (canSend) problems.push(...CHATS_RULES.flatMap((rule) => this.#idleProblems(rule, parsed, table, notes[rule])));
    return {
      parsed,
      files,
      table,
      rules,
      problems: inDocumentOrder(problems),
      message: canSend ? parsed.message : undefined,
    };
  }

  /** Says that a rule names no recipient, if the recipients are known and the rule is meant for anybody. */
  #idleProblems(rule: ChatsRule, parsed: ParsedDraft, table: RecipientTable | undefined, notes: Notes): Problem[] {
    const written = parsed.namedBy[rule];
    if (!written || (notes.size === 0 && !written.recipientFile)) return [];
    const named = new Set(this.chatsOf(parsed).map(chatKey));
    const sources = [named, table?.rows, table?.unmatched].filter((one) => one !== undefined && one.size > 0);
    if (sources.length === 0) return [];
    for (const key of notes.keys()) if (sources.some((one) => one?.has(key))) return [];
    const { start, end } = written;
    return [{ severity: 'warning', text: MEANINGS[rule].idleText(), start, end }];
  }

  /** Notes the chats that a rule names, each with the audience or the file that says so. */
  async #note(named: NamedChats | undefined, file: RecipientFile | undefined, notes: Map<string, string>) {
    if (!named) return;
    for (const { kind, id } of named.recipients) notes.set(chatKey({ kind, id }), '');
    const add = (chat: Chat, note: string) => !notes.has(chatKey(chat)) && notes.set(chatKey(chat), note);
    for (const { name } of named.audiences) for (const one of this.#host.audiences.get(name) ?? []) add(one, name);
    const path = named.recipientFile?.path ?? '';
    if (file && 'table' in file) await new TimeSlices().each(file.table.rows.values(), ({ chat }) => add(chat, path));
  }

  /**
   * How many groups and people a draft is addressed to, and how many are left out: as {@link chatsOf} and {@link Rules.divide} would tell,
   * which take longer.
   */
  countOf(parsed: ParsedDraft, table?: RecipientTable, rules = NO_RULES): Record<Chat['kind'] | 'leftOut', number> {
    const counts = { ...(table?.counts ?? { group: 0, user: 0 }), leftOut: table?.unmatched?.size ?? 0 };
    const named = new Map<string, Chat>();
    for (const chat of this.chatsOf(parsed)) named.set(chatKey(chat), chat);
    const isElsewhere = (key: string) => table?.rows.has(key) || table?.unmatched?.has(key);
    for (const [key, chat] of named) {
      if (isElsewhere(key)) continue;
      counts[rules.reasonFor(chat) ? 'leftOut' : chat.kind]++;
    }
    for (const { chat } of table ? rules.among(table.rows) : []) {
      counts[chat.kind]--;
      counts.leftOut++;
    }
    return counts;
  }

  /** The chats that a draft is addressed to, including audiences and the rows of its file, without duplicates. */
  chatsOf({ recipients, audiences }: ParsedDraft, table?: RecipientTable): Chat[] {
    const chats = new Map<string, Chat>();
    const add = ({ kind, id }: Chat) => chats.set(chatKey({ kind, id }), { kind, id });
    for (const one of recipients) add(one);
    for (const { name } of audiences) for (const one of this.#host.audiences.get(name) ?? []) add(one);
    // There may be 100,000 rows. Adding each to the set would block for too long, so they're taken by their keys.
    const rows: Chat[] = [];
    for (const [key, { chat }] of table?.rows ?? []) if (!chats.has(key)) rows.push(chat);
    return [...chats.values(), ...rows];
  }

  /**
   * The draft in a document: of the type that its front matter names, or of the type that the user chose.
   * @throws UserFacingError if it can't be sent, NeverListError if nothing can
   */
  async draftIn(document: TextDocument, contentType?: 'markdown' | 'text' | 'html'): Promise<Draft> {
    // Only the error of this check leads to the list.
    neverNotes(this.#host.never);
    const name = nameOf(document);
    const text = document.getText();
    // In the source code of a program, braces are its own.
    const isVerbatim = document.languageId !== 'markdown';
    this.files.expire();
    const verbatim = this.parse(text, contentType, isVerbatim);
    const { parsed, files, table, rules, message, problems } = await this.read(
      document,
      // A document that names a file of recipients means its columns by braces.
      verbatim.recipientFile ? this.parse(text, contentType) : verbatim,
    );
    const inMarkdown = parsed === verbatim && isProse(document) ? this.parse(text, contentType) : undefined;
    if (!message) {
      const errors = problems.filter(({ severity }) => severity === 'error').map(({ text }) => text);
      throw new UserFacingError(l10n.t("{0} can't be sent. {1}", name, joinSentences(...errors)));
    }
    const version = versionText(document);
    return {
      name,
      source: sourceOf(document),
      uri: document.uri.toString(),
      document: text,
      message,
      botId: parsed.bot?.id,
      follows: parsed.follows,
      chats: this.chatsOf(parsed, table),
      variables: parsed.isTemplate ? new MessageTemplate(message).variables : [],
      table,
      rules,
      problems: [
        ...(version === undefined ? [] : [version]),
        ...countedProblems(problems)
          .filter(({ notIn }) => notIn !== 'plan')
          .map(({ text }) => text),
        ...(inMarkdown?.isTemplate && inMarkdown.shown ? bracesText(inMarkdown.shown) : []),
        ...unsavedTexts(files),
      ],
    };
  }
}

/** Whether braces are seldom meant to be sent in a text, though only Markdown has variables. */
const isProse = ({ languageId }: Pick<TextDocument, 'languageId'>) =>
  languageId === 'plaintext' || languageId === 'html';

const MAX_BRACES = 3;

/** Warns of what would be variables of a message if its document was Markdown. */
export function bracesText(message: Outgoing): ShownText[] {
  const names = new MessageTemplate(message).variables.map(variableName);
  if (names.length === 0) return [];
  return [
    l10n.t(
      'Sent with their braces, as they are: {0}. To insert values, change the language of the document to Markdown.',
      joinNames(firstTexts(names, MAX_BRACES)),
    ),
  ];
}

const unsavedTexts = (files: readonly DraftFile[]) => [
  ...new Set(
    files.flatMap(({ file: { uri } }) =>
      uri && isUnsaved(uri) ? [l10n.t("{0} has unsaved changes, which aren't used.", fileName(uri))] : [],
    ),
  ),
];

/**
 * Whether a file has changes that aren't saved. Only the saved file is read: an editor may have opened it in the wrong
 * encoding.
 */
const isUnsaved = (file: Uri) =>
  workspace.textDocuments.some(({ isDirty, uri }) => isDirty && uri.toString() === file.toString());

/** The name of a document as on its tab: VS Code names one without a file by its first words. */
const nameOf = (document: TextDocument) =>
  (document.isUntitled && tabOf(document.uri)?.label) || documentName(document);

/** The address of a document; undefined for an untitled one, as a later document may get the same address. */
const sourceOf = ({ isUntitled, uri }: TextDocument) => (isUntitled ? undefined : uri.toString());

/** A document in one of its versions: diffs and the timeline show earlier versions under the same name. */
type Version = Pick<TextDocument, 'uri'>;

/** The query that VS Code's Git extension puts into addresses. */
const GitQuery = v.pipe(v.string(), v.parseJson(), v.object({ ref: v.string() }));

/** The name of a document, with its version if it isn't the current one. */
export function documentName({ uri }: Version): string {
  const version = gitVersion({ uri });
  return version === undefined ? fileName(uri) : l10n.t('{0} ({1})', fileName(uri), version);
}

/** Says which version a document is; undefined for the current one. */
export function versionText(document: Version): ShownText | undefined {
  if (isEditable(document)) return undefined;
  const version = gitVersion(document);
  return version === undefined
    ? l10n.t('This document is read-only and may be an earlier version.')
    : l10n.t('This is the version {0}, not the current one.', version);
}

function gitVersion({ uri: { scheme, query } }: Version): ShownText | undefined {
  const parsed = scheme === 'git' ? v.safeParse(GitQuery, query) : undefined;
  if (!parsed?.success) return undefined;
  const { ref } = parsed.output;
  // The names are those in VS Code's titles.
  if (ref === '' || ref === '~') return l10n.t('Index');
  return excerpt(ref.replace(/^([0-9a-f]{8})[0-9a-f]{32}/, '$1'), 60, escapeAllInvisible);
}

/** The name of a content type (contract 2.7). */
export function contentName(contentType: Outgoing['contentType']): ShownText {
  switch (contentType) {
    case 'markdown':
      return shownText`Markdown`;
    case 'text':
      return l10n.t('Text');
    case 'html':
      return shownText`HTML`;
    case 'file':
      return l10n.t('File');
    case 'image':
      return l10n.t('Image');
  }
}
