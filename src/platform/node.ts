/** A built-in Node module; undefined without Node. An import would break hosts without Node. */
export function builtin(name: string): unknown {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  return process?.getBuiltinModule?.(name);
}

/**
 * Whether the extension host is a worker of a browser, without files, threads and other processes. Asked at run time: nothing
 * in a bundle depends on how it was built.
 */
export const isBrowser = () => builtin('node:process') === undefined;

/** Whether the extension host is a program for Windows: paths, files and their errors are different there. */
export const isWindows = () => (builtin('node:process') as { platform: string } | undefined)?.platform === 'win32';
