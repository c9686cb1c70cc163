import { setImmediate } from 'node:timers/promises';

const unhandled: unknown[] = [];

/** Fails the test after which a rejection is left that nobody handles: by itself, Mocha lets that pass. */
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
