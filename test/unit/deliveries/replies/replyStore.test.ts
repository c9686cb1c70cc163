import assert from 'node:assert/strict';
import { DeletedError } from '../../../../src/deliveries/outbox/deliveryStore.ts';
import { type ReplyLine, ReplyStore } from '../../../../src/deliveries/replies/replyStore.ts';
import { ID, plan, useOutbox } from '../outbox/outboxFolder.ts';
import { deliveryOf, everyone } from '../outbox/testDeliveries.ts';
import { listed } from './randomChat.ts';

const chat = { kind: 'group', id: 'a' } as const;

let now = 0;

/** A page of the chat with these answers, as it was found a moment later than what was found before. */
const read = (...ids: string[]): Extract<ReplyLine, { what: 'read' }> => ({
  what: 'read',
  ...chat,
  at: ++now,
  answers: ids.map((msgId) => listed({ msgId, text: `says ${msgId}` }).raw),
  links: [],
  anchors: [{ msgId: ids.at(-1) ?? '', beyond: 0 }],
  unreadable: [],
  isComplete: true,
  isEnded: false,
});

describe('What was found of replies', () => {
  const box = useOutbox();
  const open = () => new ReplyStore(box.files);
  /** The files of the windows that found something, by their paths. */
  const files = async () => {
    const names = (await box.files.names(`deliveries/${ID}`)).filter((name) => name.startsWith('replies-'));
    const paths = names.map((name) => `deliveries/${ID}/${name}`);
    return Promise.all(paths.map(async (path) => [path, (await box.files.read(path)) ?? assert.fail()] as const));
  };
  const answers = async () => [...(await open().load(ID)).of(chat).answers.keys()];

  beforeEach(() => box.open().start(deliveryOf(plan('ab'), { id: ID }), box.by(everyone)));

  it('is kept with the delivery, which reads as before', async () => {
    const before = await box.counts();
    await open().append(ID, read('one'));
    await open().append(ID, read('two'));
    const record = await open().load(ID);
    assert.deepEqual(await answers(), ['one', 'two']);
    assert.deepEqual(record.of(chat).anchors, [{ msgId: 'two', beyond: 0 }]);
    assert.deepEqual(await box.counts(), before);
  });

  it('counts a message once that two windows have found, or can’t read', async () => {
    const [one, other] = [open(), open()];
    const unreadable = ['broken'];
    await one.append(ID, { ...read('one', 'two'), unreadable });
    await other.append(ID, { ...read('one', 'two', 'three'), unreadable });
    assert.equal((await open().load(ID)).of(chat).unreadable.size, 1);
    assert.deepEqual(await answers(), ['one', 'two', 'three']);
  });

  it('is written by each window in a file of its own: no disk can lose what one appends to that of another', async () => {
    const [one, other] = [open(), open()];
    for (const by of [one, other, one]) await by.append(ID, read('one'));
    const texts = (await files()).map(([, text]) => text);
    assert.deepEqual(texts.map((text) => text.split('\n').filter(Boolean).length).sort(), [1, 2]);
    assert.equal(await one.size(ID), Buffer.byteLength(texts.join('')));
  });

  it('takes what was found last for how far a chat is read, in whichever window', async () => {
    const [one, other] = [open(), open()];
    await one.append(ID, read('one'));
    await other.append(ID, read('two'));
    await one.append(ID, read('three'));
    // Its clock was set back.
    now -= 3;
    await one.append(ID, read('four'));
    assert.deepEqual((await open().load(ID)).of(chat).anchors, [{ msgId: 'four', beyond: 0 }]);
    assert.deepEqual(await answers(), ['one', 'two', 'three', 'four']);
  });

  it('ignores damaged lines, and goes on after one that was cut', async () => {
    const store = open();
    await store.append(ID, read('one'));
    const [[path, text] = assert.fail()] = await files();
    await box.files.write(path, `${text.trimEnd()}\n{"what":"read"}\n0123456789abcdef {"what":`);
    await store.append(ID, read('two'));
    assert.deepEqual(await answers(), ['one', 'two']);
  });

  it('ignores lines of another computer with an impossible time, or a failure that can’t be shown', async () => {
    const failed = (failure: object) => ({ what: 'failed', ...chat, at: ++now, failure }) as ReplyLine;
    for (const line of [failed({ kind: 'http' }), failed({ kind: 'newer' }), { what: 'done', at: 1e300 } as const])
      await open().append(ID, line);
    const record = await open().load(ID);
    // Without a failure, it would mean that the service doesn't list the delivered message any more.
    assert.deepEqual([record.of(chat).failed, record.doneAt], [undefined, undefined]);
  });

  it('never has the token', async () => {
    const token = 'a-token-of-the-bot';
    const said = listed({ msgId: 'one', text: `Is it ${token}?` }).raw;
    await open().append(ID, { ...read(), answers: [said] }, token);
    const [[, text] = assert.fail()] = await files();
    assert.ok(!text.includes(token));
    assert.deepEqual(await answers(), ['one']);
  });

  it('remembers why a chat could not be read, until it is read again', async () => {
    const failure = { kind: 'rejected', status: 200, code: -1, text: 'no' } as const;
    await open().append(ID, { what: 'failed', ...chat, at: ++now, failure });
    assert.deepEqual((await open().load(ID)).of(chat).failed, { failure });
    await open().append(ID, read('one'));
    assert.equal((await open().load(ID)).of(chat).failed, undefined);
  });

  it('is deleted with the delivery, and does not come back', async () => {
    await open().append(ID, read('one'));
    await box.open().remove(ID);
    await assert.rejects(open().append(ID, read('two')), DeletedError);
    assert.deepEqual(await box.files.names('deliveries'), []);
  });
});
