import assert from 'node:assert/strict';
import { env, type Memento, type SecretStorage, UIKind } from 'vscode';
import { askToSet, setToken } from '../../../src/connecting/bots.ts';
import { Tokens } from '../../../src/platform/tokens.ts';
import { BotChatClient, NoTokenError } from '../../../src/presentation/botChatClient.ts';
import { onCheckedInputs, onMessages, restore } from '../answers.ts';
import { memento, secretStorage } from '../memory.ts';
import { newHost } from '../test-host.ts';
import { newConnection, useService } from '../test-service.ts';

const BOT = '30481126';
const OTHER_BOT = '30527740';

const MAY_BE_LOST =
  "In a browser, VS Code may keep the token only until this window is closed or reloaded. If so, you'll be asked for it again.";
const LOST_IN_BROWSER = 'This VS Code keeps tokens only until its window is closed or reloaded.';
const LOST_WITHOUT_KEYRING = 'Without a keyring, VS Code keeps tokens only until its window is closed or reloaded.';

describe('How long VS Code keeps tokens', () => {
  const service = useService({ bots: [], groups: [], people: [] });
  let kept: Memento;

  beforeEach(() => {
    kept = memento();
  });
  afterEach(() => {
    restore();
    setUiKind(UIKind.Desktop);
  });

  const setUiKind = (uiKind: UIKind) => Object.assign(env, { uiKind });

  /** A window with what the ones before it have kept. */
  const openWindow = (secrets: SecretStorage) => {
    const tokens = new Tokens(secrets, kept);
    return newHost({ connection: newConnection(), memento: kept, tokens });
  };

  /** What is said when the tokens of these bots are saved in a new window. */
  async function said(secrets: SecretStorage, ...bots: string[]): Promise<string[]> {
    const host = openWindow(secrets);
    const shown = onMessages();
    const connected = await host.connection.open();
    for (const bot of bots) {
      onCheckedInputs(service.sandbox.token(bot));
      await setToken(connected, host, bot);
    }
    host.connection.dispose();
    return shown.filter((text) => !text.startsWith('Saved the token'));
  }

  it('is said once in a browser, as a possibility, and no more if they were kept', async () => {
    setUiKind(UIKind.Web);
    const secrets = secretStorage();
    assert.deepEqual(await said(secrets, BOT, OTHER_BOT), [MAY_BE_LOST]);
    assert.deepEqual(await said(secrets, BOT), []);
  });

  it('is said once a window after one was lost in a browser', async () => {
    setUiKind(UIKind.Web);
    assert.deepEqual(await said(secretStorage(), BOT, OTHER_BOT), [MAY_BE_LOST]);
    assert.deepEqual(await said(secretStorage(), BOT, OTHER_BOT), [LOST_IN_BROWSER]);
    assert.deepEqual(await said(secretStorage(), BOT), [LOST_IN_BROWSER]);
  });

  it('is said on a desktop after one was lost, and never where they are kept', async () => {
    const secrets = secretStorage();
    assert.deepEqual(await said(secrets, BOT), []);
    assert.deepEqual(await said(secrets, BOT), []);
    assert.deepEqual(await said(secretStorage(), BOT), [LOST_WITHOUT_KEYRING]);
  });

  it('is said where a lost token is needed, with where to read more on a desktop', async () => {
    await said(secretStorage(), BOT);
    const { connection, tokens, ...host } = openWindow(secretStorage());
    const connected = await connection.open();
    let offered: readonly string[] = [];
    const shown = onMessages((_, buttons) => {
      offered = buttons;
      return undefined;
    });
    assert.equal(await askToSet(connected, tokens), false);
    assert.deepEqual(shown, [
      `VS Code no longer has the bot token that you saved for ${connected.address}. ${LOST_WITHOUT_KEYRING}`,
    ]);
    assert.deepEqual(offered, ['Set Bot Token…', 'Learn More']);
    const reading = (botId: string) =>
      new BotChatClient(
        { service: connected.address, kind: 'user', id: '1', botId },
        { ...host, connection, tokens },
      ).listOnly({ latest: 1 }, new AbortController().signal);
    await assert.rejects(
      reading(BOT),
      new NoTokenError(`VS Code no longer has the token that you saved for bot ${BOT}. ${LOST_WITHOUT_KEYRING}`),
    );
    await assert.rejects(reading(OTHER_BOT), new NoTokenError(`No token is saved for bot ${OTHER_BOT}.`));
    connection.dispose();
  });
});
