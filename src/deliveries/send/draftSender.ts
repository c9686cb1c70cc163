/** Begins the journey of a message (`journey.ts`) from a document, a draft or a delivery, and asks its questions. */
import { type TextDocument, Uri } from 'vscode';
import type { Access } from '../../connecting/contract.ts';
import type { Host } from '../../platform/host.ts';
import { askTime } from '../../presentation/askTime.ts';
import { withLabel } from '../../presentation/describe.ts';
import { showInfo } from '../../presentation/dialogs.ts';
import { formatCount, joinSentences } from '../../presentation/formats.ts';
import { outboxNote } from '../../presentation/keptText.ts';
import { lookUp } from '../../presentation/lookups.ts';
import { showError } from '../../presentation/showError.ts';
import { l10n, type ShownText } from '../../presentation/shown.ts';
import { systemClock } from '../../service/clock.ts';
import { type Chat, chatKey } from '../../service/model.ts';
import type { MessageEdits } from '../contract.ts';
import { CHATS_RULES } from '../draft/document/keys.ts';
import type { Draft, DraftReader } from '../draft/draftReader.ts';
import { Rules } from '../draft/leaveOut.ts';
import { unknownAmong } from '../draft/unknownRecipients.ts';
import { serviceOf, tokenFor } from '../outbox/deliveryAccess.ts';
import { outdated } from '../outbox/deliveryNotice.ts';
import { scheduledText, timeHasPassed } from '../outbox/deliveryTexts.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { OutboxController } from '../outbox/outboxController.ts';
import type { StoredEntry } from '../outbox/outboxEntry.ts';
import type { Delivery } from '../outbox/record.ts';
import { runDelivery } from '../outbox/runDelivery.ts';
import { closeUntitled } from '../outbox/sentDocument.ts';
import { shownName } from '../plan/deliveryPlan.ts';
import { NO_ROWS } from '../plan/planText.ts';
import { namedRecipients, recipientOf } from '../plan/recipientNames.ts';
import { askRecipients, rememberedRecipients, rememberRecipients } from '../plan/recipientPicker.ts';
import { confirm, confirmTrial } from './confirmation.ts';
import {
  type Addressing,
  type AnswerIn,
  begin,
  type Confirmed,
  type End,
  type Event,
  type Planned,
  type Purpose,
  reduce,
  type State,
  wantedOf,
} from './journey.ts';
import {
  address,
  beginAddressing,
  checkUnchanged,
  deliveryOf,
  isRecordedSince,
  nobodyError,
  plan,
  rulesNow,
  unpickedRows,
} from './steps.ts';
import { askTrialChat, trialText } from './trial.ts';

type SenderHost = Parameters<typeof runDelivery>[3] &
  Pick<Host, 'access' | 'audiences' | 'connection' | 'lists' | 'settings'>;

type Controller = Pick<OutboxController, 'documents' | 'editedIn' | 'entryFor' | 'outbox'>;

export class DraftSender {
  readonly #host: SenderHost;
  readonly #controller: Controller;
  readonly #reader: Pick<DraftReader, 'parse' | 'read'>;

  constructor(host: SenderHost, controller: Controller, reader: Pick<DraftReader, 'parse' | 'read'>) {
    this.#host = host;
    this.#controller = controller;
    this.#reader = reader;
  }

