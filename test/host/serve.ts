import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/index.ts';

/** An HTTP server that answers with a fetch handler. */
export interface Serving {
  readonly origin: string;
  /** Resolves when the port is free again; connections that are kept alive are cut at once. */
  close(): Promise<void>;
}

/** Serves a fetch handler over HTTP. Port 0 takes any free one. @throws what `listen` fails with, such as EADDRINUSE */
export async function serve(
  handler: (request: Request) => Response | Promise<Response>,
  port = 0,
  host = '127.0.0.1',
): Promise<Serving> {
  const server = createAdaptorServer({ fetch: handler, overrideGlobalObjects: false }) as Server;
  server.listen(port, host);
  // Rejects when the server emits an error instead.
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    origin: `http://${host}:${address.port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Serves a new sandbox whose addresses are those of its server. */
export async function serveSandbox(
  options: Omit<SandboxOptions, 'origin'> = {},
  port = 0,
): Promise<Serving & { readonly sandbox: Sandbox }> {
  let answer = (_: Request): Response | Promise<Response> => new Response(null, { status: 503 });
  // The origin is known once the server listens, so the sandbox is made after it.
  const serving = await serve((request) => answer(request), port);
  try {
    const sandbox = createSandbox({ ...options, origin: serving.origin });
    answer = sandbox.fetch;
    return { ...serving, sandbox };
  } catch (error) {
    await serving.close();
    throw error;
  }
}
