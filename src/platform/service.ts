import type { Directory } from '../directory/directory.ts';
import type { Client } from '../service/client.ts';

/** The address of the sandbox: nowhere on a network. */
export const SANDBOX_ADDRESS = 'sandbox:';

/** A service ready to be called. */
export interface Service {
  /** What tokens are saved for: the address that they are sent to. */
  readonly address: string;
  readonly client: Client;
  readonly directory: Directory;
  /** Cancels lookups, when this is no longer the service to use. Resolves when what was found is kept. */
  close(): Promise<void>;
  /** What the sandbox comes with, where that is the service: IDs to show at first, and its bots' tokens. */
  readonly sandbox?: {
    readonly group: readonly string[];
    readonly bot: readonly string[];
    readonly user: readonly string[];
    token(botId: string): string | undefined;
  };
}
