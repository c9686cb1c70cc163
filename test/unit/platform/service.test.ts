import assert from 'node:assert/strict';
import { openService, SetupError } from '../../../src/platform/openService.ts';
import { Connection, type Service } from '../../../src/platform/service.ts';
import { settled } from '../deferred.ts';
import { configure, keeping } from '../test-service.ts';

const addresses = {
  sandbox: false,
  webUrl: 'https://chat.example',
  openApiUrl: 'https://open.example',
  allowPlainHttp: false,
  callsPerSecond: 10,
};
const open = (changed: Partial<typeof addresses>) => openService({ service: { ...addresses, ...changed } }, keeping());

describe('A connection', () => {
  const noServices = { 'service.sandbox': undefined, 'service.callsPerSecond': undefined, groups: undefined };
  afterEach(() => configure(noServices));

  /** A connection to services whose steps are recorded. */
  function recorded(service: Partial<typeof addresses> = {}) {
    const steps: string[] = [];
    let count = 0;
    const connection = new Connection(
      async () => ({ service: { ...addresses, ...service } }),
      async () => {
        const name = ++count;
        steps.push(`open ${name}`);
        if (name === 1 && service.webUrl === 'fails') throw new Error('not now');
        return { close: async () => void steps.push(`close ${name}`) } as unknown as Service;
      },
    );
    return { connection, steps };
  }

  it('says what kind of service is set, and opens nothing for that', async () => {
    for (const [service, state] of [
      [{ sandbox: true }, 'sandbox'],
      [{}, 'service'],
      [{ webUrl: '' }, 'service'],
      [{ openApiUrl: '' }, 'service'],
      [{ webUrl: '', openApiUrl: '' }, 'none'],
    ] as const) {
      const { connection, steps } = recorded(service);
      assert.deepEqual([await connection.state(), steps], [state, []]);
      connection.dispose();
    }
  });

  it('opens its service once, and again after the service settings change, when the former is closed', async () => {
    const { connection, steps } = recorded();
    let changes = 0;
    connection.onDidChange(() => changes++);
    assert.equal(await connection.open(), await connection.open());
    await configure({ groups: ['big'] });
    assert.deepEqual([changes, steps], [0, ['open 1']]);
    await configure({ 'service.callsPerSecond': 20 });
    assert.equal(changes, 1);
    await connection.open();
    assert.deepEqual(steps, ['open 1', 'close 1', 'open 2']);
    connection.dispose();
    await settled();
    assert.deepEqual(steps, ['open 1', 'close 1', 'open 2', 'close 2']);
    await configure({ 'service.callsPerSecond': undefined });
    assert.equal(changes, 1);
  });

  it('tries again after a failure, and can be closed then', async () => {
    const { connection, steps } = recorded({ webUrl: 'fails' });
    const failed = connection.open();
    const closed = connection.close();
    await assert.rejects(failed, /not now/);
    await closed;
    await connection.open();
    assert.deepEqual(steps, ['open 1', 'open 2']);
    connection.dispose();
  });
});

describe('A service', () => {
  it('is known by the address that tokens are sent to', async () => {
    const service = await open({ openApiUrl: ' https://open.example/ ' });
    assert.deepEqual([service.address, service.sandbox], ['https://open.example', undefined]);
    await service.close();
  });

  it('names the setting that is missing or wrong', async () => {
    for (const [changed, setting, problem] of [
      [{ webUrl: '' }, 'botChats.service.webUrl', 'empty'],
      [{ openApiUrl: 'open' }, 'botChats.service.openApiUrl', 'notAnAddress'],
      [{ openApiUrl: 'http://open.example' }, 'botChats.service.openApiUrl', 'insecure'],
    ] as const) {
      const error = await open(changed).catch((failure) => failure);
      assert.ok(error instanceof SetupError);
      assert.deepEqual([error.setting, error.problem], [setting, problem]);
    }
    for (const allowed of [{ webUrl: 'http://chat.example' }, { openApiUrl: 'http://a.example', allowPlainHttp: true }])
      await (await open(allowed)).close();
  });

  it('may be the sandbox, which has chats and tokens', async () => {
    const service = await open({ sandbox: true });
    const { address, sandbox = assert.fail() } = service;
    assert.equal(address, 'sandbox:');
    const [group = ''] = sandbox.group;
    assert.equal((await service.directory.get('group', group)).kind, 'group');
    assert.equal(typeof sandbox.token(sandbox.bot[0] ?? ''), 'string');
    assert.equal(sandbox.token('nosuch'), undefined);
    await service.close();
  });

  it('knows what the user calls its chats, also after that has changed, until it is closed', async () => {
    await configure({ groups: [{ id: 'big', label: 'Neighbours' }] });
    const { directory, close } = await open({});
    assert.equal(directory.labelOf('group', 'big'), 'Neighbours');
    await configure({ groups: [{ id: 'big', label: 'Friends' }] });
    assert.equal(directory.labelOf('group', 'big'), 'Friends');
    await close();
    await configure({ groups: undefined });
    assert.equal(directory.labelOf('group', 'big'), 'Friends');
  });
});
