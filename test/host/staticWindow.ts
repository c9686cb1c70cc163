import type { BrowserContext } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { addHelper } from './helper.ts';
import { packed } from './packed.ts';
import { linkExtension, type Settings, temporaryProfile } from './profile.ts';
import { workbench } from './server.ts';
import { BLANK, serveVSCode } from './staticServer.ts';
import { type Editor, type EditorOptions, killWebExtensionHost, openAt } from './window.ts';
import { userSettings } from './windowOptions.ts';
import { createVirtualWorkspace } from './workspaces.ts';

interface StaticEditorOptions extends Pick<EditorOptions, 'prepare'> {
  /** The folder of Bot Chats. Default: the packed extension. */
  readonly extension?: string;
}

/**
 * Starts a VS Code that has no server, only static files, as vscode.dev does. All state is in the browser, so each first
 * window starts without any. Secrets are in memory.
 */
export async function startStaticEditor({ prepare, extension = packed }: StaticEditorOptions = {}): Promise<Editor> {
  const profile = await temporaryProfile();
  await addHelper(profile);
  await prepare?.(profile);
  await linkExtension(profile, extension);
  const [serving, browser] = await Promise.all([serveVSCode(profile), launchBrowser()]);
  return {
    async open(options = {}) {
      const workspace = await createVirtualWorkspace(profile);
      const place = {
        address: workbench(serving, workspace.opens),
        workspace,
        profile,
        prepare: (context: BrowserContext) => storeSettings(context, serving.origin, userSettings(options)),
        crash: killWebExtensionHost,
      };
      return openAt(browser, place, options);
    },
    close: async () => {
      await browser.close();
      await serving.close();
    },
  };
}

/** Stores user settings where VS Code keeps them in a browser. */
async function storeSettings(context: BrowserContext, origin: string, settings: Settings): Promise<void> {
  const page = await context.newPage();
  await page.goto(origin + BLANK);
  await page.evaluate(async (text) => {
    const stores = ['vscode-userdata-store', 'vscode-logs-store', 'vscode-filehandles-store'];
    const opening = indexedDB.open('vscode-web-db', 3);
    opening.onupgradeneeded = () => {
      for (const store of stores) opening.result.createObjectStore(store);
    };
    await new Promise((resolve, reject) => {
      opening.onsuccess = resolve;
      opening.onerror = () => reject(opening.error);
    });
    const transaction = opening.result.transaction(stores, 'readwrite');
    transaction.objectStore('vscode-userdata-store').put(new TextEncoder().encode(text), '/User/settings.json');
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onerror = () => reject(transaction.error);
    });
    opening.result.close();
  }, JSON.stringify(settings));
  await page.close();
}
