import { EventEmitter, once } from 'node:events';
import { ConnectionReset } from '../../src/sandbox/faulty.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { type Serving, serve } from '../host/serve.ts';

/** A sandbox over HTTP that a test stands in front of. */
export interface Gated extends Serving {
  readonly sandbox: Sandbox;
  /** Settings that name it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Answers in place of the sandbox; undefined leaves the answer to that. */
  answer: (request: Request) => Response | undefined | Promise<Response | undefined>;
  /** Resolves when the sandbox has answered a request whose address holds these words. */
  heard(words: string): Promise<void>;
}

/** Takes the place of an answer: the connection is reset. */
export function down(): never {
  throw new ConnectionReset('fetch failed');
}

/** A success with this data, as the contract wraps it. */
export const success = (data: object) => Response.json({ code: 1, msg: 'success', data });

export async function serveGated(): Promise<Gated> {
  const answered = new EventEmitter();
  const serving = await serve((request) => respond(request));
  const sandbox = createSandbox({ origin: serving.origin });
  const { webUrl, openApiUrl } = sandbox;
  const gated: Gated = {
    ...serving,
    sandbox,
    settings: { 'botChats.service.webUrl': webUrl, 'botChats.service.openApiUrl': openApiUrl },
    answer: () => undefined,
    async heard(words) {
      for (;;) {
        const [url] = await once(answered, 'url');
        if (url.includes(words)) return;
      }
    },
  };
  const respond = async (request: Request) => {
    const response = (await gated.answer(request.clone())) ?? (await sandbox.fetch(request));
    answered.emit('url', request.url);
    return response;
  };
  return gated;
}
