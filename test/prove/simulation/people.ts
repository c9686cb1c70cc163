/** What people do in a window: they see the outbox, think a while, and click on what it offered then. */
import fc from 'fast-check';
import { deliveryOf, groups, planBatches } from '../../unit/deliveries/outbox/testDeliveries.ts';
import { letterDelivery, letterFor, letters, resentDelivery } from '../letters.ts';
import { ends, sendElsewhere } from './otherComputer.ts';
import {
  actionsOn,
  type Delivery,
  type DeliveryAction,
  digestOf,
  newDeliveryId,
  type OutboxEntry,
  parseTime,
} from './product.ts';
import type { Window, World } from './window.ts';

const RECIPIENTS = [...groups(...'abc'), ...['u', 'v'].map((id) => ({ kind: 'user' as const, id, name: id }))];
const MINUTE = 60_000;
/** How many deliveries there are at most. */
const MAX_DELIVERIES = 7;

/** In how many minutes to send, if not at once. */
const later = fc.integer({ min: 1, max: 5 });

/** Whether a dialog is answered at once. */
const isAnswered = fc.nat({ max: 3 }).map((number) => number > 0);

const sends = fc.record({
  what: fc.constant('send' as const),
  to: fc.shuffledSubarray(RECIPIENTS, { minLength: 1 }),
  batchSize: fc.integer({ min: 1, max: 3 }),
  text: fc.constantFrom('Hello', 'Hello', 'Hello\n', 'Good morning'),
  letter: fc.option(letters, { freq: 2 }),
  later: fc.option(later, { freq: 2 }),
  isAnswered,
  /** Another version of the extension stores it, which makes other texts of a letter. */
  isOtherVersion: fc.nat({ max: 7 }).map((number) => number === 7),
});
type Send = Omit<typeof sends extends fc.Arbitrary<infer S> ? S : never, 'text'> & { text: string };

/** The more often, the more can go wrong. */
const ACTIONS: readonly DeliveryAction[] = [
  ...(['cancel', 'sendNow', 'reschedule', 'reschedule', 'unschedule', 'edit', 'sendEdited', 'check', 'check'] as const),
  ...(['resume', 'resume', 'resume', 'remove', 'remove', 'resend', 'resend', 'resend', 'resend'] as const),
];

const acts = fc.record({
  what: fc.constantFrom(...ACTIONS),
  /** Which delivery, of those that offer it. */
  which: fc.nat({ max: 3 }),
  isAnswered,
  batchSize: fc.integer({ min: 1, max: 3 }),
  later: fc.option(later, { freq: 2 }),
});
type Act = typeof acts extends fc.Arbitrary<infer A> ? A : never;

/** Another computer sends some of a delivery, and moves it into a file. */
const moves = fc.record({
  what: fc.constant('move' as const),
  to: fc.shuffledSubarray(RECIPIENTS, { minLength: 1 }),
  batchSize: fc.integer({ min: 1, max: 3 }),
  ends,
});
type Move = typeof moves extends fc.Arbitrary<infer M> ? M : never;

/** Imports one of the files. */
const imports = fc.record({ what: fc.constant('import' as const), which: fc.nat({ max: 1 }) });

/** Edits the Do Not Send list: someone is put on it or taken off, or it can't be read for a while. */
const edits = fc.record({
  what: fc.constant('never' as const),
  who: fc.option(fc.constantFrom(...RECIPIENTS), { freq: 4 }),
  isOn: fc.boolean(),
  /** While the next call waits for its turn. */
  isLater: fc.boolean(),
});
type Edit = typeof edits extends fc.Arbitrary<infer E> ? E : never;

export const clicks = fc.oneof(
  { weight: 2, arbitrary: sends },
  { weight: 5, arbitrary: acts },
  { weight: 1, arbitrary: edits },
  { weight: 1, arbitrary: moves },
  { weight: 2, arbitrary: imports },
);
export type Click = Send | Act | Edit | Move | (typeof imports extends fc.Arbitrary<infer I> ? I : never);

