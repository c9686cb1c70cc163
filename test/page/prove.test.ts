import assert from 'node:assert/strict';
import { messages } from '../prove/messages.ts';

/** Cases of the long proof (`npm run prove`) that are the same each time. */
describe('In short,', () => {
  it('nothing runs, is asked for, leads away or could act, whatever a message holds', async () => {
    const found = await messages.run({ seed: 7, runs: 25, report: () => {}, tally: () => {} });
    assert.ok(found.length === 0, found.join('\n\n'));
  }).timeout(300_000);
});
