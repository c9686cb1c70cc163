import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LISTING_DELAY } from '../../../../src/deliveries/outbox/deliveryCheck.ts';
import type { Sender } from '../../../../src/deliveries/outbox/deliveryRunner.ts';
import { DeliveryStore } from '../../../../src/deliveries/outbox/deliveryStore.ts';
import { Outbox } from '../../../../src/deliveries/outbox/outbox.ts';
import { diskFiles } from '../../../../src/platform/diskFiles.ts';
import type { Clock } from '../../../../src/service/clock.ts';
import { clockAt } from '../../clocks.ts';
import { type Answers, groups, idOf, planBatches } from './testDeliveries.ts';

/** The ID of the first delivery. */
export const ID = idOf('one');

/** To the groups with these one-letter IDs, two in a batch. */
export const plan = (ids: string) => planBatches(groups(...ids), 2);

/** The folder of an outbox, empty before each test of a suite. */
export class OutboxFolder {
  path = '';
  /** The IDs in each batch that was sent. */
  sent: string[] = [];

  /** The outbox as a window reads it that is opened now. */
  open = (changed?: (id: string) => void, clock?: Clock) =>
    new Outbox(new DeliveryStore(diskFiles(this.path)), changed, clock);

  /** Like {@link open}, once what was sent is listed for sure. */
  openLater = () =>
    this.open(
      undefined,
      clockAt(() => Date.now() + LISTING_DELAY),
    );

  /** A sender that gets these answers in turn. The last one answers all remaining calls. */
  by = (...answers: Answers[]): Sender => ({
    token: 'a-token',
    never: () => new Map(),
    send: async (batch, { before }) => {
      await before();
      this.sent.push(batch.recipients.map(({ id }) => id).join(''));
      return ((answers.length > 1 ? answers.shift() : answers[0]) ?? assert.fail())(batch, () => {});
    },
  });

  counts = async (id = ID) => (await this.open().get(id))?.status.counts;
}

export function useOutboxFolder(): OutboxFolder {
  const folder = new OutboxFolder();
  beforeEach(async () => {
    folder.path = await mkdtemp(join(tmpdir(), 'bot-chats-outbox-'));
    folder.sent = [];
  });
  afterEach(() => rm(folder.path, { recursive: true }));
  return folder;
}
