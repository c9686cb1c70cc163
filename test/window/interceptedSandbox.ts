import { EventEmitter, once } from 'node:events';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/index.ts';
import { ConnectionReset } from '../faults/answers.ts';
import { type Serving, serve, withCors } from '../host/serve.ts';

/** A sandbox over HTTP whose responses a test can replace. */
export interface InterceptedSandbox extends Serving {
  readonly sandbox: Sandbox;
  /** Settings that connect to it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Whether it answers browsers. Default: false. */
  cors: boolean;
  /** Answers instead of the sandbox, or returns undefined to let the sandbox answer. */
  intercept: (request: Request) => Response | undefined | Promise<Response | undefined>;
  /** Resolves after the next response to a request whose URL contains this text. */
  answered(words: string): Promise<void>;
}

/** Resets the connection instead of answering. */
export function resetConnection(): never {
  throw new ConnectionReset('fetch failed');
}

/** A successful response with this data, in the contract's envelope. */
export const successResponse = (data: object) => Response.json({ code: 1, msg: 'success', data });

export async function serveIntercepted(options: Omit<SandboxOptions, 'origin'> = {}): Promise<InterceptedSandbox> {
  const answered = new EventEmitter();
  const serving = await serve((request) => (intercepted.cors ? withCors(respond) : respond)(request));
  const sandbox = createSandbox({ ...options, origin: serving.origin });
  const { webUrl, openApiUrl } = sandbox;
  const intercepted: InterceptedSandbox = {
    ...serving,
    sandbox,
    settings: { 'botChats.service.webUrl': webUrl, 'botChats.service.openApiUrl': openApiUrl },
    cors: false,
    intercept: () => undefined,
    async answered(words) {
      for (;;) {
        const [url] = await once(answered, 'url');
        if (url.includes(words)) return;
      }
    },
  };
  const respond = async (request: Request) => {
    const response = (await intercepted.intercept(request.clone())) ?? (await sandbox.fetch(request));
    answered.emit('url', request.url);
    return response;
  };
  return intercepted;
}
