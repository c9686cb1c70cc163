/** Parts of the page that are loaded when they are first needed. */
import { useEffect, useState } from 'preact/hooks';

export interface Lazy<T> {
  loaded: T | undefined;
  load(): Promise<T>;
}

/** A part of the page, loaded once for all who need it, and anew after a failure. */
export function lazy<T>(load: () => Promise<T>): Lazy<T> {
  let loading: Promise<T> | undefined;
  const part: Lazy<T> = {
    loaded: undefined,
    async load() {
      loading ??= load();
      try {
        part.loaded = await loading;
        return part.loaded;
      } catch (error) {
        loading = undefined;
        throw error;
      }
    },
  };
  return part;
}

/** The part once it is there, and from the first paint on where it is there already. */
export function useLazy<T>(part: Lazy<T>, isNeeded = true): T | undefined {
  const [, repaint] = useState(0);
  const isMissing = isNeeded && part.loaded === undefined;
  useEffect(() => {
    if (!isMissing) return;
    let isGone = false;
    void part.load().then(() => isGone || repaint((count) => count + 1));
    return () => {
      isGone = true;
    };
  }, [part, isMissing]);
  return isNeeded ? part.loaded : undefined;
}
