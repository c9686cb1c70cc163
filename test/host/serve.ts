import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { ConnectionReset } from '../faults/answers.ts';
import { createFaultySandbox, type FaultyOptions, type FaultySandbox } from '../faults/faultySandbox.ts';

/** An HTTP server for a fetch handler. */
export interface Serving {
  readonly origin: string;
  /** Closes all connections. Resolves when the port is free again. */
  close(): Promise<void>;
}

type Handler = (request: Request) => Response | Promise<Response>;

/**
 * Serves a fetch handler over HTTP. A {@link ConnectionReset} from the handler resets the client's connection. Port 0
 * selects a free one. @throws errors of `listen`, such as EADDRINUSE
 */
export async function serve(handler: Handler, port = 0, host = '127.0.0.1'): Promise<Serving> {
  const server = createServer((incoming, outgoing) => respond(handler, incoming, outgoing));
  server.listen(port, host);
  // Rejects if the server emits an error.
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

/** Writes the handler's response, or resets the connection, in the middle of the response if it has started. */
async function respond(handler: Handler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { headers, method = 'GET', socket, url } = incoming;
  const disconnected = new AbortController();
  outgoing.once('close', () => outgoing.writableFinished || disconnected.abort());
  const { signal } = disconnected;
  try {
    const sent = /^(GET|HEAD)$/.test(method) ? null : await buffer(incoming);
    const asked = { method, headers: headers as Record<string, string>, body: sent, signal };
    const answer = await handler(new Request(`http://${headers.host}${url}`, asked));
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    const write = (bytes: Uint8Array) => new Promise<void>((done) => outgoing.write(bytes, () => done()));
    await answer.body?.pipeTo(new WritableStream({ write }), { signal });
    outgoing.end();
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof ConnectionReset) {
      if (outgoing.headersSent) outgoing.end(() => socket.destroySoon());
      else socket.resetAndDestroy();
      return;
    }
    console.error(error);
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(500).end();
  }
}

const ALLOWED = { 'access-control-allow-origin': '*' };

/** Headers that a page can read; the others are hidden from it. */
const READABLE = { 'access-control-expose-headers': 'retry-after' };

/** Never remembered: without the last header, a browser may call for 5 more seconds once it isn't allowed to. */
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '0',
};

/**
 * The handler, which lets pages of all origins read its answers (CORS). Their preflights don't reach it.
 */
export function withCors(handler: Handler) {
  return async (request: Request): Promise<Response> => {
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { ...ALLOWED, ...PREFLIGHT } });
    const { body, status, headers } = await handler(request);
    return new Response(body, { status, headers: { ...Object.fromEntries(headers), ...ALLOWED, ...READABLE } });
  };
}

/** The handler, after each of whose answers the server closes the connection. */
function withoutKeepAlive(handler: Handler): Handler {
  return async (request) => {
    const { body, status, headers } = await handler(request);
    return new Response(body, { status, headers: { ...Object.fromEntries(headers), connection: 'close' } });
  };
}

export interface SandboxServerOptions extends Omit<FaultyOptions, 'origin'> {
  /** Whether it answers browsers. Default: false. */
  readonly cors?: boolean | undefined;
  /** Whether a connection serves several requests. Default: true. */
  readonly keepAlive?: boolean | undefined;
}

/** Serves a new sandbox that uses the server's own URLs. */
export async function serveSandbox(
  { cors = false, keepAlive = true, ...options }: SandboxServerOptions = {},
  port = 0,
): Promise<Serving & { readonly sandbox: FaultySandbox }> {
  let answer = (_: Request): Response | Promise<Response> => new Response(null, { status: 503 });
  // The sandbox needs the origin, which is known only once the server listens.
  const serving = await serve((request) => answer(request), port);
  try {
    const sandbox = createFaultySandbox({ ...options, origin: serving.origin });
    const handler = cors ? withCors(sandbox.fetch) : sandbox.fetch;
    answer = keepAlive ? handler : withoutKeepAlive(handler);
    return { ...serving, sandbox };
  } catch (error) {
    await serving.close();
    throw error;
  }
}