/** The key of a chat. */
const keyOf = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`;

/** What a click leads to. Rejects as the disk does. */
export async function click(click: Click, window: Window, world: World): Promise<void> {
  if (click.what === 'never') return world.oracle.never.plan({ ...click, who: click.who && keyOf(click.who) });
  if (click.what === 'move') return move(click, world);
  if (click.what === 'import') {
    const moved = world.files[click.which];
    return moved && window.import(moved);
  }
  if (click.what === 'send') {
    if (world.oracle.known.size < MAX_DELIVERIES) await send(click, window, world);
    return;
  }
  const entries = (await window.outbox.entries()).filter((one): one is OutboxEntry => 'status' in one);
  const offered = entries.filter((entry) => actionsOn(entry).includes(click.what));
  const entry = offered[click.which % (offered.length || 1)];
  if (!entry || !world.oracle.known.has(entry.status.delivery.id)) return;
  // A resend shows its own.
  await window.ask(click.isAnswered || click.what === 'resend');
  await act(click, entry, window, world);
}

async function act(
  { what, later, batchSize, isAnswered }: Act,
  entry: OutboxEntry,
  window: Window,
  world: World,
): Promise<void> {
  const { computer, oracle } = world;
  const { outbox } = window;
  const { delivery } = entry.status;
  const { id } = delivery;
  if (entry.isRunning) return void outbox.runs.cancel(id);
  const sendNow = () =>
    window.send(oracle.of(id), delivery, { seen: entry.claimCount }, (sender) => outbox.sendScheduled(entry, sender));
  switch (what) {
    case 'sendNow':
      return void (await sendNow());
    case 'resume':
      return void (await window.send(oracle.of(id), delivery, { seen: entry.claimCount }, (sender) =>
        outbox.resume(id, sender),
      ));
    case 'reschedule':
    case 'unschedule': {
      const due = what === 'unschedule' ? null : timeIn(later ?? 2, world);
      if (due !== null && due <= computer.wall) return;
      await oracle.changes(id, entry.claimCount, due, () => outbox.reschedule(entry, due));
      return;
    }
    case 'edit':
      if (entry.due === undefined) return;
      await oracle.changes(id, entry.claimCount, null, () => outbox.beginEdit({ ...entry, due: entry.due as number }));
      return;
    case 'sendEdited': {
      const to = delivery.batches.flatMap(({ recipients }) => recipients);
      const isSent = await send({ ...NEW, to, batchSize, later, isAnswered, text: 'Hello, edited' }, window, world);
      if (isSent) await oracle.removes(id, entry.claimCount, () => outbox.remove(id, entry.claimCount));
      return;
    }
    case 'check':
      return window.check(id);
    case 'resend': {
      const unreached = await outbox.unreached(id);
      if (unreached.recipients.length === 0) return;
      await window.ask(isAnswered);
      const newId = newDeliveryId(computer.wall);
      const resent = { ...(await resentDelivery(newId, delivery, unreached, batchSize)), at: computer.wall };
      const { origin, preview, isOtherVersion } = oracle.of(id).confirmed;
      const keys = new Set(unreached.recipients.map(keyOf));
      const known = oracle.confirms({
        id: resent.id,
        origin,
        preview,
        isOtherVersion,
        texts: new Map([...preview].filter(([key]) => keys.has(key))),
        accepted: new Set(unreached.uncertain.map(keyOf)),
      });
      await window.send(known, resent, { seen: 0 }, (sender) => outbox.resend(resent, unreached, sender));
      return;
    }
    case 'remove':
      // Nobody imports again what they delete. Rows delete a resend alone, and of a delivery with its resends the last one first;
      // the first one alone, while its file is damaged.
      if (world.files.some((file) => file.id === id)) return;
      await oracle.removes(id, entry.claimCount, () => outbox.remove(id, entry.claimCount));
  }
}

/** Makes a file of a delivery, unless there are enough. */
async function move({ to, batchSize, ends }: Move, world: World): Promise<void> {
  const { computer, oracle, files } = world;
  if (files.length > 1) return;
  const id = newDeliveryId(computer.wall);
  // Nobody can tell an equal message of another computer from their own, until its delivery is here.
  const text = `Hello from elsewhere ${files.length}`;
  const delivery = deliveryOf(planBatches(to, batchSize), {
    id,
    at: computer.wall,
    message: { contentType: 'text', content: { text } },
  });
  const texts = new Map(to.map((one) => [keyOf(one), text]));
  const accepted = new Set<string>();
  oracle.confirms({ id, origin: id, texts, preview: texts, accepted, isOtherVersion: false, isFromElsewhere: true });
  const moved = await sendElsewhere(delivery, text, ends, world);
  if (moved) files.push(moved);
  else oracle.find(`${id} can't be moved: lost`);
}

