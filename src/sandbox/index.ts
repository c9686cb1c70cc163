import { createApp } from './app.ts';
import { tokenOf } from './data/bots.ts';
import { createWorld } from './world.ts';

/** The whole service, embedded and in memory, for trials and tests. Implements the contract independently of `src/service`. */
export interface Sandbox {
  /**
   * Answers like the service. Replaces `fetch` for a Request.
   * @throws the reason of `request.signal` if it aborts
   */
  fetch(request: Request): Promise<Response>;
  /** {web_url} in the contract. */
  readonly webUrl: string;
  /** {open_api_url} in the contract. */
  readonly openApiUrl: string;
  /** The IDs of all groups, and below, of all bots and users. */
  readonly groups: readonly string[];
  readonly bots: readonly string[];
  readonly users: readonly string[];
  /** The token of a bot, or undefined if there is no such bot. */
  token(botId: string): string | undefined;
}

export interface SandboxOptions {
  /** The origin of both URLs. Default: `http://sandbox.localhost`. */
  readonly origin?: string;
  /** The number of messages in the first group's chat. Default: 480. */
  readonly messages?: number;
  /** The time at which messages are sent, in Unix milliseconds. Default: the system clock. */
  readonly now?: () => number;
  /** Whether people answer what bots send, a few seconds later. Default: they don't. */
  readonly replies?: boolean;
}

/** With more messages, send times would no longer increase. */
const maxMessages = 100_000_000;
const isLength = (value: number) => Number.isInteger(value) && value >= 0 && value <= maxMessages;

/**
 * Creates a sandbox with the same initial data every time.
 * @throws {RangeError} on invalid `messages`
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { origin = 'http://sandbox.localhost', messages, now = Date.now, replies = false } = options;
  if (messages !== undefined && !isLength(messages)) {
    throw new RangeError(`messages must be a whole number from 0 to ${maxMessages}, not ${messages}`);
  }
  const webUrl = `${origin}/web`;
  const openApiUrl = `${origin}/open`;
  const world = createWorld(webUrl, openApiUrl, messages, replies ? now : undefined);
  const app = createApp(world, now);

  return {
    async fetch(request) {
      request.signal.throwIfAborted();
      const response = await app(request);
      // The request may be aborted while its body is read.
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
