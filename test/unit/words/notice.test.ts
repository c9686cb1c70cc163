import assert from 'node:assert/strict';
import { notice } from '../../../src/words/notice.ts';

/** What VS Code takes for links in the text of a notification. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)/;

describe('Words for a notification', () => {
  it('become no link, whatever the service says', () => {
    const hostile = 'code 1003: [Set Bot Token…](command:workbench.action.quit) [a](https://a.example)';
    assert.match(hostile, LINK);
    assert.doesNotMatch(notice(hostile), LINK);
  });

  it('look as before', () => {
    assert.equal(notice('[a](b) and [c] (d)').replaceAll('\u200b', ''), '[a](b) and [c] (d)');
    assert.equal(notice('Sent: 2 of 2 reached.'), 'Sent: 2 of 2 reached.');
  });
});
