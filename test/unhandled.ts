import { setImmediate } from 'node:timers/promises';

const unhandled: unknown[] = [];

/** Fails a test that leaves an unhandled rejection, which Mocha itself ignores. */
export const mochaHooks = {
  beforeAll() {
    process.on('unhandledRejection', (reason) => unhandled.push(reason));
  },
  async afterEach() {
    await setImmediate();
    const [first] = unhandled.splice(0);
    if (first !== undefined) throw first;
  },
};
