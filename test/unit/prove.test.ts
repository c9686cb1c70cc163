import assert from 'node:assert/strict';
import { answers } from '../prove/answers.ts';
import { damage } from '../prove/damage.ts';
import { disk } from '../prove/disk.ts';
import { kills } from '../prove/kills.ts';
import { windows } from '../prove/windows.ts';
import { words } from '../prove/words.ts';

/** Short cases of the long proofs (`npm run prove`) with a fixed seed. */
describe('Short proofs:', () => {
  const quietly = { report: () => {}, tally: () => {} };
  const assertNone = (found: string[]) => assert.ok(found.length === 0, found.join('\n\n'));

  it('a delivery that is killed at any step reaches no one twice and misses no one', async () => {
    // Three batches: one is rate-limited, and for the others the response is lost or unreadable.
    assertNone(await kills.run({ seed: 902, runs: 1, ...quietly }));
  }).timeout(300_000);

  it('two windows that act on one delivery reach no one twice and miss no one, wherever one stalls', async () => {
    assertNone(await windows.run({ seed: 1, runs: 200, ...quietly }));
  }).timeout(300_000);

  it('with a failing disk, nothing unrecorded is sent, and no one is reached twice or missed', async () => {
    assertNone(await disk.run({ seed: 4, runs: 60, ...quietly }));
  });

  it('damage in the outbox is detected, and no one is reached twice or missed', async () => {
    assertNone(await damage.run({ seed: 3, runs: 60, ...quietly }));
  });

  it('for any response, the client returns valid data or its own error without a token', async () => {
    assertNone(await answers.run({ seed: 1, runs: 100, ...quietly }));
  });

  it('VS Code shows any name, ID or error as plain text', async () => {
    assertNone(await words.run({ seed: 2, runs: 100, ...quietly }));
  });
});
