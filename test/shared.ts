/** What is started once for several tests: a browser, a VS Code. */
export interface Shared {
  close(): Promise<unknown>;
}

const shared = new Set<Shared>();

/** Closes it after the tests that Mocha runs together: all of them, or those of one file where files run in parallel. */
export function share(what: Shared): void {
  shared.add(what);
}

export const mochaHooks = {
  async afterAll() {
    const ending = [...shared];
    shared.clear();
    await Promise.all(ending.map((one) => one.close()));
  },
};
