/** Moves the outbox and the archive to another computer in a file, which an import merges into what that computer has. */
import type { Uri } from 'vscode';
import type { ImportedLines, MovableArchive } from '../chats/contract.ts';
import type { MovableOutbox, MovedDelivery, OutboxSurvey } from '../deliveries/contract.ts';
import { joinShown } from '../markup/escapeInvisible.ts';
import { BufferLimitError } from '../platform/fileAppender.ts';
import { readPieces } from '../platform/fileReader.ts';
import type { Host } from '../platform/host.ts';
import { isBrowser } from '../platform/node.ts';
import { nameInNotice } from '../presentation/describe.ts';
import { askModal, type ReportProgress, showInfo, showProgress, signalOf } from '../presentation/dialogs.ts';
import { errorText, UserFacingError } from '../presentation/errorText.ts';
import { askFile, askSaveTarget, exportFileName, fileName, type SaveTarget } from '../presentation/fileDialogs.ts';
import { formatCount, joinSentences } from '../presentation/formats.ts';
import { l10n } from '../presentation/shown.ts';
import { systemClock } from '../service/clock.ts';
import { toError } from '../service/errors.ts';
import { compress, linesOf } from './compressedLines.ts';
import { isMoved, type MovedPart, MoveError, writeMoved } from './moveFile.ts';
import { importMoved, observed } from './moveImport.ts';
import { contentsText, deliveriesText, moveErrorText } from './moveTexts.ts';

interface MovePorts {
  outbox(): Promise<MovableOutbox>;
  /** The archive; undefined in a browser, where there's none. */
  archive(): Promise<MovableArchive | undefined>;
}

type MovingHost = Pick<Host, 'extensionUri' | 'log'>;

interface ExportOptions {
  readonly at: number;
  onTaken(delivery: MovedDelivery): void;
  readonly report: ReportProgress;
  readonly signal: AbortSignal;
}

/** What is exported. */
interface Contents {
  readonly ids: readonly string[];
  /** The IDs of scheduled deliveries that are canceled here. */
  readonly scheduled: readonly string[];
  readonly chats: number;
  readonly messages: number;
}

export class MoveController {
  readonly #host: MovingHost;
  readonly #ports: MovePorts;
  #isMoving = false;

  constructor(host: MovingHost, ports: MovePorts) {
    this.#host = host;
    this.#ports = ports;
  }

