/** Imports a file with the outbox and the archive of another computer. Each delivery is taken over as a whole, or not at all. */
import type { LogOutputChannel, Uri } from 'vscode';
import type { ArchivePart, ImportedChat, MovableArchive } from '../chats/contract.ts';
import type { MergeResult, MovableOutbox, MovedDelivery } from '../deliveries/contract.ts';
import { joinShown } from '../markup/escapeInvisible.ts';
import { type FilePiece, readPieces } from '../platform/fileReader.ts';
import { nameInNotice } from '../presentation/describe.ts';
import {
  askModal,
  type ReportProgress,
  reportShare,
  showInfo,
  showProgress,
  showWarning,
  signalOf,
} from '../presentation/dialogs.ts';
import { errorText } from '../presentation/errorText.ts';
import { formatCount, formatDateTime, joinSentences } from '../presentation/formats.ts';
import { l10n } from '../presentation/shown.ts';
import { toError } from '../service/errors.ts';
import { linesOf } from './compressedLines.ts';
import { type MovedPart, MoveError, readMoved } from './moveFile.ts';
import { contentsText, deliveriesText, moveErrorText } from './moveTexts.ts';

interface Ports {
  /** Undefined if only the archive is imported. */
  readonly outbox: MovableOutbox | undefined;
  /** The archive; undefined in a browser, where there's none. */
  readonly archive: MovableArchive | undefined;
  readonly log: Pick<LogOutputChannel, 'error'>;
}

/** A message that was scheduled on the other computer. */
interface Due {
  readonly id: string;
  /** When it was to be sent there (Unix ms). */
  readonly due: number;
}

interface Imported {
  readonly results: Record<MergeResult, number>;
  readonly due: Due[];
  readonly chats: ChatsImport;
  ended: 'whole' | 'canceled' | { readonly error: unknown };
}

