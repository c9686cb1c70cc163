import assert from 'node:assert/strict';
import { answers } from '../prove/answers.ts';
import { damage } from '../prove/damage.ts';
import { disk } from '../prove/disk.ts';
import { kills } from '../prove/kills.ts';
import { windows } from '../prove/windows.ts';
import { words } from '../prove/words.ts';

/** Cases of the long proofs (`npm run prove`) that are the same each time. */
describe('In short,', () => {
  const quietly = { report: () => {}, tally: () => {} };
  const assertNone = (found: string[]) => assert.ok(found.length === 0, found.join('\n\n'));

  it('a delivery whose process is killed at any step reaches nobody twice and loses nobody', async () => {
    // Three batches, one of which is refused as too often; of two others the answer is lost or cannot be read.
    assertNone(await kills.run({ seed: 902, runs: 1, ...quietly }));
  }).timeout(300_000);

  it('two windows that act on one delivery send nobody the same twice and lose nobody, wherever one stalls', async () => {
    assertNone(await windows.run({ seed: 1, runs: 200, ...quietly }));
  }).timeout(300_000);

  it('a disk that fails has nothing sent that is not written down, and nobody doubled or lost', async () => {
    assertNone(await disk.run({ seed: 4, runs: 60, ...quietly }));
  });

  it('whatever is damaged in the outbox is noticed, and nobody doubled or lost', async () => {
    assertNone(await damage.run({ seed: 3, runs: 60, ...quietly }));
  });

  it('whatever the service answers, the client gives valid data or an error of its own that tells no token', async () => {
    assertNone(await answers.run({ seed: 1, runs: 100, ...quietly }));
  });

  it('whatever a name, an ID or an error says, VS Code shows it as text and nothing else', async () => {
    assertNone(await words.run({ seed: 2, runs: 100, ...quietly }));
  });
});