  /** Writes outbox and archive to a file that the user chooses. Scheduled deliveries in it are canceled here. */
  async moveData(): Promise<void> {
    // Of two exports at once, each would schedule again what the other one has canceled.
    if (this.#isMoving) throw new UserFacingError(l10n.t('The outbox and the archive are already being copied.'));
    this.#isMoving = true;
    await this.#move().finally(() => {
      this.#isMoving = false;
    });
  }

  async #move(): Promise<void> {
    const outbox = await this.#ports.outbox();
    const archive = await this.#ports.archive();
    const survey = await outbox.survey();
    const { chats, messages } = (await archive?.survey()) ?? { chats: 0, messages: 0 };
    if (survey.ids.length + chats === 0) {
      throw new UserFacingError(l10n.t("There's nothing to copy: the outbox and the archive are empty."));
    }
    const answer = await askToMove(survey, chats, messages);
    if (!answer) return;
    const title = l10n.t('Copy Outbox and Archive');
    const name = `${exportFileName('Bot Chats', '', new Date(systemClock.wall()))}.ndjson`;
    const target = await askSaveTarget({ title, type: 'Bot Chats', name, extension: 'gz' }, this.#host);
    if (!target) return;
    const ids = survey.ids.filter((id) => !survey.scheduled.includes(id));
    const scheduled = answer === 'all' ? survey.scheduled : [];
    await this.#export(target, outbox, archive, { ids, scheduled, chats, messages });
  }

  importData(): Promise<void> {
    return this.importMessages();
  }

  /** Imports a file that the user chooses: one from {@link moveData}, or messages, into the archived chat with this number. */
  async importMessages(chat?: number): Promise<void> {
    const title = chat === undefined ? l10n.t('Import Outbox and Archive') : l10n.t('Import Messages');
    const uri = await askFile(title, { 'Bot Chats': ['gz', 'ndjson', 'jsonl'] });
    if (!uri) return;
    const file = fileName(uri);
    const [outbox, archive] = [await this.#ports.outbox(), await this.#ports.archive()];
    try {
      const first = await firstLineOf(uri);
      if (isMoved(first)) {
        const ports = { outbox: chat === undefined ? outbox : undefined, archive, log: this.#host.log };
        await importMoved(ports, uri, file);
      } else if (!archive) throw first.startsWith('{') ? noArchive(file) : new MoveError('foreign');
      else {
        const lines: ImportedLines = (onRead = () => {}) => linesOf(observed(readPieces(uri), onRead));
        await archive.importMessages(file, lines, chat);
      }
    } catch (error) {
      throw explain(error, file, this.#host);
    }
  }

  async #export(
    target: SaveTarget,
    outbox: MovableOutbox,
    archive: MovableArchive | undefined,
    contents: Contents,
  ): Promise<void> {
    const at = systemClock.wall();
    const taken: string[] = [];
    let scheduled = 0;
    const onTaken = ({ id, due }: MovedDelivery) => {
      taken.push(id);
      if (due !== undefined) scheduled++;
    };
    const fileText = () =>
      l10n.t(
        'Saved in {0}: {1}.',
        nameInNotice(target.name),
        contentsText(taken.length, contents.chats, contents.messages),
      );
    const isDone = await showProgress(l10n.t('Copying outbox and archive'), async (report, token) => {
      const signal = signalOf(token);
      const parts = partsOf(outbox, archive, contents, { at, onTaken, report, signal });
      const file = await target.open();
      try {
        for await (const bytes of compress(writeMoved(parts))) await file.append(bytes);
        signal.throwIfAborted();
      } catch (error) {
        await file.discard();
        const failure = signal.aborted ? undefined : explain(error, target.name, this.#host);
        await outbox.keep().catch((thrown) => {
          this.#host.log.error(toError(thrown));
          throw new UserFacingError(joinSentences(errorText(failure ?? thrown), stillCanceledText()));
        });
        if (failure === undefined) return false;
        throw failure;
      }
      await file.finish().catch(async (error) => {
        // Although noting it failed, the file may be there.
        await outbox.leave(taken, at).catch((thrown) => this.#host.log.error(toError(thrown)));
        await file.discard();
        throw new UserFacingError(joinSentences(errorText(error), scheduled > 0 && stillCanceledText()));
      });
      await outbox.leave(taken, at).catch((error) => {
        throw new UserFacingError(joinSentences(fileText(), unmarkedText(), errorText(error)));
      });
      return true;
    });
    if (!isDone) return void showInfo(l10n.t('Copying was canceled. Nothing has changed.'));
    const left = contents.ids.length + contents.scheduled.length - taken.length;
    void showInfo(
      joinSentences(
        fileText(),
        left > 0 && l10n.t('Left out, because they were being sent: {0}.', deliveriesText(left)),
        l10n.t('To import it on the other computer, run “Import Outbox and Archive…” there.'),
      ),
    );
  }
}

/** The contents of the file, which is made `at` a time (Unix ms). */
async function* partsOf(
  outbox: MovableOutbox,
  archive: MovableArchive | undefined,
  { ids, scheduled, chats, messages }: Contents,
  { at, onTaken, report, signal }: ExportOptions,
): AsyncGenerator<MovedPart, void> {
  yield { what: 'made', at, deliveries: ids.length + scheduled.length, chats, messages };
  const total = ids.length + scheduled.length;
  let count = 0;
  const take = async function* (chosen: readonly string[], isScheduled: boolean): AsyncGenerator<MovedPart, void> {
    for (const id of chosen) {
      signal.throwIfAborted();
      const delivery = await outbox.take(id, at, isScheduled);
      if (!delivery) continue;
      onTaken(delivery);
      report({ message: l10n.t('{0} of {1}', formatCount(++count), deliveriesText(total)) });
      yield { what: 'delivery', delivery };
    }
  };
  yield* take(ids, false);
  let done = 0;
  for await (const part of archive?.read() ?? []) {
    signal.throwIfAborted();
    yield part;
    if (part.what !== 'page') continue;
    done = Math.min(messages, done + part.page.jsons.length);
    report({ message: l10n.t('{0} of {1} messages', formatCount(done), formatCount(messages)) });
  }
  // Scheduled deliveries come last: if VS Code is closed before, they are still scheduled here.
  yield* take(scheduled, true);
}

/** Asks whether to move, and whether what is scheduled goes with it. The default button changes nothing here. */
async function askToMove(
  { ids, scheduled, sending, unreadable }: OutboxSurvey,
  chats: number,
  messages: number,
): Promise<'all' | 'unscheduled' | undefined> {
  const file = l10n.t('Choose File…');
  const without = l10n.t('Leave Them Here');
  const all = l10n.t('Move Them, Too');
  const count = scheduled.length;
  const lines = [
    l10n.t('The file gets {0}. All of it stays here, too.', contentsText(ids.length, chats, messages)),
    l10n.t(
      "It has no tokens and no settings, so no Do Not Send list. It isn't encrypted: anyone who has the file can read the messages.",
    ),
    sending > 0 && l10n.t('Left out, because they are being sent: {0}.', deliveriesText(sending)),
    unreadable > 0 && l10n.t("Left out, because they can't be read: {0}.", deliveriesText(unreadable)),
    count > 0 &&
      (count === 1
        ? l10n.t(
            "1 message is scheduled. If you move it, it isn't sent from here anymore, and you schedule it there after the import.",
          )
        : l10n.t(
            "{0} messages are scheduled. If you move them, they aren't sent from here anymore, and you schedule them there after the import.",
            formatCount(count),
          )),
  ];
  const question = l10n.t('Copy the outbox and the archive to a file for another computer?');
  const buttons = count > 0 ? [without, all] : [file];
  const chosen = await askModal(question, joinShown(lines, '\n\n'), ...buttons);
  if (chosen === undefined) return undefined;
  return chosen === without ? 'unscheduled' : 'all';
}

const stillCanceledText = () => l10n.t('What was scheduled is canceled now. Schedule it again in the outbox.');

/** The outbox couldn't note what is in the file. */
const unmarkedText = () =>
  l10n.t("The outbox couldn't mark what was copied: continue each delivery on one computer only.");

/** The messages of an exported file can't be kept. */
const noArchive = (file: string) =>
  new UserFacingError(l10n.t("The messages of {0} can't be imported: there is no archive in a browser.", file));

async function firstLineOf(uri: Uri): Promise<string> {
  for await (const line of linesOf(readPieces(uri))) return line;
  throw new MoveError('foreign');
}

function explain(error: unknown, file: string, { log }: Pick<Host, 'log'>): unknown {
  if (error instanceof UserFacingError) return error;
  log.error(toError(error));
  if (error instanceof MoveError) return new UserFacingError(moveErrorText(error, file));
  if (!(error instanceof BufferLimitError)) return error;
  return new UserFacingError(
    isBrowser()
      ? l10n.t('{0} is too large for a browser. Use a desktop or remote window.', file)
      : l10n.t('{0} is too large for a file on another computer. Choose a local file.', file),
  );
}
