import assert from 'node:assert/strict';
import { messages } from '../prove/messages.ts';

/** A short, repeatable run of `npm run prove`. */
describe('Random messages', () => {
  it('run nothing, load nothing and lead nowhere unexpected', async () => {
    const found = await messages.run({ seed: 7, runs: 25, report: () => {}, tally: () => {} });
    assert.ok(found.length === 0, found.join('\n\n'));
  }).timeout(300_000);
});
