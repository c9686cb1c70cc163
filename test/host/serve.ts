import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { ConnectionReset, createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/index.ts';

/** An HTTP server that answers with a fetch handler. */
export interface Serving {
  readonly origin: string;
  /** Resolves when the port is free again; connections that are kept alive are cut at once. */
  close(): Promise<void>;
}

type Handler = (request: Request) => Response | Promise<Response>;

/**
 * Serves a fetch handler over HTTP; where that meets a {@link ConnectionReset}, the client does. Port 0 takes any free
 * one. @throws what `listen` fails with, such as EADDRINUSE
 */
export async function serve(handler: Handler, port = 0, host = '127.0.0.1'): Promise<Serving> {
  const fetch: Parameters<typeof createAdaptorServer>[0]['fetch'] = (request, exchange) =>
    respond(handler, request, exchange as HttpBindings);
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false }) as Server;
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

/** What a handler answers; a connection that is to be lost is written to, and reset, here. */
async function respond(handler: Handler, request: Request, { incoming, outgoing }: HttpBindings): Promise<Response> {
  const { socket } = incoming;
  try {
    const response = await handler(request);
    const { body, headers, status } = response;
    // Only an answer that announces its length can fall short of it.
    if (!body || !headers.has('content-length')) return response;
    outgoing.writeHead(status, Object.fromEntries(headers));
    for await (const bytes of body) outgoing.write(bytes);
    outgoing.end();
  } catch (error) {
    if (!(error instanceof ConnectionReset)) throw error;
    if (outgoing.headersSent) outgoing.end(() => socket.destroySoon());
    else socket.resetAndDestroy();
  }
  return RESPONSE_ALREADY_SENT;
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
