/** Runs something as in a browser's extension host, which has no modules of Node. */
export async function inBrowser<T>(run: () => Promise<T>): Promise<T> {
  const { getBuiltinModule } = process;
  process.getBuiltinModule = (() => undefined) as typeof getBuiltinModule;
  try {
    return await run();
  } finally {
    process.getBuiltinModule = getBuiltinModule;
  }
}
