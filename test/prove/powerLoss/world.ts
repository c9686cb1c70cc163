/** What is true of a computer and its deliveries, whatever its windows believe: an oracle for what users do with them. */
import assert from 'node:assert/strict';
import type { DeliveryResult, Sender } from '../../../src/deliveries/outbox/deliveryRuns.ts';
import { actionsOn } from '../../../src/deliveries/outbox/deliveryState.ts';
import type { Outbox } from '../../../src/deliveries/outbox/outbox.ts';
import { isScheduled, type OutboxEntry } from '../../../src/deliveries/outbox/outboxEntry.ts';
import type { Delivery } from '../../../src/deliveries/outbox/record.ts';
import type { BatchResult } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { AT, deliveryOf, groups, planBatches } from '../../unit/deliveries/outbox/testDeliveries.ts';
import type { Turn } from '../steps.ts';

/** What users do, the more often the more can go wrong. */
export const WORLD_ACTIONS = [
  ...(['start', 'schedule', 'cancel'] as const),
  ...(['resume', 'resume', 'remove', 'remove', 'resend', 'resend', 'resend'] as const),
];

/** How the service may answer a call, and whether the message arrives then. */
const ANSWERS = {
  everyone: { delivers: true },
  /** Accepted, without naming anyone. */
  nobody: { delivers: false },
  unnamed: { delivers: true },
  /** The answer is lost. */
  lost: { delivers: true },
  lostBefore: { delivers: false },
  refused: { delivers: false },
  unreachable: { delivers: false },
} as const;
type AnswerName = keyof typeof ANSWERS;
/** What a delivery offers. One that was canceled before its time is sent as others are resumed. */
const actionsOf = (entry: OutboxEntry) =>
  actionsOn(entry).map((action) => (action === 'sendNow' && !isScheduled(entry) ? 'resume' : action));

/** Those that leave the most to do come more often. */
export const ANSWER_NAMES: readonly AnswerName[] = [
  ...(['everyone', 'nobody', 'unnamed', 'lost', 'lostBefore'] as const),
  ...(['refused', 'refused', 'refused', 'unreachable', 'unreachable', 'unreachable'] as const),
];

export interface WorldAction {
  readonly what: (typeof WORLD_ACTIONS)[number];
  readonly which: number;
  readonly answers: readonly AnswerName[];
}

const RECIPIENTS = groups(...'abc');

export class OutboxWorld {
  /** What must not happen. */
  readonly findings: string[] = [];
  /** The deliveries whose deletion was reported as done, with the number of claims that the user saw. */
  readonly deleted = new Map<string, number>();
  /** Those that may be deleted: the user has tried. */
  readonly #maybeDeleted = new Set<string>();
  /** The recipients that each delivery has reached. */
  readonly #reached = new Map<string, Set<string>>();
  /** Those of them that a window was told of. */
  readonly #confirmed = new Map<string, Set<string>>();
  /** How many calls were made for each delivery. */
  readonly #calls = new Map<string, number>();
  /** How often the recipients of a message got it, by the ID of its first delivery. */
  readonly #copies = new Map<string, Map<string, number>>();
  /** The first delivery of each. */
  readonly #origins = new Map<string, string>();
  /** The recipients of each delivery that may get the message twice: the user was told. */
  readonly #accepted = new Map<string, Set<string>>();
  /** Deliveries that were reported as scheduled, and those whose schedule may have changed. */
  readonly #scheduled = new Set<string>();
  readonly #maybeUnscheduled = new Set<string>();

  /** Does what the user chooses in a window. Fails only as the disk does. */
  async act({ what, which, answers }: WorldAction, outbox: Outbox, turn: Turn, isLost: () => boolean): Promise<void> {
    if (what === 'start' || what === 'schedule') {
      const delivery = deliveryOf(planBatches(RECIPIENTS, 2), { id: outbox.newId() });
      this.#origins.set(delivery.id, delivery.id);
      if (what === 'start')
        this.#confirm(await outbox.start(delivery, this.#senderOf(delivery, answers, turn, isLost)));
      else {
        await outbox.schedule({ ...delivery, due: AT });
        this.#scheduled.add(delivery.id);
      }
      return;
    }
    const entries = (await outbox.entries()).filter((entry): entry is OutboxEntry => 'status' in entry);
    const entry = entries[which % (entries.length || 1)];
    if (entry) await this.#actOn(what, entry, answers, outbox, turn, isLost);
  }

