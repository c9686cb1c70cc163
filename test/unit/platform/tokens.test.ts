import assert from 'node:assert/strict';
import type { SecretStorage } from 'vscode';
import { Tokens } from '../../../src/platform/tokens.ts';

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
  return { held, secrets, tokens: new Tokens(secrets) };
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

describe('Tokens', () => {
  it('are trimmed', async () => {
    const { tokens } = memory();
    await tokens.set(service, '1', ' \tsecret+/= of 1\n');
    assert.equal(await tokens.get(service, '1'), 'secret+/= of 1');
  });

  it('survive a restart', async () => {
    const { tokens, secrets } = memory();
    await tokens.set(service, '1', 'one');
    assert.equal(await new Tokens(secrets).get(service, '1'), 'one');
    assert.deepEqual(await new Tokens(secrets).bots(service), ['1']);
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

  it('survive an invalid list of bots', async () => {
    for (const garbage of ['', 'not JSON', 'null', '{}', '[1]', '"1"', '[["1"]]', '[', '{"0":"1"}']) {
      const { tokens, held } = memory();
      await tokens.set(service, '1', 'one');
      const [listKey = ''] = [...held].find(([, value]) => value !== 'one') ?? [];
      held.set(listKey, garbage);
      assert.deepEqual(await tokens.saved(service), [], garbage);
      assert.equal(await tokens.get(service, '1'), 'one');
      await tokens.set(service, '2', 'two');
      assert.deepEqual(await tokens.saved(service), ['2']);
    }
  });
});
