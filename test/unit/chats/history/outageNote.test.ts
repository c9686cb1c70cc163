import assert from 'node:assert/strict';
import type { MessageArchive } from '../../../../src/chats/contract.ts';
import { OutageNote } from '../../../../src/chats/history/outageNote.ts';
import { ServiceError } from '../../../../src/service/errors.ts';
import { deferred } from '../../deferred.ts';
import { NO_ARCHIVE } from '../../test-host.ts';

const CHAT = { service: 'https://chat.example', kind: 'group', id: 'big', botId: '30481126' } as const;
const outage = new ServiceError({ kind: 'unreachable', reason: 'ECONNREFUSED' });

/** A note, and its texts one after the other. */
function noteOf(checkedAt: MessageArchive['checkedAt']) {
  const texts: string[] = [];
  const archive: MessageArchive = { ...NO_ARCHIVE, checkedAt };
  return { note: new OutageNote(CHAT, archive, (text) => texts.push(text)), texts };
}

describe('The note above a history', () => {
  it('says until when messages are archived and what is wrong, until the service answers', async () => {
    const { note, texts } = noteOf(async () => Date.UTC(2026, 10, 24, 12));
    await note.update(outage);
    await note.update(undefined);
    await note.update(undefined);
    assert.equal(texts.length, 2);
    assert.match(
      texts[0] ?? '',
      /^Archived messages until Nov 24, 2026, .*\. Can't connect to the service \(ECONNREFUSED\)/,
    );
    assert.equal(texts[1], '');
  });

  it('appears again on a page that was reloaded, until the service answers', async () => {
    const { note, texts } = noteOf(async () => 1);
    note.repeat();
    await note.update(outage);
    note.repeat();
    await note.update(undefined);
    note.repeat();
    assert.equal(texts.length, 3);
    assert.equal(texts[1], texts[0]);
  });

  it("doesn't appear after the service has answered", async () => {
    const checkedAt = deferred<number>();
    const { note, texts } = noteOf(() => checkedAt.promise);
    const updated = note.update(outage);
    await note.update(undefined);
    checkedAt.resolve(1);
    await updated;
    assert.deepEqual(texts, ['']);
  });
});
