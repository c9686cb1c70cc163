import assert from 'node:assert/strict';
import * as v from 'valibot';
import { canReload, edgeView, itemView } from '../../../../src/chats/history/itemViews.ts';
import { NoTokenError } from '../../../../src/presentation/botChatClient.ts';
import { type Failure, ServiceError } from '../../../../src/service/errors.ts';
import { Listed } from '../../../../src/service/message.ts';
import { LostAnchorError } from '../../../../src/service/messagePages.ts';
import { entryOf } from './chat.ts';

const failed = (error: unknown) => ({ at: 'failed', error }) as const;
const withStatus = (status: number) => new ServiceError({ kind: 'http', excerpt: 'no', status } as Failure);
const rejected = (code: number) => new ServiceError({ kind: 'rejected', code, text: 'no', status: 200 });

describe('An end of a history on its page', () => {
  it('says why it failed to load, and what may help', () => {
    const shown = (error: unknown) => {
      const view = edgeView(failed(error));
      return view.at === 'failed' ? [view.fix, view.text] : assert.fail();
    };
    assert.deepEqual(shown(new NoTokenError('No token.')), ['setToken', 'No token.']);
    assert.equal(shown(rejected(1003))[0], 'setToken');
    assert.equal(shown(withStatus(404))[0], 'changeAddress');
    assert.equal(shown(withStatus(429))[0], undefined);
    const lost = 'The service no longer returns the messages needed to load more.';
    assert.deepEqual(shown(new LostAnchorError('m')), [undefined, lost]);
  });

  it('is loaded again by itself, unless that is pointless before the user has done something', () => {
    assert.ok(canReload({ at: 'open' }) && canReload({ at: 'end' }));
    assert.ok(!canReload({ at: 'loading' }));
    assert.ok(canReload(failed(new ServiceError({ kind: 'unreachable', reason: 'ECONNRESET' }))));
    assert.ok(canReload(failed(rejected(1007))), 'too many requests');
    assert.ok(!canReload(failed(rejected(1003))), 'a wrong token');
  });
});

describe('A message on the page of a history', () => {
  const viewOf = (entry: Listed) => itemView({ type: 'entry', key: 'm', entry });

  it('comes as it was received only if the page does not know its type', () => {
    const text = { msgId: 'm', contentType: 'text', content: { text: 'Hi' } };
    const odd = { msgId: 'm', contentType: 'liveAudio', content: { room: 7 } };
    assert.deepEqual(
      [text, odd].map((raw) => viewOf(v.parse(Listed, raw))).map((view) => view.type === 'message' && view.raw),
      [undefined, odd],
    );
    assert.deepEqual(viewOf(entryOf('broken')), { type: 'unreadable', key: 'm', raw: { broken: 'broken' } });
  });
});
