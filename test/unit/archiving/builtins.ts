import type { builtin } from '../../../src/platform/node.ts';

const { getBuiltinModule } = process;

/** Replaces parts of Node's modules, as the extension gets them, until `restoreBuiltins`. */
export function replaceBuiltins(replaced: Record<string, object>): void {
  const replacing: typeof builtin = (name) => {
    const original = getBuiltinModule(name);
    return replaced[name] ? { ...original, ...replaced[name] } : original;
  };
  process.getBuiltinModule = replacing as typeof getBuiltinModule;
}

export function restoreBuiltins(): void {
  process.getBuiltinModule = getBuiltinModule;
}
