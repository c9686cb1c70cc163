import type { Event } from 'vscode';

/** A promise that a test settles. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

export function deferred<T>(): Deferred<T> {
  let settle: Pick<Deferred<T>, 'resolve' | 'reject'> = { resolve: () => {}, reject: () => {} };
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle };
}

/** Resolves when the reactions to all settled promises have run. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Resolves once this holds, which may change with each event. */
export async function until(event: Event<unknown>, holds: () => boolean): Promise<void> {
  while (!holds())
    await new Promise<void>((resolve) => {
      const listener = event(() => {
        listener.dispose();
        resolve();
      });
    });
}

/** All values of an iterable. */
export async function all<T>(from: AsyncIterable<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of from) values.push(value);
  return values;
}

/** The values of an iterable, one after the other. */
export async function* each<T>(values: Iterable<T>): AsyncGenerator<T, void> {
  yield* values;
}
