import assert from 'node:assert/strict';
import type { ReachedRecipient } from '../../../../src/deliveries/replies/reachedRecipients.ts';
import { ReplyRun, type RunState } from '../../../../src/deliveries/replies/replyRun.ts';
import { ReplyStore } from '../../../../src/deliveries/replies/replyStore.ts';
import { diskFiles } from '../../../../src/platform/diskFiles.ts';
import { errorText } from '../../../../src/presentation/errorText.ts';
import { systemClock } from '../../../../src/service/clock.ts';
import type { Chat } from '../../../../src/service/model.ts';
import { useWallClock } from '../../clocks.ts';
import { useService } from '../../test-service.ts';
import { AT, BOT, planBatches } from '../outbox/testDeliveries.ts';
import { openOutbox } from '../outbox/testOutbox.ts';

describe('A run that finds replies', () => {
  const clock = useWallClock(AT);
  const service = useService({ 'service.callsPerSecond': 1000 }, { replies: true });
  let open: Awaited<ReturnType<typeof openOutbox>>;

  beforeEach(async () => {
    open = await openOutbox(service, clock);
  });
  afterEach(() => {
    service.instead = () => undefined;
    open.close();
  });

  /** Sends to chats of which one, by its number, isn't changed by `changes`, and waits for answers. */
  async function sent(chats: readonly Chat[]) {
    const batches = planBatches(
      chats.map((chat) => ({ ...chat, name: chat.id })),
      1,
    );
    const status = await open.deliver({ batches });
    clock.now += 120_000;
    const reached: ReachedRecipient[] = status.recipients('reached').map((recipient) => {
      const outcome = status.outcomeOf(recipient);
      return { recipient, msgId: outcome.state === 'reached' ? outcome.msgId : '', others: new Set() };
    });
    const means = { host: open.host, store: new ReplyStore(diskFiles(open.folder)), clock: systemClock };
    const newRun = (onChange = () => {}) => new ReplyRun(status, means, onChange);
    service.requests.splice(0);
    const all = reached.map(({ recipient }) => recipient);
    return { status, reached, all, newRun, run: newRun() };
  }
  /** More chats than are read at the same time. */
  const chats = (): Chat[] => [
    ...service.sandbox.groups.slice(0, 2).map((id) => ({ kind: 'group' as const, id })),
    ...service.sandbox.users.slice(1, 11).map((id) => ({ kind: 'user' as const, id })),
  ];
  const answersOf = ({ record }: ReplyRun, all: readonly Chat[]) => all.map((chat) => record.of(chat).answers.size);
  const errorsOf = (run: ReplyRun, all: readonly Chat[]) =>
    all.map((chat) => run.errorOf(chat)).map((error) => (error === undefined ? '' : errorText(error)));

  it('finds what people answered, and keeps it, and says how far it is', async () => {
    const { newRun, reached, all } = await sent(chats());
    const states: RunState[] = [];
    const run: ReplyRun = newRun(() => states.push(run.state));
    await run.start(reached);
    assert.deepEqual(states[0], { is: 'reading', done: 0, total: reached.length });
    assert.equal(states.at(-1)?.is, 'idle');
    const answers = answersOf(run, all);
    assert.ok(answers.some((count) => count > 1) && answers.includes(0), answers.join());
    assert.equal(run.state.is, 'idle');
    const later = newRun();
    await later.load();
    assert.deepEqual(answersOf(later, all), answers);
    assert.ok(later.record.doneAt);
  });

  it('asks the next time only for what is new', async () => {
    const { run, newRun, reached, status } = await sent(chats());
    await run.start(reached);
    const size = await new ReplyStore(diskFiles(open.folder)).size(status.delivery.id);
    service.requests.splice(0);
    await newRun().start(reached);
    assert.equal(service.requests.length, reached.length);
    // Of most chats there is nothing to write down.
    assert.ok((await new ReplyStore(diskFiles(open.folder)).size(status.delivery.id)) - size < 100);
  });

  it('says of a chat that the service fails for it, and reads the others', async () => {
    const { run, newRun, reached, all } = await sent(chats());
    service.sandbox.setFaults({ faults: [{ on: 'messages', times: 1, fault: 'code', code: 1001, msg: '稍后再试' }] });
    await run.start(reached);
    const [failed = '', ...others] = errorsOf(run, all).filter((text) => text !== '');
    assert.match(failed, /1001.*稍后再试/);
    assert.deepEqual(others, []);
    assert.equal(all.filter((chat) => run.record.of(chat).isRead).length, all.length - 1);
    // It's known the next time, and gone once the chat could be read.
    const later = newRun();
    await later.load();
    assert.ok(errorsOf(later, all).includes(failed));
    await later.start(reached);
    assert.ok(errorsOf(later, all).every((text) => text === ''));
  });

  it('says of each chat that the service can’t be reached', async () => {
    const { run, reached, all } = await sent(chats());
    service.sandbox.setFaults({ faults: [{ on: 'messages', fault: 'reset' }] });
    await run.start(reached);
    const errors = errorsOf(run, all);
    assert.ok(errors.every((text) => text !== ''));
    assert.equal(run.state.is, 'idle');
  });

  it('knows afterwards what another window has found at the same time', async () => {
    const { run, newRun, reached, all } = await sent(chats());
    const other = newRun();
    service.instead = async () => {
      service.instead = () => undefined;
      await other.start(reached);
      return new Response('', { status: 404 });
    };
    await run.start(reached);
    await run.load();
    assert.ok((answersOf(other, all)[0] ?? 0) > 0);
    assert.deepEqual(answersOf(run, all), answersOf(other, all));
    assert.ok(errorsOf(run, all)[0]);
  });

  it('finds replies in a chat from which the message was deleted, and knows that the next time, too', async () => {
    const { run, newRun, reached, all } = await sent(chats());
    const [{ recipient } = assert.fail(), ...others] = reached;
    const lost = reached.map((one, index) => (index === 0 ? { ...one, msgId: '0'.repeat(32) } : one));
    await run.start(lost);
    const later = newRun();
    await later.load();
    const { failure } = later.record.of(recipient).lost ?? {};
    assert.ok(failure?.kind === 'rejected' && failure.text.includes('消息不存在'));
    const isLost = ({ recipient: one }: ReachedRecipient) => later.record.of(one).lost !== undefined;
    assert.deepEqual([later.record.of(recipient).isRead, others.some(isLost)], [true, false]);
    assert.ok(errorsOf(later, all).every((text) => text === ''));
  });

  it('asks for nothing without a token, and says so of each chat', async () => {
    const { run, reached, all } = await sent(chats());
    await open.host.tokens.remove(await open.connection.open(), BOT);
    await run.start(reached);
    assert.equal(service.requests.length, 0);
    assert.ok(errorsOf(run, all).every((text) => text.includes(BOT)));
    assert.deepEqual([run.state.is, run.record.doneAt], ['idle', undefined]);
  });

  it('stops asking once the service refuses the token', async () => {
    const { run, reached } = await sent(chats().slice(0, 1).concat(chats().slice(2)));
    const many = Array.from({ length: 60 }, (_, index) => ({
      ...(reached[0] ?? assert.fail()),
      recipient: { kind: 'group' as const, id: `g${index}`, name: '' },
    }));
    service.instead = async () => Response.json({ code: 1003, msg: '非法token' });
    await run.start(many);
    assert.ok(service.requests.length <= 10, `${service.requests.length}`);
    const errors = errorsOf(
      run,
      many.map(({ recipient }) => recipient),
    );
    assert.ok(errors.every((text) => text.includes('非法token')));
    assert.equal(run.record.doneAt, undefined);
  });

  it('pauses and goes on with those that it has not read', async () => {
    const { run, reached } = await sent(chats());
    let asked = 0;
    service.instead = async () => {
      if (++asked === 3) run.pause();
      return undefined;
    };
    await run.start(reached);
    assert.equal(run.state.is, 'paused');
    assert.ok(run.state.done < reached.length);
    await run.resume();
    assert.deepEqual(run.state.is, 'idle');
    assert.ok(reached.every(({ recipient }) => run.record.of(recipient).isRead));
  });

  it('can be canceled, and begins anew', async () => {
    const { run, reached } = await sent(chats());
    let isAsked = false;
    service.instead = async () => {
      if (!isAsked) run.cancel();
      isAsked = true;
      return undefined;
    };
    await run.start(reached);
    assert.equal(run.state.is, 'idle');
    assert.equal(run.record.doneAt, undefined);
    await run.start(reached);
    assert.ok(reached.every(({ recipient }) => run.record.of(recipient).isRead));
  });

  it('reads nothing if it is canceled before it has begun', async () => {
    const { run, reached } = await sent(chats());
    const started = run.start(reached);
    run.cancel();
    await started;
    assert.equal(run.state.is, 'idle');
    assert.deepEqual(service.requests, []);
  });

  it('reads each chat once if it is started twice at the same time', async () => {
    const { run, reached } = await sent(chats());
    await Promise.all([run.start(reached), run.start(reached)]);
    const pages = service.requests.map((address) => new URL(address).search);
    assert.equal(new Set(pages).size, pages.length);
    assert.ok(reached.every(({ recipient }) => run.record.of(recipient).isRead));
  });

  it('doesn’t go on if it is canceled right after that was asked for', async () => {
    const { run, reached } = await sent(chats());
    service.instead = async () => {
      run.pause();
      return undefined;
    };
    await run.start(reached);
    const asked = service.requests.length;
    const resumed = [run.resume(), run.resume()];
    run.cancel();
    await Promise.all(resumed);
    assert.deepEqual([run.state.is, service.requests.length], ['idle', asked]);
  });

  it('stops, and says why, once the delivery is deleted', async () => {
    const { run, reached, status } = await sent(chats());
    await open.outbox.remove(status.delivery.id);
    await run.start(reached);
    assert.ok(run.state.error);
  });

  it('reads on for a reminder, also where the chat was read beyond it before', async () => {
    const [id = ''] = service.sandbox.users;
    const { reached, run, newRun } = await sent([{ kind: 'user', id }]);
    const [{ msgId, recipient } = assert.fail()] = reached;
    const bot = (one: string) => ({ msgId: one, senderType: 'bot', senderId: BOT });
    const said = (one: string) => ({ msgId: one, senderType: 'user', senderId: id });
    const chat = [bot(msgId), said('yes'), bot('other'), said('to-other')];
    service.instead = async ({ url }) => {
      const at = chat.findIndex((one) => one.msgId === new URL(url).searchParams.get('message-id'));
      const list = chat.slice(at).toReversed();
      return Response.json({ code: 1, msg: 'success', data: { list, total: list.length } });
    };
    const others = new Set(['other']);
    const answers = (of: ReplyRun) => [...of.record.of(recipient).answers.keys()];
    await run.start([{ recipient, msgId, others }]);
    assert.deepEqual([answers(run), run.record.of(recipient).isEnded], [['yes'], true]);
    chat.push(said('to-other-too'), bot('reminder'), said('me-too'));
    const reminded = [{ recipient, msgId, others, reminders: new Set(['reminder']) }];
    await run.start(reminded);
    assert.deepEqual(answers(run), ['yes', 'me-too']);
    chat.push(said('again'));
    const again = newRun();
    await again.start(reminded);
    assert.deepEqual(answers(again), ['yes', 'me-too', 'again']);
    // One that wasn't confirmed yet when the chat was read beyond it.
    chat.push(bot('other-2'), bot('reminder-2'), said('at-last'));
    const both = { ...reminded[0], recipient, msgId, others: new Set(['other', 'other-2']) };
    await again.start([both]);
    await again.start([{ ...both, reminders: new Set(['reminder', 'reminder-2']) }]);
    assert.deepEqual(answers(again), ['yes', 'me-too', 'again', 'at-last']);
  });
});
