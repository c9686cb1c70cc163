/**
 * Imports the messages of an exported file (NDJSON). The file has messages as the service listed them, and nothing else:
 * neither the chat, nor its bot, nor whether messages are missing. So the user names the chat, and the archive doesn't
 * claim to know what is beside any of the messages.
 */
import * as v from 'valibot';
import type { Host } from '../../platform/host.ts';
import { chooseReader } from '../../presentation/chatReader.ts';
import { KIND_ICONS, knownOwnName, nameInNotice, namesAt } from '../../presentation/describe.ts';
import {
  askModal,
  listItem,
  pickOne,
  type ReportProgress,
  reportShare,
  separator,
  showInfo,
  showProgress,
  signalOf,
} from '../../presentation/dialogs.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import { joinPhrases } from '../../presentation/factParts.ts';
import { formatCount, joinNames, joinSentences } from '../../presentation/formats.ts';
import { pickChat } from '../../presentation/pickChat.ts';
import { l10n, type ShownText } from '../../presentation/shown.ts';
import { showReadOnly } from '../../presentation/textEditors.ts';
import { systemClock } from '../../service/clock.ts';
import { isWithinLimits } from '../../service/elements.ts';
import { parseJson } from '../../service/json.ts';
import { Listed, type Message } from '../../service/message.ts';
import { MAXIMUM } from '../../service/operations.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import { ArchiveError } from '../archive/archiveError.ts';
import type { ArchivedChat } from '../archive/chatTable.ts';
import type { RemoteArchive } from '../archive/remote.ts';
import type { ImportedLines } from '../contract.ts';
import { explained } from './archiveErrorText.ts';
import { messagesText, type ShownNames } from './archiveItems.ts';

/** By how many messages the chat is recognized, in how much of the file (UTF-16 units): it's read without progress. */
const SAMPLE = 200;
const LENGTH_OF_SAMPLE = 10_000_000;
/** How much of a line is cheap to read (UTF-16 units): as much takes no longer than an empty line. */
const LENGTH_OF_LINE = 100;

/** How much is imported at once: so many messages, or their JSON (UTF-16 units). */
const AT_ONCE = 500;
const LENGTH_AT_ONCE = 1_000_000;

/** How many lines that can't be used are listed. */
const MAX_LISTED = 1_000;
const MAX_NAMED = 5;

type ImportingHost = Pick<Host, 'access' | 'connection' | 'lists' | 'store' | 'tokens'>;

interface Chats {
  list(): Promise<ArchivedChat[]>;
  namesOf(chat: ArchivedChat): Promise<ShownNames>;
}

/** A chat to import into. */
interface Target {
  readonly number: number;
  readonly name: string;
}

export class MessageImport {
  readonly #archive: RemoteArchive;
  readonly #host: ImportingHost;
  readonly #chats: Chats;
  readonly #showChange: () => void;

  /** `showChange` shows which chats are archived now. */
  constructor(archive: RemoteArchive, host: ImportingHost, chats: Chats, showChange: () => void) {
    this.#archive = archive;
    this.#host = host;
    this.#chats = chats;
    this.#showChange = showChange;
  }

  /** See {@link MovableArchive.importMessages}. */
  async run(file: string, lines: ImportedLines, chat?: number): Promise<void> {
    const sample = await sampleOf(lines());
    if (sample.length === 0) {
      throw new UserFacingError(
        l10n.t(
          '{0} has no messages that can be imported. Choose a file from “Export History…” in the NDJSON format, or one from “Copy Outbox and Archive…”.',
          file,
        ),
      );
    }
    const target = await this.#target(file, sample, chat);
    if (!target) return;
    const result: ImportResult = { messages: 0, added: 0, unusable: [], unusableCount: 0, isCanceled: false };
    try {
      await showProgress(l10n.t('Importing {0}', nameInNotice(file)), (report, token) =>
        this.#import(file, lines(reportShare(report)), target, report, signalOf(token), result),
      );
    } catch (error) {
      // Messages that were imported before the error stay.
      if (result.added > 0) void showInfo(importedText(file, target.name, result.added));
      throw error;
    } finally {
      this.#showChange();
    }
    await showResult(file, target.name, result);
  }

