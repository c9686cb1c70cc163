import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { launchBrowser } from './browser.ts';
import { addHelper } from './helper.ts';
import type { Version } from './install.ts';
import { packed, vsix } from './packed.ts';
import { linkExtension, type Profile, temporaryProfile, writeSettings } from './profile.ts';
import { installExtension, startServer, workbench } from './server.ts';
import { killWebExtensionHost, openTab, type Window } from './tabs.ts';
import { userSettings, type WindowOptions } from './windowOptions.ts';
import { createWorkspace } from './workspaces.ts';

export type { Window, WindowOptions };

export interface EditorOptions {
  /** Default: the newest version known to work. */
  readonly version?: Version;
  /** Prepares the profile before VS Code starts. */
  readonly prepare?: (profile: Profile) => Promise<void>;
}

/** A VS Code with the packed extension, and a browser for its windows. */
export interface Editor {
  /**
   * Opens a window and waits for its extensions. Resets settings and outbox, which all windows of a server share, so
   * close the previous window first.
   */
  open(options?: WindowOptions): Promise<Window>;
  /** Stops the server and the browser. Folders are removed when this process exits. */
  close(): Promise<void>;
}

/** Starts a VS Code server with the packed extension. */
export async function startEditor({ version, prepare }: EditorOptions = {}): Promise<Editor> {
  const profile = await temporaryProfile();
  await addHelper(profile);
  await prepare?.(profile);
  // A link in the extensions folder counts as installed. Old versions install the actual package, to test that too.
  if (version) await installExtension(vsix, profile, version);
  else await linkExtension(profile, packed);
  const starting = startServer({ profile, ...(version && { version }) });
  const [server, browser] = await Promise.all([starting, launchBrowser()]);
  let windows = 0;
  return {
    async open(options = {}) {
      if (windows++ > 0) await clearStorage(profile);
      await writeSettings(profile, userSettings(options));
      const workspace = await createWorkspace(profile, options);
      const crash = options.extensionHost === 'web' ? killWebExtensionHost : () => server.killExtensionHosts();
      return openTab(browser, { address: workbench(server, workspace.opens), workspace, profile, crash }, options);
    },
    close: async () => {
      await Promise.all([browser.close(), server.stop()]);
    },
  };
}

/** Opens a window with its own VS Code server and browser, which stop when it closes. */
export async function openWindow({ settings, ...options }: EditorOptions & Pick<WindowOptions, 'settings'>) {
  const editor = await startEditor(options);
  try {
    const window = await editor.open(settings && { settings });
    return { ...window, close: () => editor.close() };
  } catch (error) {
    await editor.close();
    throw error;
  }
}

/** Deletes the extension's stored files. */
async function clearStorage({ userData }: Profile): Promise<void> {
  await rm(join(userData, 'User/globalStorage/bot-chats.bot-chats'), { recursive: true, force: true });
}
