/** Runs in a tab, where it calls a service: see `test/page/client.test.ts`. */
import { Client } from '../../src/service/client.ts';
import { type Failure, ServiceError } from '../../src/service/errors.ts';

/** The name of a method of the client, and its arguments. */
export type ClientCall = {
  [M in 'group' | 'user' | 'messages' | 'batchSend']: [method: M, ...args: Parameters<Client[M]>];
}['group' | 'user' | 'messages' | 'batchSend'];

declare global {
  interface Window {
    /** Calls a method of a client of the service at these addresses. Resolves to its failure, if it fails. */
    __callService(addresses: { webUrl: string; openApiUrl: string }, call: ClientCall): Promise<Failure | undefined>;
  }
}

window.__callService = async (addresses, [method, ...args]) => {
  const client = new Client({ ...addresses, inBrowser: true });
  try {
    await (client[method] as (...args: unknown[]) => Promise<unknown>).apply(client, args);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.failure;
    throw error;
  }
};