  async #target(file: string, sample: readonly string[], chat?: number): Promise<Target | undefined> {
    const chats = await this.#chats.list();
    const known = chats.length > 0 ? await explained(this.#archive.chatsWith(sample)) : [];
    const given = chats.find(({ number }) => number === chat);
    return given ? this.#confirm(file, given, chats, known) : this.#ask(file, chats, known);
  }

  /** Asks whether the file belongs to a chat if its messages are in another one. */
  async #confirm(
    file: string,
    chat: ArchivedChat,
    chats: readonly ArchivedChat[],
    known: readonly { chat: number }[],
  ): Promise<Target | undefined> {
    const { name } = await this.#chats.namesOf(chat);
    const target = { number: chat.number, name };
    const other = chats.find(({ number }) => number === known[0]?.chat);
    if (!other || known.some((one) => one.chat === chat.number)) return target;
    const anyway = l10n.t('Import Anyway');
    const question = l10n.t('Import {0} into the archive of {1}?', file, name);
    const detail = l10n.t(
      'Its messages are in the archive of {0}, and none of them is in this one. Searches would find them in both.',
      (await this.#chats.namesOf(other)).name,
    );
    return (await askModal(question, detail, anyway)) === anyway ? target : undefined;
  }

  async #ask(
    file: string,
    chats: readonly ArchivedChat[],
    known: readonly { chat: number; count: number }[],
  ): Promise<Target | undefined> {
    const hits = (chat: ArchivedChat) => known.find((one) => one.chat === chat.number)?.count ?? 0;
    const items = await Promise.all(
      chats
        .toSorted((one, other) => hits(other) - hits(one))
        .map(async (chat) => {
          const { name, otherName, botName } = await this.#chats.namesOf(chat);
          const has = hits(chat) > 0 && l10n.t('has messages of this file');
          const description = joinPhrases(otherName, has, messagesText(chat.messages), l10n.t('as {0}', botName));
          const icon = KIND_ICONS[chat.botChat.kind];
          return listItem({ icon, label: name, description, choose: async () => ({ number: chat.number, name }) });
        }),
    );
    const title = l10n.t('Import {0}', file);
    const another = listItem({ label: l10n.t('Another Chat…'), choose: () => this.#addChat(title) });
    const placeHolder = l10n.t("Which chat is it? The file doesn't say.");
    const rest = items.length > 0 ? [{ ...separator(''), choose: async () => undefined }] : [];
    const picked = await pickOne([...items, ...rest, another], { title, placeHolder, matchOnDescription: true });
    return picked?.choose();
  }

  /** A chat that the user picks or names; mostly it isn't archived yet. */
  async #addChat(title: ShownText): Promise<Target | undefined> {
    const chat = await pickChat(this.#host, title);
    const chosen = chat && (await chooseReader(this.#host, chat));
    if (!chosen) return undefined;
    const { botChat, name } = chosen;
    const known = await namesAt(this.#host.connection, botChat.service);
    // The service's own name of the chat is kept, because the archive may be moved to somebody else.
    const names = { name: (known && knownOwnName(known, botChat.kind, botChat.id)) ?? '', botName: '' };
    // If the chat is archived nevertheless, it goes back no further than before.
    const number =
      (await explained(this.#archive.numberOf(botChat))) ??
      (await explained(this.#archive.beginImport(botChat, undefined, names)));
    return { number, name };
  }

  async #import(
    file: string,
    lines: AsyncGenerator<string, void>,
    { number }: Target,
    report: ReportProgress,
    signal: AbortSignal,
    result: ImportResult,
  ): Promise<void> {
    const archive = this.#archive;
    let jsons: string[] = [];
    let length = 0;
    const flush = async () => {
      const added = archive.importPage(number, { jsons, isApart: true }).catch((error) => {
        // The messages that were imported before are gone, too.
        if (error instanceof ArchiveError && error.problem === 'removed') result.added = 0;
        throw error;
      });
      result.added += (await explained(added)) ?? 0;
      result.messages += jsons.length;
      [jsons, length] = [[], 0];
      report({ message: l10n.t('{0} read', messagesText(result.messages)) });
    };
    const slices = new TimeSlices();
    let at = 0;
    try {
      for await (const line of lines) {
        at++;
        if (signal.aborted) break;
        if (!line.trim()) continue;
        if (await messageOf(line, slices)) {
          jsons.push(line);
          length += line.length;
        } else if (++result.unusableCount <= MAX_LISTED) result.unusable.push(at);
        if (jsons.length === AT_ONCE || length >= LENGTH_AT_ONCE) await flush();
      }
      if (!signal.aborted) await flush();
    } finally {
      const { added: messages } = result;
      await explained(archive.endImport(number, { name: file, at: systemClock.wall(), messages }));
    }
    result.isCanceled = signal.aborted;
  }
}

interface ImportResult {
  /** How many messages the file has. */
  messages: number;
  /** How many of the messages are new. */
  added: number;
  /** The numbers of the first lines that are no messages, and how many there are. */
  unusable: number[];
  unusableCount: number;
  isCanceled: boolean;
}

/** The IDs of the first messages. */
async function sampleOf(lines: AsyncGenerator<string, void>): Promise<string[]> {
  const slices = new TimeSlices();
  const ids: string[] = [];
  let length = 0;
  for await (const line of lines) {
    const message = line && (await messageOf(line, slices));
    if (message) ids.push(message.msgId);
    length += line.length + LENGTH_OF_LINE;
    if (ids.length === SAMPLE || length > LENGTH_OF_SAMPLE) break;
  }
  return ids;
}

/** The message of a line, unless no response could have it. */
async function messageOf(line: string, slices: TimeSlices): Promise<Message | undefined> {
  if (line.length > MAXIMUM.bytes) return undefined;
  const raw = await parseJson(line, MAXIMUM.values, slices).catch(() => undefined);
  const entry = isWithinLimits(raw) ? v.parse(Listed, raw) : undefined;
  return entry?.readable ? entry.message : undefined;
}

function importedText(file: string, chat: string, added: number): ShownText {
  const names = [nameInNotice(file), nameInNotice(chat)] as const;
  return added === 1
    ? l10n.t('Imported 1 message from {0} into the archive of {1}.', ...names)
    : l10n.t('Imported {0} messages from {1} into the archive of {2}.', formatCount(added), ...names);
}

async function showResult(file: string, chat: string, result: ImportResult): Promise<void> {
  const { messages, added, unusable, unusableCount, isCanceled } = result;
  const known = messages - added;
  const named = joinNames(unusable.slice(0, MAX_NAMED).map(formatCount));
  const lines =
    unusableCount === 0
      ? ''
      : unusableCount <= MAX_NAMED
        ? l10n.t("Lines that aren't messages: {0}.", named)
        : l10n.t("Lines that aren't messages: {0}, and {1} more.", named, formatCount(unusableCount - MAX_NAMED));
  const text = joinSentences(
    isCanceled && l10n.t('The import was canceled.'),
    importedText(file, chat, added),
    known > 0 && l10n.t('Already there: {0}.', formatCount(known)),
    lines,
    isCanceled && l10n.t('Import it again to continue.'),
  );
  const show = l10n.t('Show Lines');
  if ((await showInfo(text, ...(unusableCount > MAX_NAMED ? [show] : []))) !== show) return;
  const rest = unusableCount > unusable.length ? '\n…' : '';
  const content = `${l10n.t("Lines of {0} that aren't messages", file)}\n\n${unusable.join('\n')}${rest}\n`;
  await showReadOnly(`${file}.txt`, content);
}
