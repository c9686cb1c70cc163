import assert from 'node:assert/strict';
import type { Memento, SecretStorage } from 'vscode';
import { Tokens } from '../../../src/platform/tokens.ts';
import { memento, secretStorage } from '../memory.ts';

/** A SecretStorage in memory, with access to its contents. */
function memory() {
  const held = new Map<string, string>();
  const secrets: SecretStorage = {
    keys: async () => [...held.keys()],
    get: async (key) => held.get(key),
    store: async (key, value) => void held.set(key, value),
    delete: async (key) => void held.delete(key),
    onDidChange: () => ({ dispose() {} }),
  };
  const known = memento();
  return { held, secrets, known, tokens: new Tokens(secrets, known) };
}

const service = { address: 'https://chat.example/open' };
const other = { address: 'https://other.example/open' };
const sandbox = {
  address: 'sandbox:',
  sandbox: {
    group: [],
    user: [],
    bot: ['1', '2'],
    token: (botId: string) => (botId < '3' ? `made ${botId}` : undefined),
  },
};
const unauthorized = { status: 401, text: 'Unauthorized' };

describe('Tokens', () => {
  it('are trimmed', async () => {
    const { tokens } = memory();
    await tokens.set(service, '1', ' \tsecret+/= of 1\n');
    assert.equal(await tokens.get(service, '1'), 'secret+/= of 1');
  });

  it('survive a restart', async () => {
    const { tokens, secrets, known } = memory();
    await tokens.set(service, '1', 'one');
    assert.equal(await new Tokens(secrets, known).get(service, '1'), 'one');
    assert.deepEqual(await new Tokens(secrets, known).bots(service), ['1']);
  });

  it('belong to one bot at one address', async () => {
    const { tokens } = memory();
    await tokens.set(service, '1', 'one');
    await tokens.set(service, '2', 'two');
    await tokens.set(other, '1', 'elsewhere');
    assert.equal(await tokens.get(service, '1'), 'one');
    assert.equal(await tokens.get(service, '2'), 'two');
    assert.equal(await tokens.get(other, '1'), 'elsewhere');
    assert.equal(await tokens.get(other, '2'), undefined);
    assert.deepEqual([await tokens.saved(service), await tokens.saved(other)], [['1', '2'], ['1']]);
  });

  it('are replaced without listing their bot twice', async () => {
    const { tokens } = memory();
    await tokens.set(service, '1', 'old');
    await tokens.set(service, '1', 'new');
    assert.equal(await tokens.get(service, '1'), 'new');
    assert.deepEqual(await tokens.bots(service), ['1']);
  });

  it('are removed without a trace, for one bot at one address', async () => {
    const { tokens, held } = memory();
    for (const at of [service, other]) for (const botId of ['1', '2']) await tokens.set(at, botId, `secret ${botId}`);
    await tokens.remove(service, '1');
    assert.equal(await tokens.get(service, '1'), undefined);
    assert.deepEqual([await tokens.bots(service), await tokens.bots(other)], [['2'], ['1', '2']]);
    await tokens.remove(other, '1');
    assert.doesNotMatch([...held.values()].join(), /secret 1/);
    await tokens.remove(service, 'never saved');
  });

  it('of the sandbox come after saved ones', async () => {
    const { tokens, held } = memory();
    assert.equal(await tokens.get(sandbox, '1'), 'made 1');
    assert.equal(await tokens.get(sandbox, '9'), undefined);
    assert.deepEqual([await tokens.bots(sandbox), await tokens.saved(sandbox)], [['1', '2'], []]);
    assert.equal(held.size, 0);
    await tokens.set(sandbox, '9', 'nine');
    await tokens.set(sandbox, '2', 'my own');
    assert.deepEqual(await tokens.bots(sandbox), ['9', '2', '1']);
    assert.deepEqual([await tokens.get(sandbox, '2'), await tokens.get(sandbox, '1')], ['my own', 'made 1']);
    await tokens.remove(sandbox, '2');
    assert.equal(await tokens.get(sandbox, '2'), 'made 2');
  });

  it('are all listed if several are saved or removed at once, in one window or two', async () => {
    const { tokens, secrets, known } = memory();
    const second = new Tokens(secrets, known);
    await Promise.all([
      tokens.set(service, '1', 'one'),
      tokens.set(service, '2', 'two'),
      second.set(service, '3', 'x'),
    ]);
    assert.deepEqual(await tokens.saved(service), ['1', '2', '3']);
    await Promise.all([tokens.remove(service, '1'), second.remove(service, '3')]);
    assert.deepEqual(await second.saved(service), ['2']);
  });

  it("are listed by what is known of them where VS Code can't list its secrets", async () => {
    const { tokens, secrets, held } = memory();
    secrets.keys = () => Promise.reject(new Error('Secret storage provider does not support keys() method'));
    for (const bot of ['1', '2']) await tokens.set(service, bot, 'secret');
    await tokens.set({ address: 'https://other.example' }, '3', 'secret');
    held.delete(`token ${service.address} 1`);
    assert.deepEqual([await tokens.saved(service), await tokens.lost(service)], [['2'], ['1']]);
  });

  it('are listed for their whole address', async () => {
    const { tokens, held } = memory();
    for (const address of [service.address, `${service.address}2`, 'https://chat.example/'])
      await tokens.set({ address }, address, 'secret');
    held.set(`other ${service.address} 1`, 'something else');
    assert.deepEqual(await tokens.saved(service), [service.address]);
  });

  it("aren't taken for lost while they are removed, and stay if what is known of them can't be saved", async () => {
    const { tokens, secrets, known } = memory();
    await tokens.set(service, '1', 'one');
    const failing: Memento = { ...known, update: () => Promise.reject(new Error('The disk is full')) };
    await assert.rejects(new Tokens(secrets, failing).remove(service, '1'), /disk/);
    await new Tokens(secrets, failing).remove(service, 'never saved');
    assert.deepEqual([await tokens.saved(service), await tokens.get(service, '1')], [['1'], 'one']);
    const lost: Promise<string[]>[] = [];
    const remove = secrets.delete;
    secrets.delete = async (key) => {
      await remove(key);
      lost.push(tokens.lost(service));
    };
    await tokens.remove(service, '1');
    assert.deepEqual([await Promise.all(lost), await tokens.saved(service)], [[[]], []]);
  });

  it('that were refused are remembered across restarts, until the service accepts them or others are saved', async () => {
    const { tokens, secrets, known } = memory();
    let changes = 0;
    tokens.onDidChangeKnown(() => changes++);
    const refusal = { status: 200, code: 1003, text: '非法token' };
    await tokens.set(service, '1', 'one');
    await tokens.answered(service, '1', 'one', undefined);
    await tokens.answered(service, '1', 'one', { ...refusal, code: 1002 });
    await tokens.answered(service, '1', 'one', refusal);
    await tokens.answered(service, '1', 'one', { ...refusal });
    assert.deepEqual(new Tokens(secrets, known).refusal(service, '1'), refusal);
    assert.equal(tokens.refusal(other, '1'), undefined);
    await tokens.answered(service, '1', 'one', undefined);
    assert.equal(tokens.refusal(service, '1'), undefined);
    await tokens.set(service, '1', 'two', refusal);
    await tokens.set(service, '1', 'three');
    assert.equal(tokens.refusal(service, '1'), undefined);
    assert.equal(changes, 5);
    assert.doesNotMatch(JSON.stringify(known.keys().map((key) => known.get(key))), /one|two|three/);
  });

  it("aren't refused by the answer to one that was replaced, or to one of the sandbox", async () => {
    const { tokens } = memory();
    await tokens.set(service, '1', 'new');
    await tokens.answered(service, '1', 'old', unauthorized);
    await tokens.answered(sandbox, '1', 'made 1', unauthorized);
    assert.deepEqual([tokens.refusal(service, '1'), tokens.refusal(sandbox, '1')], [undefined, undefined]);
  });

  it('that were refused without a code are accepted as others are', async () => {
    const { tokens } = memory();
    await tokens.set(service, '1', 'one', unauthorized);
    await tokens.answered(service, '1', 'one', undefined);
    assert.equal(tokens.refusal(service, '1'), undefined);
  });

  it('are known to be replaced when another window hears of it', async () => {
    const [secrets, known] = [secretStorage(), memento()];
    const [tokens, other] = [new Tokens(secrets, known), new Tokens(secrets, known)];
    await tokens.set(service, '1', 'one', unauthorized);
    const heard: unknown[] = [];
    other.onDidChange(() => heard.push(other.refusal(service, '1')));
    await tokens.set(service, '1', 'two');
    assert.deepEqual(heard, [undefined]);
  });

  it("aren't lost if they are removed while the service refuses them", async () => {
    const { tokens, known, secrets } = memory();
    await tokens.set(service, '1', 'one');
    const remove = secrets.delete;
    let answered: Promise<void> | undefined;
    secrets.delete = (key) => {
      answered = tokens.answered(service, '1', 'one', unauthorized);
      return remove(key);
    };
    await tokens.remove(service, '1');
    await answered;
    assert.deepEqual([await tokens.lost(service), new Tokens(secrets, known).wasSaved()], [[], false]);
  });

  it('are known by what can be read of what is stored about them', async () => {
    const { tokens, known } = memory();
    const lost = { service: service.address, botId: '1' };
    for (const stored of [7, { 0: lost }]) {
      await known.update('tokens', stored);
      assert.equal(tokens.wasSaved(), false);
    }
    await known.update('tokens', [null, { service: service.address }, lost]);
    assert.deepEqual(await tokens.lost(service), ['1']);
  });

  it('are lost if VS Code has forgotten them, but not if they were removed', async () => {
    const { tokens, known } = memory();
    for (const bot of ['1', '2', '3']) await tokens.set(service, bot, 'secret');
    await tokens.remove(service, '2');
    assert.deepEqual(await tokens.lost(service), []);
    const later = new Tokens(memory().secrets, known);
    assert.deepEqual(await later.lost(service), ['3', '1']);
    assert.deepEqual(await later.lost(other), []);
    await later.set(service, '1', 'secret');
    assert.deepEqual(await later.lost(service), ['3']);
  });
});
