/** Runs in a tab, where it opens durable files and calls a service for tests that run in Node: see `tabs.ts`. */
import { databaseFiles } from '../../src/platform/databaseFiles.ts';
import type { DurableFiles } from '../../src/platform/durableFiles.ts';
import { Client } from '../../src/service/client.ts';
import { type Failure, ServiceError } from '../../src/service/errors.ts';
import type { Operation } from '../../src/service/operations.ts';

/** The name of a method of the client, and its arguments. */
export type ClientCall = {
  [M in Operation]: [method: M, ...args: Parameters<Client[M]>];
}[Operation];

declare global {
  interface Window {
    /** Calls a method of the files in a database. */
    __callFiles(database: string, method: keyof DurableFiles, args: readonly unknown[]): Promise<unknown>;
    /** Calls a method of a client of the service at these addresses. Resolves to its failure, if it fails. */
    __callService(addresses: { webUrl: string; openApiUrl: string }, call: ClientCall): Promise<Failure | undefined>;
  }
}

const opened = new Map<string, DurableFiles>();

window.__callFiles = (database, method, args) => {
  const files = opened.get(database) ?? databaseFiles(database);
  opened.set(database, files);
  return (files[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args);
};

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
