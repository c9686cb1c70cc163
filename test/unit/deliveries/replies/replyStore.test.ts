import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeletedError } from '../../../../src/deliveries/outbox/deliveryStore.ts';
import { type ReplyLine, ReplyStore } from '../../../../src/deliveries/replies/replyStore.ts';
import { diskFiles } from '../../../../src/platform/diskFiles.ts';
import { ID, plan, useOutboxFolder } from '../outbox/outboxFolder.ts';
import { deliveryOf, everyone } from '../outbox/testDeliveries.ts';
import { listed } from './randomChat.ts';

const chat = { kind: 'group', id: 'a' } as const;

const read = (...ids: string[]): ReplyLine => ({
  ...{ what: 'read', ...chat, at: 1, links: [], anchors: [{ msgId: ids.at(-1) ?? '', beyond: 0 }] },
  ...{ answers: ids.map((msgId) => listed({ msgId, text: `says ${msgId}` }).raw) },
  ...{ unreadable: 0, isComplete: true, isEnded: false },
});

describe('What was found of replies', () => {
  const folder = useOutboxFolder();
  const open = () => new ReplyStore(diskFiles(folder.path));
  const file = () => join(folder.path, 'deliveries', ID, 'replies.ndjson');
  const answers = async () => [...(await open().load(ID)).of(chat).answers.keys()];

  beforeEach(() => folder.open().start(deliveryOf(plan('ab'), { id: ID }), folder.by(everyone)));

  it('is kept with the delivery, which reads as before', async () => {
    const before = await folder.counts();
    await open().append(ID, read('one'));
    await open().append(ID, read('two'));
    const record = await open().load(ID);
    assert.deepEqual(await answers(), ['one', 'two']);
    assert.deepEqual(record.of(chat).anchors, [{ msgId: 'two', beyond: 0 }]);
    assert.deepEqual(await folder.counts(), before);
  });

  it('counts a message once that two windows have found', async () => {
    const [one, other] = [open(), open()];
    await one.append(ID, read('one', 'two'));
    await other.append(ID, read('one', 'two', 'three'));
    assert.deepEqual(await answers(), ['one', 'two', 'three']);
  });

  it('ignores damaged lines, and goes on after one that was cut', async () => {
    await open().append(ID, read('one'));
    await writeFile(
      file(),
      `${(await readFile(file(), 'utf8')).trimEnd()}\n{"what":"read"}\n0123456789abcdef {"what":`,
    );
    await open().append(ID, read('two'));
    assert.deepEqual(await answers(), ['one', 'two']);
  });

  it('never has the token', async () => {
    const token = 'a-token-of-the-bot';
    const line: ReplyLine = {
      ...read(),
      answers: [listed({ msgId: 'one', text: `Is it ${token}?` }).raw],
    } as ReplyLine;
    await open().append(ID, line, token);
    assert.ok(!(await readFile(file(), 'utf8')).includes(token));
    assert.deepEqual(await answers(), ['one']);
  });

  it('remembers why a chat could not be read, until it is read again', async () => {
    const failure = { kind: 'rejected', status: 200, code: -1, text: 'no' } as const;
    await open().append(ID, { what: 'failed', ...chat, at: 1, failure });
    assert.deepEqual((await open().load(ID)).of(chat).failed, { failure });
    await open().append(ID, read('one'));
    assert.equal((await open().load(ID)).of(chat).failed, undefined);
  });

  it('is deleted with the delivery, and does not come back', async () => {
    await open().append(ID, read('one'));
    await folder.open().remove(ID);
    await assert.rejects(open().append(ID, read('two')), DeletedError);
    await assert.rejects(stat(join(folder.path, 'deliveries', ID)));
  });
});
