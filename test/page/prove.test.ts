import assert from 'node:assert/strict';
import { messages } from '../prove/messages.ts';

/** The short form of a long proof (`npm run prove`), with a fixed seed. */
describe('Short proof:', () => {
  it('whatever a message contains, nothing runs, is requested, navigates or could act', async () => {
    const found = await messages.run({ seed: 7, runs: 25, report: () => {}, tally: () => {} });
    assert.ok(found.length === 0, found.join('\n\n'));
  }).timeout(300_000);
});
