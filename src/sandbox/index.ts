import { createApp } from './app.ts';
import { tokenOf } from './data/bots.ts';
import { createWorld } from './world.ts';

/** The whole service, embedded and in memory: made for trying things out and for tests, from the contract alone. */
export interface Sandbox {
  /**
   * Answers like the service; takes the place of `fetch` for a Request.
   * @throws the reason of `request.signal` when that is aborted
   */
  fetch(request: Request): Promise<Response>;
  /** {web_url} of the contract. */
  readonly webUrl: string;
  /** {open_api_url} of the contract. */
  readonly openApiUrl: string;
  /** The IDs of all groups, bots and users. */
  readonly groups: readonly string[];
  readonly bots: readonly string[];
  readonly users: readonly string[];
  /** The token of a bot of the sandbox, undefined for any other ID. */
  token(botId: string): string | undefined;
}

export interface SandboxOptions {
  /** Scheme, host and port of both addresses: `http://sandbox.localhost` unless told. */
  readonly origin?: string;
  /** Length of the first group's chat: 480 unless told. */
  readonly messages?: number;
  /** The send time of what is sent, in Unix milliseconds: the clock's unless told. */
  readonly now?: () => number;
}

/** Beyond this, send times would no longer rise from message to message. */
const longest = 100_000_000;
const isLength = (value: number) => Number.isInteger(value) && value >= 0 && value <= longest;

/**
 * A new sandbox with nothing sent yet: the same data every time. For one that fails on demand see `faulty.ts`.
 * @throws {RangeError} on bad `messages`
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { origin = 'http://sandbox.localhost', messages, now = Date.now } = options;
  if (messages !== undefined && !isLength(messages)) {
    throw new RangeError(`messages must be a whole number from 0 to ${longest}, not ${messages}`);
  }
  const webUrl = `${origin}/web`;
  const openApiUrl = `${origin}/open`;
  const world = createWorld(webUrl, openApiUrl, messages);
  const app = createApp(world, now);

  return {
    async fetch(request) {
      request.signal.throwIfAborted();
      const response = await app(request);
      // The body may have been read meanwhile.
      request.signal.throwIfAborted();
      return response;
    },
    webUrl,
    openApiUrl,
    groups: [...world.groups.keys()],
    bots: [...world.bots.keys()],
    users: [...world.users.keys()],
    token: (botId) => (world.bots.has(botId) ? tokenOf(botId) : undefined),
  };
}
