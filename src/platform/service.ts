import type { Directory } from '../directory/directory.ts';
import type { Client } from '../service/client.ts';

/** The address of the sandbox, which isn't on a network. */
export const SANDBOX_ADDRESS = 'sandbox:';

/** A service that is ready to use. */
export interface Service {
  /** The address that tokens are sent to, and saved for. */
  readonly address: string;
  readonly client: Client;
  readonly directory: Directory;
  /** Cancels lookups. Resolves when the directory is saved. */
  close(): Promise<void>;
  /** The IDs and bot tokens that the sandbox comes with; undefined for any other service. */
  readonly sandbox?: {
    readonly group: readonly string[];
    readonly bot: readonly string[];
    readonly user: readonly string[];
    token(botId: string): string | undefined;
  };
}