const NEW = { what: 'send', letter: null, isOtherVersion: false } as const;

/** Sends or schedules a new message. Whether that's done. */
async function send(
  { to, batchSize, text, letter, later, isAnswered, isOtherVersion }: Send,
  window: Window,
  world: World,
): Promise<boolean> {
  const { computer, oracle } = world;
  const { outbox } = window;
  const due = later === null ? undefined : timeIn(later, world);
  const plan = letter
    ? await letterDelivery(letter, to, batchSize)
    : { message: { contentType: 'text', content: { text } } as const, batches: planBatches(to, batchSize) };
  await window.ask(isAnswered);
  if (due !== undefined && due <= computer.wall) return false;
  const delivery = deliveryOf([], { ...plan, id: newDeliveryId(computer.wall), at: computer.wall });
  const { id } = delivery;
  const preview = new Map(to.map((one, row) => [keyOf(one), letter ? letterFor(letter, row) : text]));
  const isOther = letter !== null && isOtherVersion;
  const texts = isOther ? await storeAsOther(delivery, preview) : preview;
  const known = oracle.confirms({ id, origin: id, texts, preview, accepted: new Set(), due, isOtherVersion: isOther });
  const before = computer.failing.failures;
  try {
    if (due === undefined)
      return await window.send(known, delivery, { seen: 0 }, (sender) => outbox.start(delivery, sender));
    await outbox.schedule({ ...delivery, due });
    oracle.isStored(known);
    return true;
  } catch (error) {
    oracle.isRejected(known, computer.failing.failures - before);
    throw error;
  }
}

/** Another version made other texts of the same. */
async function storeAsOther(delivery: Delivery, preview: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const texts = new Map(Array.from(preview, ([key, text]) => [key, `${text}, by another version`]));
  for (const batch of delivery.batches) {
    const text = texts.get(keyOf(batch.recipients[0] ?? { kind: '', id: '' })) ?? '';
    batch.digest = await digestOf({ ...delivery.message, content: { text } } as Delivery['message']);
  }
  return texts;
}

/** The time in some minutes (Unix ms), as a person types it who looks at the clock. */
function timeIn(minutes: number, { computer, oracle }: World): number {
  const time = Math.ceil((computer.wall + minutes * MINUTE) / MINUTE) * MINUTE;
  const typed = new Date(time + computer.zone.minutes * MINUTE).toISOString().slice(0, 16).replace('T', ' ');
  const parsed = parseTime(typed, computer.wall);
  const due = 'time' in parsed ? parsed.time.getTime() : Number.NaN;
  if (due !== time) oracle.find(`${typed} in ${computer.zone.name} is taken for a wrong time, perhaps early: ${due}`);
  return due;
}

const FINISHING: readonly DeliveryAction[] = ['check', 'resume', 'sendNow', 'sendEdited', 'resend'];

/** People who finish whatever is left, one thing after the other. Checks come first, as they are offered. */
export async function finish(window: Window, world: World): Promise<void> {
  const rest = { which: 0, batchSize: 2, later: null, isAnswered: true };
  world.oracle.never.repair();
  for (let round = 0; round < 8; round++) {
    for (const { id } of (await window.outbox.all()).map(({ status }) => status.delivery)) {
      const entry = await window.outbox.get(id);
      if (!entry) continue;
      // Some checks never tell.
      const wanted = round < 4 ? FINISHING : FINISHING.filter((one) => one !== 'check');
      const what = actionsOn(entry).find((one) => wanted.includes(one));
      if (!what) continue;
      void window.follow(() => act({ ...rest, what }, entry, window, world));
      // What was checked may have been too early.
      do await world.computer.pass(MINUTE / 4);
      while (window.busy > 0);
    }
  }
}
