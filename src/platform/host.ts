/** What the platform gives to each feature. */
import type { LogOutputChannel, Memento, Uri } from 'vscode';
import type { Access } from '../connecting/contract.ts';
import type { Audiences } from './audiences.ts';
import type { ChatEvents } from './chatEvents.ts';
import type { Commands } from './commands.ts';
import type { Lazy } from './defer.ts';
import type { DurableFiles } from './durableFiles.ts';
import type { ListSettings } from './listSettings.ts';
import type { MentionedIds } from './mentionedIds.ts';
import type { NeverList } from './neverList.ts';
import type { Connection } from './service.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store.ts';
import type { Tokens } from './tokens.ts';

/** What a feature has from activation on. */
export interface Platform {
  readonly chatEvents: ChatEvents;
  readonly commands: Commands;
  readonly connection: Connection;
  /** The folder where the extension is installed. */
  readonly extensionUri: Uri;
  readonly log: LogOutputChannel;
  /** VS Code's storage of the {@link Store}. */
  readonly memento: Memento;
  readonly mentionedIds: MentionedIds;
  /** The extension's storage folder. It survives updates. */
  readonly storageUri: Uri;
  readonly stored: Lazy<Stored>;
  /** VS Code's storage for this folder or workspace. */
  readonly workspaceMemento: Memento;
}

/** What is read from settings, secrets and storage. It's loaded on first use, with the schemas that validate it. */
export interface Stored {
  readonly audiences: Audiences;
  /** Files in the extension's storage folder, or in a browser's database in its place. */
  readonly files: DurableFiles;
  readonly lists: ListSettings;
  readonly never: NeverList;
  readonly settings: Settings;
  readonly store: Store;
  readonly tokens: Tokens;
}

/** What the registration of a feature gets. */
export interface ActivationHost extends Platform {
  readonly access: Access;
}

/** What the rest of a feature gets, once it is loaded. */
export interface Host extends Omit<ActivationHost, 'stored'>, Stored {}

/** Loads the rest of the host: all that the parts of a feature may need. */
export const wholeHost = async ({ stored, ...host }: ActivationHost): Promise<Host> => ({
  ...host,
  ...(await stored()),
});
