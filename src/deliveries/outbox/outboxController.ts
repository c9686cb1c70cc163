/** The outbox as the user handles it: what can be done with a delivery, and what is edited. Loaded on first use. */
import type { Uri } from 'vscode';
import { MAX_MEMBERS } from '../../platform/audiences.ts';
import { openDurableFiles } from '../../platform/createStored.ts';
import type { Host } from '../../platform/host.ts';
import { tooManyText } from '../../presentation/describe.ts';
import { askModal, showInfo, showProgress, signalOf } from '../../presentation/dialogs.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import { formatCount, formatDateTime } from '../../presentation/formats.ts';
import { showError } from '../../presentation/showError.ts';
import { l10n } from '../../presentation/shown.ts';
import { type Clock, systemClock, Timer } from '../../service/clock.ts';
import { accessTo } from './deliveryAccess.ts';
import { type DeliveryCheck, listThrough, sumUpChecks } from './deliveryCheck.ts';
import { DeliveryMoves } from './deliveryMoves.ts';
import { hasChanged, isGone, offerActions, outdated } from './deliveryNotice.ts';
import { DeletedError, DeliveryStore } from './deliveryStore.ts';
import { checkedText, headingOf, interruptedText, unreadableText } from './deliveryTexts.ts';
import type { DocumentAddress, EditedDocuments } from './editedDocuments.ts';
import { HEARTBEAT_TIMEOUT } from './heartbeats.ts';
import { Outbox } from './outbox.ts';
import {
  actionsOn,
  actionsOnFamily,
  type DeliveryAction,
  type OutboxEntry,
  type ScheduledEntry,
  type StoredEntry,
} from './outboxEntry.ts';
import { creationTimeOf } from './record.ts';
import { familyFrom, jointEntry, jointStatus } from './resends.ts';
import { reportCanceled } from './scheduleAgain.ts';
import { openMessage } from './sentDocument.ts';

/** How often edited deliveries are compared at most (milliseconds): a delivery changes with every batch. */
const COMPARE_INTERVAL = 250;

interface OutboxEvents {
  /** A delivery has changed. */
  changed(id: string): void;
  /** What the documents at these addresses edit has changed. */
  editsChanged(documents: readonly string[]): void;
}

type OutboxHost = Pick<Host, 'access' | 'chatEvents' | 'commands' | 'tokens'>;

export class OutboxController {
  readonly outbox: Outbox;
  readonly moves: DeliveryMoves;
  readonly documents: EditedDocuments;
  readonly #host: OutboxHost;
  readonly #events: OutboxEvents;
  /** The deliveries that were edited at the last comparison, with their documents. */
  #knownEdits = '';
  readonly #compare = new Timer(() => void this.compareEdits());
  readonly #poll = new Timer(() => void this.reportInterrupted());

  /** `folder` is where deliveries are stored. */
  constructor(
    host: OutboxHost,
    folder: Uri,
    events: OutboxEvents,
    documents: EditedDocuments,
    clock: Clock = systemClock,
  ) {
    this.#host = host;
    this.documents = documents;
    documents.onDidChange(() => void this.compareEdits());
    this.#events = events;
    const onChange = (id: string) => {
      events.changed(id);
      this.#compare.start(COMPARE_INTERVAL);
    };
    const files = openDurableFiles(folder);
    const store = new DeliveryStore(files, clock);
    this.outbox = new Outbox(store, onChange, clock);
    this.moves = new DeliveryMoves(files, store, this.outbox, onChange);
  }

  /** A delivery of the outbox. @throws UserFacingError if it doesn't exist or can't be read */
  async entry(id: string): Promise<OutboxEntry> {
    const entry = await this.outbox.get(id).catch((error) => {
      throw new UserFacingError(unreadableText(error));
    });
    if (!entry) throw isGone();
    return entry;
  }

  /** A delivery as its row and its report show it: together with its resends, whose IDs are `resends`. Rejects as `entry` does. */
  async reported(id: string): Promise<OutboxEntry & { resends: string[]; actions: DeliveryAction[] }> {
    const entry = await this.entry(id);
    const family = familyFrom(id, await this.outbox.all());
    if (!family) return { ...entry, resends: [], actions: actionsOn(entry) };
    const joint = await jointEntry(family);
    return {
      ...joint,
      resends: family.slice(1).map((one) => one.status.delivery.id),
      actions: actionsOnFamily(family, joint.status),
    };
  }

