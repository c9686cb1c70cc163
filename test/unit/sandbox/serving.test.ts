import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { serve, serveSandbox } from '../../host/serve.ts';

describe('Sandbox in process', () => {
  const { fetch, webUrl } = createSandbox();
  const url = `${webUrl}/v1/user/homepage?userId=7058314`;

  it('replaces fetch without a network', async () => {
    const { data } = (await (await fetch(new Request(url))).json()) as { data: { user: { nickname: string } } };
    assert.equal(data.user.nickname, 'Alice Fernhollow');
  });

  it('rejects an aborted request with its reason', async () => {
    await assert.rejects(fetch(new Request(url, { signal: AbortSignal.abort() })), { name: 'AbortError' });
    const reason = new Error('no longer wanted');
    await assert.rejects(fetch(new Request(url, { signal: AbortSignal.abort(reason) })), reason);
  });

  it('rejects a request that is aborted while in flight', async () => {
    const controller = new AbortController();
    const answer = fetch(new Request(url, { signal: controller.signal }));
    controller.abort();
    await assert.rejects(answer, { name: 'AbortError' });
  });

  it("doesn't share sent messages with other sandboxes", async () => {
    const [one, other] = [createSandbox(), createSandbox()];
    const query = `?token=${one.token('30481126')}`;
    const body = { recvIds: ['big'], recvType: 'group', contentType: 'text', content: { text: 'only here' } };
    const headers = { 'Content-Type': 'application/json' };
    const send = `${one.openApiUrl}/open-apis/v1/bot/batch_send${query}`;
    await one.fetch(new Request(send, { method: 'POST', headers, body: JSON.stringify(body) }));
    const read = `${one.openApiUrl}/open-apis/v1/bot/messages${query}&chat-id=big&chat-type=group&before=1`;
    assert.match(await (await one.fetch(new Request(read))).text(), /only here/);
    assert.doesNotMatch(await (await other.fetch(new Request(read))).text(), /only here/);
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

  it('rejects if the port is in use', async () => {
    const { origin, close } = await serve(() => new Response('ok'));
    await assert.rejects(
      serve(() => new Response(''), Number(new URL(origin).port)),
      { code: 'EADDRINUSE' },
    );
    await close();
  });

  it('gives a sandbox the URLs of its server', async () => {
    const { sandbox, origin, close } = await serveSandbox();
    assert.equal(sandbox.webUrl, `${origin}/web`);
    assert.equal((await fetch(`${sandbox.webUrl}/v1/user/homepage?userId=7058314`)).status, 200);
    await close();
  });
});

describe('The sandbox on the command line', () => {
  const script = fileURLToPath(new URL('../../host/sandbox.ts', import.meta.url));
  const run = (...options: string[]) => spawn(process.execPath, [script, ...options]);

  /** Its first output, which must be one line. */
  async function firstLine({ stdout }: ChildProcess) {
    assert.ok(stdout);
    const [chunk] = await once(stdout, 'data');
    assert.match(String(chunk), /^.+\n$/);
    return JSON.parse(String(chunk));
  }

  async function ended(child: ReturnType<typeof run>) {
    const [errors, output, [code]] = await Promise.all([text(child.stderr), text(child.stdout), once(child, 'exit')]);
    return { errors, output, code };
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`prints its URLs in one line and exits cleanly on ${signal}`, async () => {
      const child = run('--port', '0', '--messages', '12');
      const exit = once(child, 'exit');
      try {
        const said = await firstLine(child);
        assert.deepEqual(Object.keys(said), ['webUrl', 'openApiUrl', 'token', 'groups', 'bots', 'users']);
        const query = new URLSearchParams({
          token: said.token,
          'chat-id': said.groups[0],
          'chat-type': 'group',
          before: '99',
        });
        const response = await fetch(`${said.openApiUrl}/open-apis/v1/bot/messages?${query}`);
        assert.equal(((await response.json()) as { data: { total: number } }).data.total, 12);
        child.kill(signal);
        assert.deepEqual(await exit, [0, null]);
      } finally {
        child.kill('SIGKILL');
      }
    });
  }

  it('answers browsers only with --cors', async () => {
    const cases = [
      [[], null],
      [['--cors'], '*'],
      [['--cors', 'off'], null],
      [['--cors', '--messages', '12'], '*'],
    ] as const;
    await Promise.all(
      cases.map(async ([options, allowed]) => {
        const child = run('--port', '0', ...options);
        try {
          const { webUrl } = await firstLine(child);
          const { headers } = await fetch(`${webUrl}/v1/user/homepage?userId=0`);
          assert.equal(headers.get('access-control-allow-origin'), allowed, options.join(' '));
          const preflight = await fetch(`${webUrl}/v1/user/homepage?userId=0`, { method: 'OPTIONS' });
          assert.equal(preflight.headers.get('access-control-allow-origin'), allowed, options.join(' '));
        } finally {
          child.kill('SIGKILL');
        }
      }),
    );
  });

  it('explains invalid options and exits with 2', async () => {
    const cases = [
      [['--port', 'x'], /--port must be a whole number from 0 to 65535, not 'x'/],
      [['--port', '65536'], /--port/],
      [['--messages', '1.5'], /--messages must be/],
      [['--messages=-1'], /--messages must be/],
      [['--cors', 'yes'], /--cors must be on or off, not 'yes'/],
      [['--nonsense'], /--nonsense/],
    ] as const;
    await Promise.all(
      cases.map(async ([options, explanation]) => {
        const { errors, output, code } = await ended(run(...options));
        assert.equal(code, 2);
        assert.match(errors, explanation);
        assert.match(errors, /Usage: npm run sandbox/);
        assert.equal(output, '');
      }),
    );
  });

  describe('with a fault plan', () => {
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sandbox-faults-'));
    });
    after(() => rm(folder, { recursive: true }));

    const fileOf = async (name: string, content: string) => {
      const file = join(folder, name);
      await writeFile(file, content);
      return file;
    };

    it('injects the faults', async () => {
      const plan = { faults: [{ on: 'homepage', skip: 1, fault: 'code', code: 1007, msg: 'later' }] };
      const child = run('--port', '0', '--faults', await fileOf('good.json', JSON.stringify(plan)));
      const exit = once(child, 'exit');
      try {
        const { webUrl } = await firstLine(child);
        const ask = async () => (await fetch(`${webUrl}/v1/user/homepage?userId=0`)).json();
        assert.equal(((await ask()) as { code: number }).code, 1);
        assert.deepEqual(await ask(), { code: 1007, msg: 'later' });
        child.kill('SIGTERM');
        assert.deepEqual(await exit, [0, null]);
      } finally {
        child.kill('SIGKILL');
      }
    });

    it('explains mistakes in the plan and exits with 2', async () => {
      const missing = join(folder, 'missing.json');
      const cut = await fileOf('cut.json', '{\n  "faults" [],\n}');
      const bad = await fileOf('bad.json', '{"faults":[{"delay":1},{"fault":"reset","tims":1}]}');
      const cases = [
        [missing, "ENOENT: no such file or directory, open '"],
        [folder, 'EISDIR: illegal operation on a directory, read'],
        [cut, "Expected ':' after property name in JSON at position 13 (line 2 column 12)\n"],
        [bad, 'faults[1].tims is unknown; known are on, skip, times, probability, delay, fault, work\n'],
      ] as const;
      await Promise.all(
        cases.map(async ([file, explanation]) => {
          const { errors, code } = await ended(run('--port', '0', '--faults', file));
          assert.equal(code, 2);
          assert.ok(errors.startsWith(`--faults ${file}: ${explanation}`), errors);
          assert.match(errors, /\nUsage: npm run sandbox -- .*\[--faults FILE\]\n$/);
        }),
      );
    });
  });

  it('reports that a port is in use and exits with 1', async () => {
    const { origin, close } = await serve(() => new Response('ok'));
    const { port } = new URL(origin);
    const { errors, code } = await ended(run('--port', port));
    assert.equal(code, 1);
    assert.equal(errors, `Port ${port} is in use. Choose another with --port, or 0 for any free one.\n`);
    await close();
  });
});
