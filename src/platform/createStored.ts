import type { Memento } from 'vscode';
import { Audiences } from './audiences.ts';
import type { Stored } from './host.ts';
import { ListSettings } from './listSettings.ts';
import { Store } from './store.ts';

/** Creates what features share and activation doesn't need. */
export function createStored(memento: Memento): Stored {
  return { audiences: new Audiences(), lists: new ListSettings(), store: new Store(memento) };
}
