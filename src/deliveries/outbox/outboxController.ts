/** The outbox's controller: its deliveries, their rows, and what can be done with them. Loaded on first use. */
import { l10n, type Uri } from 'vscode';
import { MAX_MEMBERS } from '../../platform/audiences.ts';
import { signalOf } from '../../platform/cancellation.ts';
import type { DeliveryReader, Host } from '../../platform/host.ts';
import { openDurableFiles } from '../../platform/openDurableFiles.ts';
import { tooManyText } from '../../presentation/audienceNames.ts';
import { askModal, copyText, showProgress } from '../../presentation/dialogs.ts';
import { errorText, showError, UserFacingError } from '../../presentation/errorText.ts';
import { formatCount, formatDateTime, joinSentences } from '../../presentation/formats.ts';
import { type Clock, systemClock, Timer } from '../../service/clock.ts';
import { ServiceError } from '../../service/errors.ts';
import { ChangedDeliveries } from './changedDeliveries.ts';
import { serviceOf, tokenFor } from './deliveryAccess.ts';
import { type DeliveryCheck, listThrough } from './deliveryCheck.ts';
import { offerActions } from './deliveryNotice.ts';
import { actionsOn, actionsOnFamily, type DeliveryAction } from './deliveryState.ts';
import type { DeliveryStatus } from './deliveryStatus.ts';
import { creationTimeOf, DeletedError, DeliveryStore, HEARTBEAT_TIMEOUT } from './deliveryStore.ts';
import { summaryOf, unreachedRecipients } from './deliverySummary.ts';
import type { DocumentAddress, EditedDocuments } from './editedDocuments.ts';
import { openMessage } from './openMessage.ts';
import { Outbox, type OutboxEntry, type ScheduledEntry } from './outbox.ts';
import { jointEntry, OutboxTree } from './outboxTree.ts';
import { csvOf, reportOf } from './report.ts';
import { type DeliveryFamily, familiesOf, jointStatus } from './resends.ts';
import { unreadableText } from './treeItems.ts';

/** A delivery changes with every batch; its row is painted at most this often (milliseconds)… */
const REPAINT_ROW = 250;
/** …and its open report, which is long. */
const REPAINT_REPORT = 1_000;

type ReadAction = 'copyReport' | 'copyReportCsv' | 'saveRecipients';

interface OutboxView {
  /** Shows the deliveries as they are now. */
  repaint(): void;
  /** Shows the open reports of these deliveries as they are now. */
  repaintReports(ids: ReadonlySet<string>): void;
  /** Other documents edit messages, or other messages: those at these addresses. */
  editsChanged(documents: readonly string[]): void;
}

type OutboxHost = Pick<Host, 'access' | 'commands' | 'connection' | 'tokens'>;

export class OutboxController implements DeliveryReader {
  readonly outbox: Outbox;
  readonly tree: OutboxTree;
  readonly documents: EditedDocuments;
  readonly #host: OutboxHost;
  readonly #changedRows: ChangedDeliveries;
  readonly #changedReports: ChangedDeliveries;
  readonly #view: OutboxView;
  /** The deliveries that were edited last, with their documents. */
  #knownEdits = '';
  readonly #look = new Timer(() => void this.reportInterrupted());