  async #actOn(
    what: Exclude<WorldAction['what'], 'start' | 'schedule'>,
    entry: OutboxEntry,
    answers: readonly AnswerName[],
    outbox: Outbox,
    turn: Turn,
    isLost: () => boolean,
  ): Promise<void> {
    const { id } = entry.status.delivery;
    const actions = actionsOf(entry);
    const senderOf = (delivery: Delivery) => this.#senderOf(delivery, answers, turn, isLost);
    switch (what) {
      case 'resume':
        if (!actions.includes('resume')) return;
        for (const { id: to, mayHaveIt } of entry.status.recipients('notSent', 'rejected'))
          if (mayHaveIt) this.#accept(id, to);
        this.#confirm(await outbox.resume(id, senderOf(entry.status.delivery)));
        return;
      case 'resend': {
        if (!actions.includes('resend')) return;
        const unreached = await outbox.unreached(id);
        if (unreached.recipients.length === 0) return;
        const changes = { id: outbox.newId(), resends: unreached.lastId };
        const delivery = deliveryOf(planBatches(unreached.recipients, 2), changes);
        this.#origins.set(delivery.id, this.#origins.get(id) ?? assert.fail());
        for (const one of unreached.uncertain) this.#accept(delivery.id, one.id);
        this.#confirm(await outbox.resend(delivery, unreached, senderOf(delivery)));
        return;
      }
      case 'cancel':
        if (!isScheduled(entry)) return;
        this.#maybeUnscheduled.add(id);
        await outbox.reschedule(entry, null);
        return;
      case 'remove':
        if (entry.isRunning || !actions.includes('remove')) return;
        this.#maybeDeleted.add(id);
        if (!(await outbox.remove(id, entry.claimCount))) return;
        // Each call has a claim, which the user saw.
        if ((this.#calls.get(id) ?? 0) > entry.claimCount)
          this.findings.push(`${id} was deleted, but sent since the user saw it`);
        this.deleted.set(id, entry.claimCount);
    }
  }

  /** What a window shows after it has sent, unless it couldn't store that. */
  #confirm(result: DeliveryResult | undefined): void {
    if (!result || result.stopped?.why === 'disk' || result.stopped?.why === 'deleted') return;
    const { delivery } = result.status;
    this.#confirmed.set(delivery.id, new Set(result.status.recipients('reached').map(({ id }) => id)));
  }

  #accept(id: string, recipient: string): void {
    const accepted = this.#accepted.get(id) ?? new Set();
    this.#accepted.set(id, accepted.add(recipient));
  }

  #senderOf({ id }: Delivery, answers: readonly AnswerName[], turn: Turn, isLost: () => boolean): Sender {
    const next = answers.values();
    return {
      token: 't',
      send: async (batch, { before }) => {
        await before();
        const answer = next.next().value ?? answers.at(-1) ?? 'everyone';
        const recipients = batch.recipients.map((one) => one.id);
        await turn(async () => {
          if (isLost()) throw new Error('no power');
          this.#calls.set(id, 1 + (this.#calls.get(id) ?? 0));
          if (ANSWERS[answer].delivers) for (const recipient of recipients) this.#deliver(id, recipient);
        });
        return this.#answer(answer, recipients);
      },
    };
  }

  #deliver(id: string, recipient: string): void {
    const origin = this.#origins.get(id) ?? assert.fail();
    const copies = this.#copies.get(origin) ?? new Map<string, number>();
    this.#copies.set(origin, copies);
    const before = copies.get(recipient) ?? 0;
    copies.set(recipient, before + 1);
    const reached = this.#reached.get(id) ?? new Set();
    this.#reached.set(id, reached.add(recipient));
    if (before > 0 && !this.#accepted.get(id)?.has(recipient))
      this.findings.push(`${recipient} got it twice, by ${id}`);
    // A window that was taken for dead may go on after its last claim: the user saw that it may be sent.
    if ((this.#calls.get(id) ?? 0) > (this.deleted.get(id) ?? Infinity))
      this.findings.push(`${id} was sent after it was deleted`);
  }

  #answer(answer: AnswerName, recipients: readonly string[]): BatchResult {
    switch (answer) {
      case 'everyone':
        return {
          reached: recipients.map((recvId) => ({ recvId, msgId: `to ${recvId}` })),
          unreadable: [],
          successCount: recipients.length,
        };
      case 'nobody':
      case 'unnamed':
        return { reached: [], unreadable: [], successCount: 0 };
      case 'lost':
      case 'lostBefore':
        throw new ServiceError({ kind: 'timedOut', after: 1 });
      case 'refused':
        throw new ServiceError({ kind: 'rejected', code: -1, text: 'no', status: 200 });
      case 'unreachable':
        throw new ServiceError({ kind: 'unreachable', reason: 'ENOTFOUND' });
    }
  }

  /** What a window finds that opens after all others are gone. */
  async check(outbox: Outbox): Promise<void> {
    await outbox.interrupted();
    const entries = await outbox.entries();
    const byId = new Map(entries.flatMap((one) => ('status' in one ? [[one.status.delivery.id, one]] : [])));
    for (const one of entries) if ('error' in one) this.findings.push(`lost: ${one.id} can't be read: ${one.error}`);
    for (const id of this.deleted.keys()) if (byId.has(id)) this.findings.push(`${id} is back`);
    const due = new Set((await outbox.scheduled()).map(({ status }) => status.delivery.id));
    for (const id of due) if (this.deleted.has(id)) this.findings.push(`${id} is back, and scheduled`);
    for (const id of this.#scheduled) {
      const mayBeGone = this.#maybeDeleted.has(id) || this.#maybeUnscheduled.has(id) || this.#reached.has(id);
      if (!mayBeGone && !due.has(id)) this.findings.push(`lost: ${id} is no longer scheduled`);
    }
    for (const id of this.#confirmed.keys())
      if (!byId.has(id) && !this.#maybeDeleted.has(id)) this.findings.push(`lost: ${id} was confirmed and is gone`);
    for (const [id, reached] of this.#reached) {
      const entry = byId.get(id);
      if (!entry && !this.#maybeDeleted.has(id)) this.findings.push(`${id} was sent and is forgotten`);
      for (const recipient of entry ? reached : []) {
        const { state } = (entry as OutboxEntry).status.outcomeOf({ kind: 'group', id: recipient });
        if (
          state === 'notSent' ||
          state === 'rejected' ||
          (state !== 'reached' && this.#confirmed.get(id)?.has(recipient))
        )
          this.findings.push(`${id} has forgotten ${recipient}: ${state}`);
      }
    }
  }

  /** The user resumes and resends until there's nothing left. Whose deliveries are all there has the message then. */
  async finish(outbox: Outbox, wait: () => void): Promise<void> {
    const immediately: Turn = (operation) => operation();
    for (let round = 0; round < 6; round++) {
      for (const entry of await outbox.all()) {
        wait();
        const [action] = actionsOf(entry).filter((one) => one === 'resume' || one === 'resend');
        if (action) await this.#actOn(action, entry, [], outbox, immediately, () => false);
      }
    }
    const touched = new Set([...this.#maybeDeleted].map((id) => this.#origins.get(id)));
    for (const entry of await outbox.all()) {
      const { id, resends } = entry.status.delivery;
      if (resends !== undefined || touched.has(id) || isScheduled(entry)) continue;
      for (const recipient of RECIPIENTS) {
        if (!this.#copies.get(id)?.get(recipient.id)) this.findings.push(`lost: ${recipient.id} never got ${id}`);
      }
    }
    await this.check(outbox);
  }
}