  get #outbox(): Outbox {
    return this.#controller.outbox;
  }

  /**
   * Sends a draft to the given chats, or else to those that it names or the user chooses. Sends nothing until the user
   * confirms. `editedId` is the delivery that the draft replaces, if the user has chosen one.
   */
  async sendDraft(draft: Draft, chats: readonly Chat[] = [], editedId?: string): Promise<void> {
    const { access, never, store } = this.#host;
    const service = await access.openService();
    if (!service) return;
    const isToChats = chats.length > 0;
    const edited = isToChats ? undefined : await this.#controller.editedIn(draft, service, editedId);
    const named = isToChats ? chats : draft.chats;
    const botId =
      draft.botId ??
      edited?.status.delivery.bot.id ??
      (await access.chooseBot(service, l10n.t('Send as which bot?'), undefined, named));
    if (!botId) return;
    const purpose: Purpose = edited ? { type: 'edit', entry: edited } : { type: 'new' };
    // Recipients who were left out of the edited delivery as needless stay left out.
    const needless = edited?.status.needless ?? new Set<string>();
    const { rows, others } = isToChats
      ? { rows: NO_ROWS, others: [] }
      : await unpickedRows(draft, rulesNow({ draft, purpose, needless }, never), service.directory);
    const addressees = [...named, ...others];
    const offered = addressees.length > 0 ? addressees : (edited?.status.recipients() ?? []);
    const recipients = await namedRecipients(offered, service, draft.table);
    // Only a stored document has a preview in which the rows of its file can be changed.
    const isInFile = !isToChats && draft.table && draft.source !== undefined;
    // If no row of a file is picked, everyone is left out, and the user isn't asked for recipients.
    const chosenBy = recipients.length + rows.count === 0 ? 'user' : isInFile ? 'file' : 'draft';
    const last = rememberedRecipients(store, service, draft).map((one) => recipientOf(one, service.directory));
    const chosen = chosenBy === 'user' ? last : recipients;
    await this.#follow({ draft, purpose, service, chosen, chosenBy, needless, rows }, botId);
  }

  /**
   * Resends a delivery to the recipients that it may not have reached. Asks for confirmation. If they all don't exist, it can
   * look them up again, once, and does so without a question if the user `looksUp`.
   */
  async resend(id: string, { looksUp = false, hasLookedUp = false } = {}): Promise<void> {
    const { delivery } = (await this.#controller.entryFor('resend', id)).status;
    const unreached = await this.#outbox.unreached(id);
    if (unreached.recipients.length === 0) {
      void showInfo(l10n.t("Everyone has received this message. There's nothing to resend."));
      return;
    }
    const service = await serviceOf(delivery, this.#host.access);
    if (!service) return;
    const { directory } = service;
    const nobody = await unknownAmong(unreached.recipients, directory);
    for (const one of unreached.nobody) if (!directory.peek(one.kind, one.id)) nobody.add(one);
    if (unreached.recipients.every((one) => nobody.has(one))) {
      const again = l10n.t('Look Up Again');
      const text = nobodyLeftText(nobody.size);
      if (hasLookedUp) return void showInfo(joinSentences(l10n.t('Looked up again.'), text));
      if (!looksUp && (await showInfo(text, again)) !== again) return;
      const wanted = Array.from(nobody, ({ id, kind }) => ({ id, kinds: [kind] }));
      await lookUp(wanted, service, { accept: 'new', title: l10n.t('Looking up recipients') });
      return this.resend(id, { hasLookedUp: true });
    }
    await this.#follow(
      {
        draft: await this.#draftOf(delivery),
        purpose: { type: 'resend', delivery, unreached },
        service,
        chosen: unreached.recipients.map((one) => withLabel(one, directory)),
        chosenBy: delivery.variables ? 'report' : 'draft',
        needless: new Set(Array.from(nobody, chatKey)),
        rows: NO_ROWS,
      },
      delivery.bot.id,
    );
  }

  /** The draft that a delivery sent. People whom its document excludes get no resend either, even if they are chosen for it. */
  async #draftOf(delivery: Delivery): Promise<Draft> {
    const { name, source, document, message, variables } = delivery;
    const rules = Rules.excluding(delivery.leftOut?.people ?? []);
    const draft: Draft = { name, source, document, message, chats: [], rules, ...(variables && { variables }) };
    if (document === undefined) return draft;
    // The recipients of the delivery are known, so that the file isn't read.
    const parsed = { ...this.#reader.parse(document), recipientFile: undefined };
    if (CHATS_RULES.every((rule) => !parsed.namedBy[rule])) return draft;
    const uri = Uri.parse(source ?? 'untitled:');
    const read = await this.#reader.read({ getText: () => document, uri }, parsed);
    return { ...draft, rules: rules.or(read.rules.forAnybody) };
  }

  /** Asks until the journey has ended, and does what it ends with. */
  async #follow(from: Omit<Addressing, 'bot' | 'digest' | 'token' | 'trials'>, botId: string): Promise<void> {
    const { commands, store } = this.#host;
    // The token is asked for before the recipients, which would be lost if this prompt were canceled.
    const token = await tokenFor(botId, from.service, this.#host);
    if (!token) return;
    const end = await this.#ask(await beginAddressing({ ...from, token }, botId));
    if (end.how === 'nobody') throw nobodyError(end.nobody);
    if (end.how !== 'elsewhere') return;
    const { draft, purpose, service, chosenBy } = end.planned;
    const resent = purpose.type === 'resend' ? purpose.delivery.id : undefined;
    if (end.to === 'check') return commands.run('checkDelivery', resent);
    if (end.to === 'origin' && chosenBy === 'report') return commands.run('openReport', resent);
    if (end.to === 'origin') return commands.run('preview', Uri.parse(draft.source ?? ''));
    if (resent === undefined) await rememberRecipients(store, service, draft, wantedOf(end.planned));
    return commands.run('compareWithSent', end.to.compare);
  }

  async #ask(addressing: Addressing): Promise<End> {
    let state = begin(addressing);
    while (state.type !== 'ended') state = reduce(state, await this.#next(state));
    return state;
  }

  async #next(state: Exclude<State, { type: 'ended' }>): Promise<Event> {
    switch (state.type) {
      case 'choosing':
        if (state.nobody) void showError(nobodyError(state.nobody));
        return this.#choose(state.addressing);
      case 'planning': {
        const addressed = await address(state.addressing, this.#host.never);
        if (!('recipients' in addressed)) return { type: 'nobody', nobody: addressed };
        return { type: 'planned', planned: await plan(addressed, this.#controller, this.#host) };
      }
      case 'confirming':
        return this.#confirm(state.planned);
      case 'trying':
        return { type: 'tried', result: await this.#try(state.planned) };
      case 'timing': {
        const { draft, bot, purpose } = state.planned;
        const before = purpose.type === 'edit' ? purpose.entry.editedDue : undefined;
        const due = await askTime(l10n.t('Send “{0}” as {1} later', draft.name, shownName(bot)), before);
        return due === undefined ? { type: 'canceled' } : { type: 'schedule', due };
      }
      case 'recording':
        return this.#record(state.confirmed).catch((error: unknown): AnswerIn<'recording'> => {
          // After a trial, the confirmation that follows shows it: the recipients must not be lost.
          if (state.confirmed.planned.purpose.type === 'trial') return { type: 'recorded', result: { error } };
          throw error;
        });
    }
  }

  async #choose(addressing: Addressing): Promise<AnswerIn<'choosing'>> {
    const { draft, purpose, service, bot, chosen } = addressing;
    if (purpose.type === 'trial') {
      const chat = await askTrialChat(this.#host, service, purpose.recipients);
      return chat ? { type: 'chose', recipients: [chat] } : { type: 'canceled' };
    }
    const title = l10n.t('Send “{0}” as {1}', draft.name, shownName(bot));
    const rules = rulesNow(addressing, this.#host.never);
    const recipients = await askRecipients(this.#host, service, { title, chosen, rules });
    if (!recipients) return { type: 'canceled' };
    if (purpose.type !== 'resend') await rememberRecipients(this.#host.store, service, draft, recipients);
    return { type: 'chose', recipients };
  }

  async #confirm(planned: Planned): Promise<AnswerIn<'confirming'>> {
    if (planned.purpose.type === 'trial') return confirmTrial(planned);
    const note = outboxNote(this.#host.store);
    const answer = await confirm(planned, note?.text);
    if (answer.type === 'send' || answer.type === 'later' || answer.type === 'schedule') await note?.remember();
    return answer;
  }

  /** The result of trying a message first, on one line. Undefined if the user cancels. */
  async #try(planned: Planned): Promise<ShownText | undefined> {
    const purpose: Purpose = { type: 'trial', recipients: planned.recipients };
    const end = await this.#ask({
      ...planned.from,
      purpose,
      chosen: [],
      chosenBy: 'user',
      rows: NO_ROWS,
      trials: [],
    });
    return end.how === 'recorded' ? trialText(end.confirmed.planned, end.result) : undefined;
  }

  /** Has the outbox record what the user has confirmed, and sends it unless it's scheduled. */
  async #record(confirmed: Confirmed): Promise<AnswerIn<'recording'>> {
    const { planned, due } = confirmed;
    const { draft, purpose, service } = planned;
    // Whether a resend was recorded meanwhile, its claim tells.
    if (purpose.type !== 'resend' && (await isRecordedSince(planned, this.#outbox))) return { type: 'outdated' };
    await checkUnchanged(planned, this.#host);
    if (purpose.type === 'trial') {
      const [{ kind, id }] = planned.recipients;
      const place = { service: service.address };
      await this.#host.store.remember('testChats', place, { chat: { kind, id } }).catch(showError);
    }
    const delivery = await deliveryOf(confirmed);
    if (due !== undefined && due <= systemClock.wall()) {
      void showError(timeHasPassed());
      return { type: 'outdated' };
    }
    const edited = purpose.type === 'edit' ? await this.#claim(purpose.entry) : undefined;
    if (due !== undefined) {
      await this.#schedule({ ...delivery, due }, draft, edited);
      return { type: 'recorded', result: { due } };
    }
    const result = await runDelivery(delivery, planned, this.#outbox, this.#host, (...how) =>
      purpose.type === 'resend'
        ? this.#outbox.resend(delivery, purpose.unreached, ...how)
        : this.#outbox.start(delivery, ...how, edited),
    );
    // Another window has resent it.
    if (!result) throw await outdated(delivery.resends ?? delivery.id, this.#outbox);
    const { status, stopped } = result;
    const isKept = purpose.type !== 'trial' && stopped?.why !== 'deleted';
    if (isKept && status.counts.reached > 0) await closeUntitled(status.delivery, draft.uri);
    return { type: 'recorded', result };
  }

  /** Claims the delivery that the user has confirmed to replace: only one window can. @throws UserFacingError if it can't */
  async #claim(edited: StoredEntry): Promise<StoredEntry> {
    if (!(await this.#outbox.beginEdit(edited))) throw await outdated(edited.status.delivery.id, this.#outbox);
    return { ...edited, claimCount: edited.claimCount + 1 };
  }

  async #schedule(
    delivery: Delivery & { due: number },
    { uri }: Draft,
    edited: StoredEntry | undefined,
  ): Promise<void> {
    const { id, due } = delivery;
    if (uri !== undefined) this.#controller.documents.set(id, Uri.parse(uri));
    await this.#outbox.schedule(delivery);
    const change = l10n.t('Change Time…');
    const offerChange = async () => {
      const chosen = await showInfo(scheduledText(delivery, due), change);
      if (chosen === change) await this.#host.commands.run('rescheduleDelivery', id);
    };
    void offerChange().catch(showError);
    // The new delivery replaces the edited one. Nothing of the edited one would be sent even if this failed.
    if (edited) await this.#outbox.remove(edited.status.delivery.id, edited.claimCount);
    await closeUntitled(delivery, uri);
  }
}

const nobodyLeftText = (count: number) =>
  count === 1
    ? l10n.t("The recipient who wasn't reached doesn't exist.")
    : l10n.t("The {0} recipients who weren't reached don't exist.", formatCount(count));

interface Editing {
  readonly edits: Pick<MessageEdits, 'in'>;
  readonly controller: Pick<OutboxController, 'entry'>;
  readonly reader: Pick<DraftReader, 'draftIn' | 'parse'>;
}

/**
 * The draft in a document. An edited message keeps the type that the user chose, unless its document names one: `editedId`
 * tells which, as several may be edited in it.
 */
export async function readDraft(
  document: TextDocument,
  { edits, controller, reader }: Editing,
  editedId?: string,
): Promise<Draft> {
  const id = editedId ?? (await edits.in(document))?.id;
  const delivery = id === undefined ? undefined : (await controller.entry(id)).status.delivery;
  return reader.draftIn(document, delivery && chosenType(delivery, document.getText(), reader));
}

/** The document in which the message of a delivery is edited, once it's shown. Undefined if the user cancels. */
export async function openEdited(
  id: string,
  controller: Pick<OutboxController, 'entryFor' | 'openToEdit'>,
  access: Pick<Access, 'openService'>,
): Promise<Uri | undefined> {
  const entry = await controller.entryFor('sendEdited', id);
  const service = await serviceOf(entry.status.delivery, access);
  return service && controller.openToEdit(entry);
}

/** The type of a message, if its document didn't name it then and hasn't come to name another one since. */
function chosenType(
  { document = '', message: { contentType } }: Delivery,
  now: string,
  reader: Pick<DraftReader, 'parse'>,
) {
  if (contentType === 'image' || contentType === 'file') return undefined;
  const typeIn = (text: string) => reader.parse(text).shown?.contentType;
  return typeIn(document) === typeIn(now) ? contentType : undefined;
}