/** Imports a file if the user wants that, and says what came of it. */
export async function importMoved({ outbox, archive, log }: Ports, uri: Uri, file: string): Promise<void> {
  const made = await readMade();
  if (!(await confirm(made))) return;
  const imported = await showProgress(l10n.t('Importing {0}', nameInNotice(file)), (report, token) =>
    importAll(report, signalOf(token)),
  );
  show(imported);
  await outbox?.askToSchedule(imported.due);

  async function readMade(): Promise<Extract<MovedPart, { what: 'made' }>> {
    for await (const part of readMoved(linesOf(readPieces(uri)))) if (part.what === 'made') return part;
    throw new MoveError('damaged');
  }

  async function confirm({ at, deliveries, chats, messages }: Extract<MovedPart, { what: 'made' }>): Promise<boolean> {
    const yes = l10n.t('Import');
    const lines = [
      l10n.t('It was made on {0} and has {1}.', formatDateTime(at), contentsText(deliveries, chats, messages)),
      outbox &&
        deliveries > 0 &&
        l10n.t(
          'Nothing is sent. What is in the outbox stays, and what has gone further on the other computer is added.',
        ),
      !outbox && deliveries > 0 && l10n.t('Only the archived chats are imported.'),
      archive && chats > 0 && l10n.t('Messages that are archived here already are kept once.'),
      !archive && chats > 0 && l10n.t('The archived chats are left out: there is no archive in a browser.'),
    ];
    const question = l10n.t('Import {0}?', file);
    return (await askModal(question, joinShown(lines, '\n\n'), yes)) === yes;
  }

  async function importAll(report: ReportProgress, signal: AbortSignal): Promise<Imported> {
    const results = { added: 0, extended: 0, kept: 0, diverged: 0, sending: 0, damaged: 0 };
    const chats = new ChatsImport(archive, file);
    const imported: Imported = { results, due: [], chats, ended: 'whole' };
    let at = 0;
    try {
      for await (const part of readMoved(linesOf(observed(readPieces(uri), reportShare(report))))) {
        signal.throwIfAborted();
        switch (part.what) {
          case 'made':
            at = part.at;
            break;
          case 'delivery':
            await merge(part.delivery, at, imported, signal);
            report({ message: deliveriesText(Object.values(results).reduce((sum, count) => sum + count, 0)) });
            break;
          default:
            await chats.add(part);
            report({ message: l10n.t('{0} new messages', formatCount(chats.messages)) });
        }
      }
    } catch (error) {
      if (!signal.aborted) log.error(toError(error));
      imported.ended = signal.aborted ? 'canceled' : { error };
    } finally {
      await chats.stop();
    }
    return imported;
  }

  async function merge(delivery: MovedDelivery, at: number, imported: Imported, signal: AbortSignal): Promise<void> {
    if (!outbox) return;
    const result = await outbox.merge(delivery, at, signal);
    imported.results[result]++;
    const { id, due } = delivery;
    if (due !== undefined && result !== 'damaged') imported.due.push({ id, due });
  }

  function show({ results, chats, ended }: Imported): void {
    const { added, extended, kept, diverged, sending, damaged } = results;
    const counted = (count: number, text: (count: string) => string) => count > 0 && text(formatCount(count));
    const news = contentsText(added, chats.count, chats.messages);
    const isFine = ended === 'whole' && diverged + damaged === 0 && chats.error === undefined;
    const isAllRead = outbox !== undefined && archive !== undefined;
    if (isFine && isAllRead && added + extended + sending + chats.messages === 0)
      return void showInfo(l10n.t('Nothing new: everything in {0} was here already.', nameInNotice(file)));
    const text = joinSentences(
      ended === 'canceled' && l10n.t('The import was canceled.'),
      typeof ended !== 'string' && explained(ended.error),
      ended === 'whole'
        ? l10n.t('Imported from {0}: {1}.', nameInNotice(file), news)
        : l10n.t('Imported until then: {0}. Import it again to continue.', news),
      chats.error !== undefined &&
        l10n.t("The archived chats weren't imported to the end. {0}", explained(chats.error)),
      counted(extended, (count) => l10n.t('Deliveries that had gone further there: {0}.', count)),
      counted(kept, (count) => l10n.t('Deliveries that were here already: {0}.', count)),
      counted(diverged, (count) =>
        l10n.t('Deliveries that went on differently on both computers, and stay as they are here: {0}.', count),
      ),
      counted(sending, (count) => l10n.t('Deliveries that are being sent here, and stay as they are: {0}.', count)),
      counted(damaged, (count) => l10n.t("Damaged deliveries, which weren't imported: {0}.", count)),
    );
    void (isFine ? showInfo(text) : showWarning(text));
  }

  function explained(error: unknown): string {
    return error instanceof MoveError ? moveErrorText(error, file) : errorText(error);
  }
}

/** Hands the chats of a file to the archive, until the archive fails: the deliveries don't depend on it. */
class ChatsImport {
  readonly #archive: MovableArchive | undefined;
  readonly #file: string;
  #chat: ImportedChat | undefined;
  count = 0;
  /** How many messages were new. */
  messages = 0;
  /** Why the archive failed, if it did. */
  error: unknown;

  constructor(archive: MovableArchive | undefined, file: string) {
    this.#archive = archive;
    this.#file = file;
  }

  async add(part: Extract<MovedPart, ArchivePart>): Promise<void> {
    if (!this.#archive || this.error !== undefined) return;
    try {
      if (part.what === 'page') {
        const added = await this.#chat?.add(part.page);
        if (added === undefined) throw new MoveError('damaged', part.line);
        this.messages += added;
      } else if (part.what === 'chat') {
        this.#chat = await this.#archive.begin(part.chat, this.#file);
        this.count++;
      } else {
        await this.#chat?.end(true);
        this.#chat = undefined;
      }
    } catch (error) {
      this.error = error;
    }
  }

  /** The file has ended, perhaps in the middle of a chat. */
  async stop(): Promise<void> {
    await this.#chat?.end(false).catch((error) => {
      this.error ??= error;
    });
  }
}

/** Says how much of a file is read, from 0 to 1. */
export async function* observed(
  pieces: AsyncGenerator<FilePiece, void>,
  onRead: (done: number) => void,
): AsyncGenerator<FilePiece, void> {
  for await (const piece of pieces) {
    onRead(piece.done);
    yield piece;
  }
}
