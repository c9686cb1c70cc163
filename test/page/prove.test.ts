import assert from 'node:assert/strict';
import { closedTabs } from '../prove/closedTabs.ts';
import { messages } from '../prove/messages.ts';
import { twoTabs } from '../prove/twoTabs.ts';

/** Short forms of the long proofs (`npm run prove`), with fixed seeds. */
describe('Short proof:', () => {
  const quietly = { report: () => {}, tally: () => {} };
  const assertNone = (found: string[]) => assert.ok(found.length === 0, found.join('\n\n'));

  it('whatever a message contains, nothing runs, is requested, navigates or could act', async () => {
    assertNone(await messages.run({ seed: 7, runs: 25, ...quietly }));
  }).timeout(300_000);

  it('a delivery whose tab is closed at any step reaches no recipient twice and loses none', async () => {
    // One answer is lost, and the tab that goes on is closed, too.
    assertNone(await closedTabs.run({ seed: 909, runs: 1, ...quietly }));
  }).timeout(300_000);

  it('two tabs that act on one delivery reach no recipient twice and lose none, wherever one stalls', async () => {
    assertNone(await twoTabs.run({ seed: 1, runs: 20, ...quietly }));
  }).timeout(300_000);
});
