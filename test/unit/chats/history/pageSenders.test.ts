import assert from 'node:assert/strict';
import { PageSenders } from '../../../../src/chats/history/pageSenders.ts';
import { AvatarCache } from '../../../../src/directory/avatarCache.ts';
import { Directory, type Lookups } from '../../../../src/directory/directory.ts';
import type { SenderAvatar, ToPage } from '../../../../src/protocol/history.ts';
import type { Found } from '../../../../src/service/model.ts';
import { deferred, settled } from '../../deferred.ts';
import { bot, user } from '../../presentation/resources.ts';

const ALICE = { kind: 'user', id: '7' } as const;
const DESK = { kind: 'bot', id: '3048' } as const;
const URL_OF_ALICE = 'https://a.example/alice.png';

describe('The avatars in a history', () => {
  let sent: SenderAvatar[];
  let requests: string[];
  let lookUps: string[];
  let abort: AbortController;
  let directory: Directory;
  let senders: PageSenders;

  beforeEach(() => {
    sent = [];
    requests = [];
    lookUps = [];
    abort = new AbortController();
    const fetch = async (url: unknown) => {
      requests.push(String(url));
      return new Response('abc', { headers: { 'content-type': 'image/png' } });
    };
    const cache = new AvatarCache({ fetch: fetch as typeof globalThis.fetch });
    const open = async () => ({ directory });
    const post = (message: ToPage) => {
      if (message.type !== 'avatar') return;
      const { type: _, ...avatar } = message;
      sent.push(avatar);
    };
    senders = new PageSenders({ open } as never, post, abort.signal, cache);
  });

  /** A directory that knows these resources, and answers lookups of Alice. */
  function directoryOf(...known: readonly Found[]): Directory {
    const lookUp = async (id: string) => {
      lookUps.push(id);
      return user({ avatarUrl: URL_OF_ALICE });
    };
    const cached = known.map((found) => ({ id: found.kind === 'bot' ? '3048' : '7', found, at: 0 }));
    return new Directory({ user: lookUp } as unknown as Lookups, { cached, now: () => 0 });
  }

  it('are those that the directory knows, loaded as data URIs', async () => {
    directory = directoryOf(user({ avatarUrl: URL_OF_ALICE }), bot({ avatarUrl: 'data:image/svg+xml,a' }));
    await senders.showAvatars([ALICE, DESK]);
    await settled();
    assert.deepEqual(
      new Set(sent),
      new Set([
        { kind: 'user', id: '7', uri: 'data:image/png;base64,YWJj' },
        { kind: 'bot', id: '3048', uri: 'data:image/svg+xml,a' },
      ]),
    );
    assert.deepEqual(requests, [URL_OF_ALICE]);
  });

  it('are sent again to a page that is loaded again, those that were loaded at once', async () => {
    directory = directoryOf(user({ avatarUrl: URL_OF_ALICE }));
    await senders.showAvatars([ALICE]);
    await settled();
    senders.repeat();
    const [first] = sent;
    assert.deepEqual(sent, [first, first]);
    assert.equal(requests.length, 1);
  });

  it('include that of a sender whose card is shown', async () => {
    directory = directoryOf(user({ avatarUrl: URL_OF_ALICE }));
    await senders.showProfile(ALICE);
    await settled();
    assert.deepEqual(sent, [{ ...ALICE, uri: 'data:image/png;base64,YWJj' }]);
  });

  it('are looked up for no one, and shown once something else has looked up the sender', async () => {
    directory = directoryOf();
    await senders.showAvatars([ALICE]);
    await settled();
    for (const made of [sent, requests, lookUps]) assert.deepEqual(made, []);
    await directory.get('user', '7');
    await settled();
    assert.equal(sent.length, 1);
    assert.deepEqual(requests, [URL_OF_ALICE]);
    assert.deepEqual(lookUps, ['7']);
  });

  it('are loaded once each, however often a page asks', async () => {
    directory = directoryOf(user({ avatarUrl: URL_OF_ALICE }));
    await senders.showAvatars([ALICE, ALICE]);
    await settled();
    await senders.showAvatars([ALICE]);
    await settled();
    assert.deepEqual(requests, [URL_OF_ALICE]);
  });

  it('are requested over https only', async () => {
    for (const avatarUrl of ['', 'http://a.example/a.png', 'file:///a.png', 'command:evil']) {
      directory = directoryOf(user({ avatarUrl }));
      await senders.showAvatars([ALICE]);
    }
    await settled();
    assert.deepEqual(sent, []);
    assert.deepEqual(requests, []);
  });

  it('belong to a user or to a bot, even if both have the same ID', async () => {
    directory = directoryOf(user({ avatarUrl: URL_OF_ALICE }));
    await senders.showAvatars([{ kind: 'bot', id: '7' }]);
    await settled();
    assert.deepEqual(sent, []);
    assert.deepEqual(requests, []);
  });

  it('are not loaded or sent after the panel is closed', async () => {
    directory = directoryOf();
    await senders.showAvatars([ALICE]);
    abort.abort();
    await directory.get('user', '7');
    await senders.showAvatars([ALICE]);
    await settled();
    assert.deepEqual(sent, []);
    assert.deepEqual(requests, []);
  });
});

describe('The card of a sender in a history', () => {
  it('is that of the sender asked for last, although the one before was looked up later', async () => {
    const found = deferred<Found>();
    const lookUps = { user: () => found.promise, bot: async () => bot({}) } as unknown as Lookups;
    const open = async () => ({ directory: new Directory(lookUps) });
    const botChat = { service: 'https://chat.example', kind: 'group', id: '1', botId: '3048' };
    const posted: ToPage[] = [];
    const reader = { open, botChat, lists: { read: () => ({ entries: [] }) } };
    const senders = new PageSenders(reader as never, (message) => posted.push(message), new AbortController().signal);
    const before = senders.showProfile(ALICE);
    await senders.showProfile(DESK);
    found.resolve(user({}));
    await before;
    assert.deepEqual(
      posted.map((one) => one.type === 'profile' && one.profile.kind),
      ['bot'],
    );
  });
});
