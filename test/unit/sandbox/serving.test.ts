import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { spawnSandbox, startSandbox } from '../../host/processes.ts';
import { serve, serveSandbox } from '../../host/serve.ts';
import { temporaryPath } from '../../host/temporary.ts';
import { deferred } from '../deferred.ts';
import { posting, textTo } from './calls.ts';

describe('A sandbox in process', () => {
  it('rejects a request that is aborted before or during it, with the reason', async () => {
    const { fetch, webUrl } = createSandbox();
    const ask = ({ signal }: AbortController) => fetch(new Request(`${webUrl}/v1/user/homepage?userId=0`, { signal }));
    const [before, during] = [new AbortController(), new AbortController()];
    const reason = new Error('no longer wanted');
    before.abort(reason);
    await assert.rejects(ask(before), reason);
    const answer = ask(during);
    during.abort(reason);
    await assert.rejects(answer, reason);
  });
});

describe('Serving a handler', () => {
  it('closes keep-alive connections when it closes, and frees the port', async () => {
    const { origin, close } = await serve(() => new Response('ok'));
    const port = Number(new URL(origin).port);
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: sandbox\r\nConnection: keep-alive\r\n\r\n');
    await once(socket, 'data');
    const ended = once(socket, 'close');
    await close();
    await ended;
    const again = await serve(() => new Response('again'), port);
    assert.equal(await (await fetch(again.origin)).text(), 'again');
    await again.close();
  });

  it("doesn't wait for an answer when it closes", async () => {
    const asked = deferred<void>();
    const { origin, close } = await serve(() => {
      asked.resolve();
      return new Promise(() => {});
    });
    const lost = assert.rejects(fetch(origin), TypeError);
    await asked.promise;
    await close();
    await lost;
  });

  it('rejects if the port is in use', async () => {
    const { origin, close } = await serve(() => new Response('ok'));
    const port = Number(new URL(origin).port);
    await assert.rejects(
      serve(() => new Response(''), port),
      { code: 'EADDRINUSE' },
    );
    await close();
  });

  it('aborts the request when the client disconnects, also in the middle of the answer', async () => {
    for (const body of [undefined, new ReadableStream({ start: (one) => one.enqueue(new Uint8Array(1)) })]) {
      const [asked, gone] = [deferred<void>(), deferred<void>()];
      const { origin, close } = await serve(async ({ signal }) => {
        signal.addEventListener('abort', () => gone.resolve());
        asked.resolve();
        if (!body) await gone.promise;
        return new Response(body ?? null);
      });
      const controller = new AbortController();
      const answered = fetch(origin, { signal: controller.signal }).catch(() => {});
      await (body ? answered : asked.promise);
      controller.abort();
      await Promise.all([gone.promise, answered]);
      await close();
    }
  });
});

describe('Serving the sandbox', () => {
  it('answers at the URLs that it names', async () => {
    const { sandbox, origin, close } = await serveSandbox();
    assert.equal(sandbox.webUrl, `${origin}/web`);
    assert.equal((await fetch(`${sandbox.webUrl}/v1/user/homepage?userId=7058314`)).status, 200);
    await close();
  });

  it('breaks connections as the faults say', async () => {
    const { sandbox, close } = await serveSandbox();
    const { openApiUrl, token } = sandbox;
    const send = () =>
      fetch(`${openApiUrl}/open-apis/v1/bot/batch_send?token=${token('30481126')}`, posting(textTo('big')));
    sandbox.setFaults({ faults: [{ fault: 'reset' }] });
    await assert.rejects(send(), ({ cause }: Error) => (cause as { code?: string }).code === 'ECONNRESET');
    sandbox.setFaults({ faults: [{ fault: 'half-body' }] });
    const half = await send();
    assert.equal(half.status, 200);
    await assert.rejects(half.text(), { name: 'TypeError', message: 'terminated' });
    await close();
  });
});

describe('The sandbox on the command line', () => {
  const fileOf = async (name: string, content: string) => {
    const folder = temporaryPath('faults');
    await mkdir(folder);
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  const ended = async (...options: string[]) => {
    const child = spawnSandbox(...options);
    const [errors, output, [code]] = await Promise.all([text(child.stderr), text(child.stdout), once(child, 'exit')]);
    return { errors, output, code };
  };

  it('prints its URLs in one line, and refuses browsers', async () => {
    const { child, ...said } = await startSandbox('--messages', '12');
    try {
      assert.deepEqual(Object.keys(said), ['webUrl', 'openApiUrl', 'token', 'groups', 'bots', 'users']);
      const query = { token: said.token, 'chat-id': said.groups[0] ?? '', 'chat-type': 'group', before: '99' };
      const answer = await fetch(`${said.openApiUrl}/open-apis/v1/bot/messages?${new URLSearchParams(query)}`);
      assert.equal(((await answer.json()) as { data: { total: number } }).data.total, 12);
      assert.equal(answer.headers.get('access-control-allow-origin'), null);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('answers browsers with --cors, and injects the faults of a file', async () => {
    const plan = { faults: [{ on: 'homepage', skip: 1, fault: 'code', code: 1007, msg: 'later' }] };
    const { child, webUrl } = await startSandbox('--cors', '--faults', await fileOf('plan.json', JSON.stringify(plan)));
    try {
      const url = `${webUrl}/v1/user/homepage?userId=0`;
      for (const method of ['OPTIONS', 'GET'])
        assert.equal((await fetch(url, { method })).headers.get('access-control-allow-origin'), '*', method);
      assert.deepEqual(await (await fetch(url)).json(), { code: 1007, msg: 'later' });
    } finally {
      child.kill('SIGKILL');
    }
  });

  // Windows ends a process at once instead.
  (process.platform === 'win32' ? it.skip : it)('exits cleanly on SIGINT and SIGTERM', async () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const { child } = await startSandbox();
      try {
        const exit = once(child, 'exit');
        child.kill(signal);
        assert.deepEqual(await exit, [0, null], signal);
      } finally {
        child.kill('SIGKILL');
      }
    }
  });

  it('explains invalid options, files and plans, and exits with 2', async () => {
    const bad = await fileOf('bad.json', '{"faults":[{"fault":"reset","tims":1}]}');
    const cases: [option: string, value: string, explanation: string][] = [
      ['--port', '65536', "--port must be a whole number from 0 to 65535, not '65536'\n"],
      ['--cors', 'yes', "--cors must be on or off, not 'yes'\n"],
      ['--faults', `${bad}.no`, `--faults ${bad}.no: ENOENT: no such file or directory`],
      ['--faults', bad, `--faults ${bad}: faults[0].tims is unknown; known are on, skip`],
    ];
    await Promise.all(
      cases.map(async ([option, value, explanation]) => {
        const { errors, output, code } = await ended(option, value);
        assert.deepEqual([code, output], [2, '']);
        assert.ok(errors.startsWith(explanation), errors);
        assert.match(errors, /\nUsage: npm run sandbox -- .*\n$/);
      }),
    );
  });

  it('reports that a port is in use and exits with 1', async () => {
    const { origin, close } = await serve(() => new Response('ok'));
    const { port } = new URL(origin);
    const { errors, code } = await ended('--port', port);
    assert.equal(code, 1);
    assert.equal(errors, `Port ${port} is in use. Choose another with --port, or 0 for any free one.\n`);
    await close();
  });
});
