import assert from 'node:assert/strict';
import { senderOptions } from '../../../../src/pages/search/query.ts';
import { scope } from '../../../page/searchResults.ts';

describe('The senders to choose from', () => {
  const named = (text: string) => senderOptions(scope.senders, text).options.map(({ sender }) => sender);

  it('are all of them at first', () => {
    assert.deepEqual(named(''), [undefined, ...scope.senders.map(({ sender }) => sender)]);
  });

  it('have names that contain what was typed, in any case and width', () => {
    assert.deepEqual(named('ＡＮＮ '), ['user 7', 'bot 9', 'user 8']);
    assert.deepEqual(named('desk'), ['bot 30481126']);
    assert.deepEqual(named('nobody'), []);
  });

  it('are at most a hundred of thousands', () => {
    const senders = Array.from({ length: 5000 }, (_, n) => ({ sender: `${n}`, name: `Keeper ${n}` }));
    for (const text of ['', 'keeper']) {
      const { options, hasMore } = senderOptions(senders, text);
      assert.equal(options.filter(({ sender }) => sender).length, 100);
      assert.equal(hasMore, true);
    }
  });
});
