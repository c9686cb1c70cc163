import { EventEmitter, once } from 'node:events';
import { ConnectionReset } from '../../src/sandbox/faulty.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { type Serving, serve } from '../host/serve.ts';

/** A sandbox over HTTP whose responses a test can replace. */
export interface Gated extends Serving {
  readonly sandbox: Sandbox;
  /** Settings that connect to it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Answers instead of the sandbox, or returns undefined to let the sandbox answer. */
  answer: (request: Request) => Response | undefined | Promise<Response | undefined>;
  /** Resolves after the next response to a request whose URL contains this text. */
  heard(words: string): Promise<void>;
}

/** Resets the connection instead of answering. */
export function down(): never {
  throw new ConnectionReset('fetch failed');
}

/** A successful response with this data, in the contract's envelope. */
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
