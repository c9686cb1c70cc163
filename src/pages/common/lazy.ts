/** Modules of the page that are loaded on demand. */
import { useEffect, useState } from 'preact/hooks';

export interface Lazy<T> {
  loaded: T | undefined;
  /** Whether the last attempt failed. */
  hasFailed: boolean;
  load(): Promise<T>;
}

/** A module that is loaded once, and retried after a failure. */
export function lazy<T>(load: () => Promise<T>): Lazy<T> {
  let loading: Promise<T> | undefined;
  const module: Lazy<T> = {
    loaded: undefined,
    hasFailed: false,
    async load() {
      loading ??= load();
      try {
        module.loaded = await loading;
        module.hasFailed = false;
        return module.loaded;
      } catch (error) {
        loading = undefined;
        module.hasFailed = true;
        throw error;
      }
    },
  };
  return module;
}

/** The module once it's loaded; undefined until then, if that fails, and while it isn't needed. */
export function useLazy<T>(module: Lazy<T>, isNeeded = true): T | undefined {
  const [, repaint] = useState(0);
  const isMissing = isNeeded && module.loaded === undefined;
  useEffect(() => {
    if (!isMissing) return;
    let isCanceled = false;
    const show = () => isCanceled || repaint((count) => count + 1);
    module.load().then(show, show);
    return () => {
      isCanceled = true;
    };
  }, [module, isMissing]);
  return isNeeded ? module.loaded : undefined;
}
