import assert from 'node:assert/strict';
import { explainLifetime } from '../../../src/connecting/tokenLifetime.ts';
import { Store } from '../../../src/platform/store.ts';
import { Tokens } from '../../../src/platform/tokens.ts';
import { onMessages, restore } from '../answers.ts';
import { inBrowser } from '../inBrowser.ts';
import { memento, secretStorage } from '../memory.ts';

const MAY_BE_LOST =
  "In a browser, VS Code may keep the token only until this window is closed or reloaded. If so, you'll be asked for it again.";
const IS_LOST =
  "This VS Code keeps the token only until this window is closed or reloaded. Then you'll be asked for it again.";

describe('After a token was saved in a browser', () => {
  afterEach(restore);

  /** What each window says for the tokens that are saved in it. */
  async function said(windows: number[], secretsOf: () => ReturnType<typeof secretStorage>): Promise<string[][]> {
    const store = new Store(memento());
    const texts: string[][] = [];
    for (const saved of windows) {
      const tokens = new Tokens(secretsOf());
      const shown = onMessages();
      await inBrowser(async () => {
        for (let token = 0; token < saved; token++) await explainLifetime({ store, tokens });
      });
      texts.push(shown);
    }
    return texts;
  }

  it('says once that it may be lost, and nothing more if it was kept', async () => {
    const secrets = secretStorage();
    assert.deepEqual(await said([2, 1, 1], () => secrets), [[MAY_BE_LOST], [], []]);
  });

  it('says that it is lost where that has happened', async () => {
    assert.deepEqual(await said([1, 2, 1], secretStorage), [[MAY_BE_LOST], [IS_LOST], [IS_LOST]]);
  });

  it('says nothing outside of a browser', async () => {
    const shown = onMessages();
    await explainLifetime({ store: new Store(memento()), tokens: new Tokens(secretStorage()) });
    assert.deepEqual(shown, []);
  });
});