  /** `folder` is where deliveries are stored. */
  constructor(host: OutboxHost, folder: Uri, view: OutboxView, documents: EditedDocuments, clock: Clock = systemClock) {
    this.#host = host;
    this.documents = documents;
    this.#view = view;
    this.#changedRows = new ChangedDeliveries(REPAINT_ROW, () => {
      view.repaint();
      void this.compareEdits();
    });
    this.#changedReports = new ChangedDeliveries(REPAINT_REPORT, (ids) => view.repaintReports(ids));
    const onChange = (id: string) => {
      this.#changedRows.add(id);
      this.#changedReports.add(id);
    };
    this.outbox = new Outbox(new DeliveryStore(openDurableFiles(folder), clock), onChange, clock);
    this.tree = new OutboxTree(this.outbox, host.connection);
  }

  /** Does something with a delivery, or shows more of it. @throws UserFacingError if its state doesn't offer that */
  async act(action: 'cancel' | 'check' | 'remove' | ReadAction, id: string): Promise<void> {
    switch (action) {
      case 'copyReport':
      case 'copyReportCsv':
        return copyText(await this.reportText(action === 'copyReport' ? 'markdown' : 'csv', id));
      case 'saveRecipients':
        return this.#saveRecipients((await this.entry(id)).status);
      case 'check':
        return this.#check(id);
      case 'cancel': {
        const { status } = await this.entryFor(action, id);
        if (this.outbox.cancel(status.delivery.id)) return;
        throw new UserFacingError(l10n.t('Another window is sending this. Cancel it there.'));
      }
      case 'remove':
        return this.#remove(id);
    }
  }

  /** A delivery of the outbox. @throws UserFacingError if it doesn't exist or can't be read */
  async entry(id: string): Promise<OutboxEntry> {
    const entry = await this.#find(id);
    if (!entry) throw isGone();
    return entry;
  }

  /** A delivery as its row and its report show it: together with its resends, whose IDs are `resends`. Rejects as `entry` does. */
  async reported(id: string): Promise<OutboxEntry & { resends: string[]; actions: DeliveryAction[] }> {
    const entry = await this.entry(id);
    const family = await this.#familyOf(id);
    if (!family || family.length === 1) return { ...entry, resends: [], actions: actionsOn(entry) };
    const joint = await jointEntry(family);
    const { counts, total } = joint.status;
    return {
      ...joint,
      resends: family.slice(1).map((one) => one.status.delivery.id),
      actions: actionsOnFamily(family, counts.reached === total),
    };
  }

  async reportText(format: 'markdown' | 'csv', id: string): Promise<string> {
    const entry = await this.reported(id);
    return format === 'csv' ? csvOf(entry.status) : reportOf(entry);
  }

  /**
   * A delivery whose state offers an action, or its resend that does. A delivery that was resent is resent to everyone that
   * none of them has reached. @throws UserFacingError if none of them offers the action
   */
  async entryFor(action: DeliveryAction, id: string): Promise<OutboxEntry> {
    const entry = await this.entry(id);
    if (actionsOn(entry).includes(action)) return entry;
    const family = await this.#familyOf(id);
    const { counts, total } = family ? await jointStatus(family) : entry.status;
    if (!family || !actionsOnFamily(family, counts.reached === total).includes(action)) throw hasChanged(entry);
    return (action !== 'resend' && family.find((one) => actionsOn(one).includes(action))) || family[0];
  }

  /** Opens the message of a delivery to edit it. Resolves to the address of its document. */
  async openToEdit({ status }: Pick<OutboxEntry, 'status'>): Promise<Uri> {
    const { id } = status.delivery;
    const uri = await openMessage(status, this.documents.get(id));
    this.documents.set(id, uri);
    await this.compareEdits();
    return uri;
  }

  /** The delivery through a service that is edited in a document, and which is replaced by what is sent of it. */
  async editedIn(document: DocumentAddress, service: { address: string }): Promise<OutboxEntry | undefined> {
    return this.#entryOf(document, service, await this.outbox.edited());
  }

  /** The next delivery through a service that is scheduled, and was made of a document. */
  async scheduledFrom(document: DocumentAddress, service: { address: string }): Promise<ScheduledEntry | undefined> {
    return this.#entryOf(document, service, await this.outbox.scheduled());
  }

  #entryOf<E extends OutboxEntry>(document: DocumentAddress, { address }: { address: string }, entries: readonly E[]) {
    return entries.find(
      ({ status: { delivery } }) => delivery.service === address && this.documents.isOf(delivery, document),
    );
  }

  /** Tells the view if other messages are edited or scheduled than before, or in other documents. */
  async compareEdits(): Promise<void> {
    // What can't be read is listed as such in the outbox.
    const planned = await this.outbox.planned().catch(() => []);
    const edits = planned
      .map(({ due, status: { delivery } }) => `${delivery.id} ${this.documents.get(delivery.id)} ${due}`)
      .join();
    if (edits === this.#knownEdits) return;
    this.#knownEdits = edits;
    const edited = planned.filter(({ editedDue }) => editedDue !== undefined);
    this.#view.editsChanged(edited.flatMap(({ status }) => this.documents.addressesOf(status.delivery)));
  }

  /** See {@link DeliveryReader}. */
  async list(): ReturnType<DeliveryReader['list']> {
    const entries = await this.outbox.entries();
    const deliveries = entries.flatMap((entry) => ('error' in entry ? [] : [summaryOf(entry)]));
    return { deliveries, unreadable: entries.length - deliveries.length };
  }

  /** See {@link DeliveryReader}. */
  async get(...[id, includes, limit]: Parameters<DeliveryReader['get']>): ReturnType<DeliveryReader['get']> {
    const entry = await this.#find(id);
    return entry && { delivery: summaryOf(entry), unreached: unreachedRecipients(entry, includes, limit) };
  }

  /** Reports deliveries interrupted by a crash; those of a window that may still be alive once it is silent. */
  async reportInterrupted(): Promise<void> {
    try {
      for (const entry of await this.outbox.interrupted()) {
        const { counts, delivery, total } = entry.status;
        const words = l10n.t(
          'The delivery of “{0}” was interrupted. Reached: {1} of {2}. Unknown: {3}. Not sent: {4}.',
          delivery.name,
          ...[counts.reached, total, counts.unknown, counts.notSent + counts.rejected].map(formatCount),
        );
        void offerActions(words, entry, this.#host.commands).catch(showError);
      }
      if (await this.outbox.isAnyRunning()) this.#look.start(HEARTBEAT_TIMEOUT);
    } catch (error) {
      void showError(error);
    }
  }

  /** Resolves when the answers of the calls in progress are stored. */
  close(): Promise<void> {
    this.#changedRows.dispose();
    this.#changedReports.dispose();
    this.#look.stop();
    return this.outbox.close();
  }

  #find(id: string): Promise<OutboxEntry | undefined> {
    return this.outbox.get(id).catch((error) => {
      throw new UserFacingError(unreadableText(error));
    });
  }

  /** A delivery with the resends in its row; undefined if it's in the row of another one. */
  async #familyOf(id: string): Promise<DeliveryFamily<OutboxEntry> | undefined> {
    return familiesOf(await this.outbox.all()).find(([{ status }]) => status.delivery.id === id);
  }

  /** Adds all recipients of a delivery to an audience. */
  async #saveRecipients(status: DeliveryStatus): Promise<void> {
    if (status.total > MAX_MEMBERS) throw new UserFacingError(tooManyText());
    const chats = status.recipients();
    await this.#host.commands.run('addToAudience', undefined, chats);
  }

  /** Reads the chats of the recipients that may have the message of a delivery, or that of a resend of it. */
  async #check(id: string): Promise<void> {
    const { delivery, total } = (await this.entryFor('check', id)).status;
    const service = await serviceOf(delivery, this.#host.access);
    const token = service && (await tokenFor(delivery.bot.id, service, this.#host));
    if (!token) return;
    const before = await this.outbox.unreached(id);
    const checks = await showProgress(l10n.t('Checking delivery'), async (report, cancellation) => {
      const list = listThrough(service, token);
      const progress = (done: number, of: number) =>
        report({
          message: l10n.t('{0} of {1}', formatCount(done), formatCount(of)),
          increment: 100 / of / before.toCheck.length,
        });
      const signal = signalOf(cancellation);
      const checks: (DeliveryCheck | undefined)[] = [];
      for (const one of before.toCheck) checks.push(await this.outbox.check(one, list, signal, progress));
      return checks;
    }).then(undefined, (error) => {
      throw error instanceof DeletedError ? isGone() : error;
    });
    if (checks.includes(undefined)) throw beingSent();
    const after = await this.outbox.unreached(id);
    const reached = before.recipients.length - after.recipients.length;
    const known = before.uncertain.length - after.uncertain.length;
    const words = l10n.t(
      'Checked {0} of {1}: {2} reached, {3} not reached, {4} still unknown.',
      formatCount(before.uncertain.length),
      total === 1 ? l10n.t('1 recipient') : l10n.t('{0} recipients', formatCount(total)),
      ...[reached, known - reached, after.uncertain.length].map(formatCount),
    );
    const unread = checks.flatMap((check) => check?.unclear ?? []).find((one) => one.error !== undefined)?.error;
    const noChat = checks.flatMap((check) => check?.found ?? []).find((one) => one.failure)?.failure;
    const error = unread ?? (noChat && new ServiceError(noChat));
    const early = checks.reduce((sum, check) => sum + (check?.early.length ?? 0), 0);
    const notListed =
      early > 0 && l10n.t("Messages that aren't listed yet: {0}. Check again in a minute.", formatCount(early));
    const text = joinSentences(words, notListed, error !== undefined && errorText(error));
    await offerActions(text, await this.entry(id), this.#host.commands, { error });
  }

  /** Deletes a delivery, even one that can't be read, after the user confirms it: its results are stored nowhere else. */
  async #remove(id: string): Promise<void> {
    const entry = await this.outbox.get(id).catch(() => undefined);
    const family = (entry && (await this.#familyOf(id))) ?? [entry];
    const name = entry?.status.delivery.name ?? formatDateTime(creationTimeOf(id));
    const remove = l10n.t('Delete');
    const detail =
      entry?.due === undefined
        ? l10n.t("The delivery results are deleted. Messages already sent aren't recalled.")
        : l10n.t("The message is deleted and won't be sent.");
    const text = l10n.t('Delete the delivery of “{0}” from the outbox?', name);
    if ((await askModal(text, detail, remove)) !== remove) return;
    // The last one first: a delivery that is deleted before its resend would change that.
    for (const one of family.toReversed()) {
      const current = one?.status.delivery.id ?? id;
      if (await this.outbox.remove(current, one?.claimCount)) continue;
      // It may have been sent while the user thought about it.
      const now = await this.outbox.get(current).catch(() => undefined);
      throw now && !now.isRunning ? hasChanged(now) : beingSent();
    }
  }
}

/** Says that a delivery doesn't offer any more what it did when the user saw it. */
export const hasChanged = ({ status: { delivery } }: Pick<OutboxEntry, 'status'>) =>
  new UserFacingError(l10n.t('“{0}” has changed. Check the outbox to see what you can do now.', delivery.name));

const isGone = () => new UserFacingError(l10n.t('This delivery is no longer in the outbox.'));

/** Says that a delivery can't be changed while it is sent. */
export const beingSent = () => new UserFacingError(l10n.t('This message is being sent, in this window or another.'));
