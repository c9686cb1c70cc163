import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { MessageArchive } from '../../../../src/chats/contract.ts';
import { HistorySource, OutageNote } from '../../../../src/chats/history/historySource.ts';
import { SetupError } from '../../../../src/platform/openService.ts';
import { OtherServiceError } from '../../../../src/presentation/botChatClient.ts';
import type { Page } from '../../../../src/service/client.ts';
import { ServiceError } from '../../../../src/service/errors.ts';
import { Listed } from '../../../../src/service/message.ts';
import { deferred } from '../../deferred.ts';
import { NO_ARCHIVE } from '../../test-host.ts';

const CHAT = { service: 'https://chat.example', kind: 'group', id: 'big', botId: '30481126' } as const;
const FROM_SERVICE = [v.parse(Listed, { msgId: 'service' })];
const FROM_ARCHIVE = [v.parse(Listed, { msgId: 'archive' })];
const NEWEST: Page = { latest: 20 };
const OLDER: Page = { anchor: 'm', before: 20 };
const outage = new ServiceError({ kind: 'unreachable', reason: 'ECONNREFUSED' });

describe('The pages of a history', () => {
  /** A source, what it asked for, and the outages that it told. */
  function sourceOf(service: Listed[] | Error, archive: Listed[] | Error | undefined) {
    const asked: string[] = [];
    const told: unknown[] = [];
    const answer = <T>(who: string, what: T | Error) => {
      asked.push(who);
      return what instanceof Error ? Promise.reject(what) : Promise.resolve(what);
    };
    const source = new HistorySource(
      CHAT,
      { list: () => answer('service', service) },
      { ...NO_ARCHIVE, list: () => answer('archive', archive) },
      (error) => told.push(error),
    );
    const list = (page = NEWEST, signal = new AbortController().signal) =>
      source.list(page, signal).catch((error: unknown) => error);
    return { source, list, asked, told };
  }

  it('come from the service as long as it answers', async () => {
    const { list, asked, told } = sourceOf(FROM_SERVICE, FROM_ARCHIVE);
    assert.equal(await list(), FROM_SERVICE);
    assert.deepEqual(asked, ['service']);
    assert.deepEqual(told, [undefined]);
  });

  it('come from the archive, which is said, while the service is out of reach or not connected', async () => {
    const others = [new OtherServiceError('another'), new SetupError('botChats.service.webUrl', 'empty')];
    for (const error of [outage, ...others]) {
      const { list, asked, told } = sourceOf(error, FROM_ARCHIVE);
      assert.equal(await list(), FROM_ARCHIVE);
      assert.deepEqual(asked, ['service', 'archive']);
      assert.deepEqual(told, [error]);
    }
  });

  it('fail as the service does if they are in no archive, or in one that is damaged', async () => {
    for (const archive of [undefined, new Error('damaged')]) {
      const { list, told } = sourceOf(outage, archive);
      assert.equal(await list(), outage);
      assert.deepEqual(told, []);
    }
  });

  it("aren't taken from the archive if the service refuses them, or nobody wants them any more", async () => {
    const refusal = new ServiceError({ kind: 'rejected', code: -1, text: 'no', status: 200 });
    const refused = sourceOf(refusal, FROM_ARCHIVE);
    assert.equal(await refused.list(), refusal);
    const canceled = sourceOf(outage, FROM_ARCHIVE);
    assert.equal(await canceled.list(NEWEST, AbortSignal.abort()), outage);
    assert.deepEqual([refused.asked, canceled.asked], [['service'], ['service']]);
  });

  it('come from the archive first where a load prefers that, but for the newest', async () => {
    const { source, list, asked } = sourceOf(FROM_SERVICE, FROM_ARCHIVE);
    assert.equal(await source.preferArchive(() => list(OLDER)), FROM_ARCHIVE);
    assert.equal(await source.preferArchive(() => list(NEWEST)), FROM_SERVICE);
    await assert.rejects(source.preferArchive(() => Promise.reject(new Error('ended'))));
    assert.equal(await list(OLDER), FROM_SERVICE);
    assert.deepEqual(asked, ['archive', 'service', 'service']);
    const missing = sourceOf(FROM_SERVICE, undefined);
    assert.equal(await missing.source.preferArchive(() => missing.list(OLDER)), FROM_SERVICE);
  });
});

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
