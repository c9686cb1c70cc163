/** A module of Node, asked for at run time: an import would keep the bundle from a host without Node. */
export function builtin(name: string): unknown {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  return process?.getBuiltinModule?.(name);
}
