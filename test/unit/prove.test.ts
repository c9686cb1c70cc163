import assert from 'node:assert/strict';
import { archive } from '../prove/archive.ts';
import { damagedFiles } from '../prove/damagedFiles.ts';
import { failingDisk } from '../prove/failingDisk.ts';
import { hostileNames } from '../prove/hostileNames.ts';
import { killedProcess } from '../prove/killedProcess.ts';
import { leavingOut } from '../prove/leavingOut/index.ts';
import { oddAnswers } from '../prove/oddAnswers/index.ts';
import { simulation } from '../prove/simulation/index.ts';
import { twoWindows } from '../prove/twoWindows.ts';

/** Short forms of the long proofs (`npm run prove`), with fixed seeds. */
describe('Short proof:', () => {
  const quietly = { report: () => {}, tally: () => {} };
  const assertNone = (found: string[]) => assert.ok(found.length === 0, found.join('\n\n'));

  it('a delivery killed on its way reaches no recipient twice or with another’s text, and loses none', async () => {
    // Three batches with messages of their own: one is rate-limited, the answers of two are lost.
    assertNone(await killedProcess.run({ seed: 25_618, runs: 1, ...quietly }));
  });

  it('two windows that act on one delivery reach everyone once with their own text, wherever one stalls', async () => {
    assertNone(await twoWindows.run({ seed: 1, runs: 50, ...quietly }));
  });

  it('whatever happens to windows at once, everyone gets what was confirmed for them once, on time, and nothing is lost', async () => {
    assertNone(await simulation.run({ seed: 1, runs: 30, ...quietly }));
  });

  it('who is on the Do Not Send list, under except: or not picked by where: gets nothing, and everyone else one message', async () => {
    assertNone(await leavingOut.run({ seed: 1, runs: 30, ...quietly }));
  });

  it('with a failing disk, nothing is sent before it is stored, and everyone gets their text once', async () => {
    assertNone(await failingDisk.run({ seed: 4, runs: 20, ...quietly }));
  });

  it('damage to the outbox is detected, and everyone gets their text once', async () => {
    assertNone(await damagedFiles.run({ seed: 3, runs: 20, ...quietly }));
  });

  it('whatever the service answers, the client returns valid data or a ServiceError without the token', async () => {
    assertNone(await oddAnswers.run({ seed: 1, runs: 40, ...quietly }));
  });

  it('an archive is the chat, whatever fails and whichever window is killed', async () => {
    assertNone(await archive.run({ seed: 5, runs: 3, ...quietly }));
  });

  it('a name, an ID or an error text is shown as plain text in VS Code', async () => {
    assertNone(await hostileNames.run({ seed: 2, runs: 100, ...quietly }));
  });
});
