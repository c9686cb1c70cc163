/** Something several tests share, such as a browser or a VS Code. */
export interface Shared {
  close(): Promise<unknown>;
}

const shared = new Set<Shared>();

/** Closes a resource after all tests, or after those of one file if files run in parallel. */
export function share(resource: Shared): void {
  shared.add(resource);
}

export const mochaHooks = {
  async afterAll() {
    const resources = [...shared];
    shared.clear();
    await Promise.all(resources.map((resource) => resource.close()));
  },
};