  /**
   * A delivery whose state offers an action, or its resend that does. A delivery that was resent is resent to everyone that
   * none of them has reached. @throws UserFacingError if none of them offers the action
   */
  async entryFor(action: Exclude<DeliveryAction, 'cancel'>, id: string): Promise<StoredEntry> {
    const entry = await this.#offering(action, id);
    // A delivery that is being sent can only be canceled.
    if (entry.isRunning) throw hasChanged(entry);
    return entry;
  }

  /** Stops a delivery after the call under way. @throws UserFacingError if it isn't being sent, or by another window */
  async cancel(id: string): Promise<void> {
    const { status } = await this.#offering('cancel', id);
    if (this.outbox.runs.cancel(status.delivery.id)) return;
    throw new UserFacingError(l10n.t('Another window is sending this. Cancel it there.'));
  }

  /** Adds all recipients of a delivery and its resends to an audience. Rejects as `entry` does, or if they are too many. */
  async saveRecipients(id: string): Promise<void> {
    const { status } = await this.reported(id);
    if (status.total > MAX_MEMBERS) throw new UserFacingError(tooManyText());
    const chats = status.recipients();
    await this.#host.commands.run('addToAudience', undefined, chats);
  }

  /** Reads the chats of those who may have the message of a delivery or of its resends. Rejects as `entryFor` does. */
  async check(id: string): Promise<void> {
    const { delivery, total } = (await this.entryFor('check', id)).status;
    if ((await this.outbox.unreached(id)).toCheck.length === 0)
      return void showInfo(l10n.t("There's nothing left to check."));
    const access = await accessTo(delivery, this.#host);
    if (!access) return;
    const before = await this.outbox.unreached(id);
    const checks = await showProgress(l10n.t('Checking delivery'), async (report, cancellation) => {
      const list = listThrough(access.service, access.token);
      const progress = (done: number, of: number) =>
        report({
          message: l10n.t('{0} of {1}', formatCount(done), formatCount(of)),
          increment: 100 / of / before.toCheck.length,
        });
      const signal = signalOf(cancellation);
      const checks: DeliveryCheck[] = [];
      for (const one of before.toCheck) {
        const check = await this.outbox.check(one, list, signal, progress);
        if (!check) throw await outdated(one, this.outbox);
        checks.push(check);
      }
      return checks;
    }).then(undefined, (error) => {
      throw error instanceof DeletedError ? isGone() : error;
    });
    const after = await this.outbox.unreached(id);
    const result = sumUpChecks(checks, before, after);
    this.#host.chatEvents.sent({ service: delivery.service, messages: result.messages });
    const { status, actions } = await this.reported(id);
    await offerActions(checkedText(result, total), status, actions, this.#host.commands, { error: result.error });
  }

  /** Deletes a delivery, even one that can't be read, after the user confirms it: its results are stored nowhere else. */
  async remove(id: string): Promise<void> {
    const entry = await this.outbox.get(id).catch(() => undefined);
    const family = (entry && familyFrom(id, await this.outbox.all())) ?? [entry];
    const name = entry ? headingOf(entry.status.delivery) : formatDateTime(creationTimeOf(id));
    const remove = l10n.t('Delete');
    const isUnsent = family.every((one) => one && !one.isRunning && one.status.isUnsent);
    const movedAt = family.map((one) => one?.status.movedAt).find((at) => at !== undefined);
    const unsent =
      movedAt === undefined
        ? l10n.t("The message is deleted and won't be sent.")
        : l10n.t(
            "The message is deleted and won't be sent from here. It was copied to a file on {0}, so another computer may still send it.",
            formatDateTime(movedAt),
          );
    const detail = isUnsent
      ? unsent
      : l10n.t("The delivery results are deleted. Messages already sent aren't recalled.");
    const text = l10n.t('Delete the delivery of “{0}” from the outbox?', name);
    if ((await askModal(text, detail, remove)) !== remove) return;
    // The last resend goes first: deleting a delivery before its resend would change the resend.
    for (const one of family.toReversed()) {
      const current = one?.status.delivery.id ?? id;
      if (await this.outbox.remove(current, one && !one.isRunning ? one.claimCount : undefined)) continue;
      // The delivery may have been sent while the user thought about it.
      throw await outdated(current, this.outbox);
    }
  }

  /** Opens the message of a delivery to edit it. Resolves to the address of its document. */
  async openToEdit({ status }: Pick<OutboxEntry, 'status'>): Promise<Uri> {
    const { id } = status.delivery;
    const uri = await openMessage(status, this.documents.get(id));
    this.documents.set(id, uri);
    await this.compareEdits();
    return uri;
  }

  /**
   * The delivery through a service that is edited in a document, and which is replaced by what is sent of it: the one with
   * this ID, if given, as several may be.
   */
  async editedIn(
    document: DocumentAddress,
    service: { address: string },
    id?: string,
  ): Promise<StoredEntry | undefined> {
    const edited = await this.outbox.edited();
    const isWanted = ({ status }: StoredEntry) => id === undefined || status.delivery.id === id;
    return this.#entryOf(document, service, edited.filter(isWanted));
  }

  /** The next delivery through a service that is scheduled, and was made of a document. */
  async scheduledFrom(document: DocumentAddress, service: { address: string }): Promise<ScheduledEntry | undefined> {
    return this.#entryOf(document, service, await this.outbox.scheduled());
  }

  #entryOf<E extends StoredEntry>(document: DocumentAddress, { address }: { address: string }, entries: readonly E[]) {
    return entries.find(
      ({ status: { delivery } }) => delivery.service === address && this.documents.isOf(delivery, document),
    );
  }

  /** Tells the view if other messages are edited or scheduled than before, or in other documents. */
  async compareEdits(): Promise<void> {
    // Deliveries that can't be read are listed as such in the outbox.
    const waiting = await this.outbox.waiting().catch(() => []);
    const edits = waiting
      .map(({ due, status: { delivery } }) => `${delivery.id} ${this.documents.get(delivery.id)} ${due}`)
      .join();
    if (edits === this.#knownEdits) return;
    this.#knownEdits = edits;
    const edited = waiting.filter(({ editedDue }) => editedDue !== undefined);
    this.#events.editsChanged(edited.flatMap(({ status }) => this.documents.addressesOf(status.delivery)));
  }

  /** Reports deliveries interrupted by a crash; those of a window that may be alive are reported once it's silent. */
  async reportInterrupted(): Promise<void> {
    try {
      const canceled = (await this.moves.unfinished()).flatMap(({ canceledDue: due, status: { delivery } }) =>
        due === undefined ? [] : [{ id: delivery.id, name: headingOf(delivery), due }],
      );
      if (canceled.length > 0) void reportCanceled(canceled, this.outbox).catch(showError);
      for (const entry of await this.outbox.interrupted()) {
        const { status } = entry;
        await this.outbox.markUnseen(status.delivery.id);
        void offerActions(interruptedText(status), status, actionsOn(entry), this.#host.commands).catch(showError);
      }
      if (await this.outbox.heartbeats.any()) this.#poll.start(HEARTBEAT_TIMEOUT);
    } catch (error) {
      void showError(error);
    }
  }

  /** Resolves when the answers of the calls in progress are stored. */
  close(): Promise<void> {
    this.#compare.stop();
    this.#poll.stop();
    return this.outbox.runs.close();
  }

  async #offering(action: DeliveryAction, id: string): Promise<OutboxEntry> {
    const entry = await this.entry(id);
    // A lookup may have found recipients who didn't exist.
    const isOffered = (actions: readonly DeliveryAction[]) =>
      actions.includes(action) || (action === 'resend' && actions.includes('lookUp'));
    if (isOffered(actionsOn(entry))) return entry;
    const family = familyFrom(id, await this.outbox.all());
    if (!family || !isOffered(actionsOnFamily(family, await jointStatus(family)))) throw hasChanged(entry);
    return (action !== 'resend' && family.find((one) => actionsOn(one).includes(action))) || family[0];
  }
}
