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

/** A SecretStorage in memory, which reports no removal of what it doesn't hold. */
export function secretStorage(): SecretStorage {
  const held = new Map<string, string>();
  const changed = new EventEmitter<SecretStorageChangeEvent>();
  return {
    keys: async () => [...held.keys()],
    get: async (key: string) => held.get(key),
    store: async (key: string, value: string) => {
      held.set(key, value);
      changed.fire({ key });
    },
    delete: async (key: string) => {
      if (held.delete(key)) changed.fire({ key });
    },
    onDidChange: changed.event,
  };
}
