import { EventEmitter, type Memento, type SecretStorage, type SecretStorageChangeEvent } from 'vscode';

/** A Memento in memory, which outlives its users. */
export function memento(): Memento {
  const held = new Map<string, unknown>();
  return {
    keys: () => [...held.keys()],
    get: (key: string, otherwise?: unknown) => held.get(key) ?? otherwise,
    update: async (key: string, value: unknown) => {
      if (value === undefined) held.delete(key);
      else held.set(key, JSON.parse(JSON.stringify(value)));
    },
  } as Memento;
}

/** A SecretStorage in memory that counts reads. */
export function secretStorage(): SecretStorage & { readonly reads: string[] } {
  const held = new Map<string, string>();
  const changed = new EventEmitter<SecretStorageChangeEvent>();
  const reads: string[] = [];
  return {
    reads,
    keys: async () => [...held.keys()],
    get: async (key: string) => {
      reads.push(key);
      return held.get(key);
    },
    store: async (key: string, value: string) => {
      held.set(key, value);
      changed.fire({ key });
    },
    delete: async (key: string) => {
      held.delete(key);
      changed.fire({ key });
    },
    onDidChange: changed.event,
  };
}
