import { readdir, readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { ensureServer } from './install.ts';
import type { Profile } from './profile.ts';
import { type Serving, serve } from './serve.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.cjs': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
};

const WORKBENCH = 'out/vs/code/browser/workbench';

/** A page of the same origin, to prepare what the browser stores. */
export const BLANK = '/blank';

/** What code-server changes in VS Code's client, and what VS Code has instead: no server, no secrets, its own files. */
const UNDO: readonly [RegExp, string][] = [
  [/remoteAuthority:location\.host/g, 'remoteAuthority:void 0'],
  [/secretStorageProvider:[^,{}]*new \w+\(\w+\)/g, 'secretStorageProvider:void 0'],
  [/\.with\(\{scheme:(\w+)\.vscodeRemote\}\),"User"\)/g, '.with({scheme:$1.vscodeUserData}),"User")'],
];

/**
 * Serves VS Code as static files, with the extensions of a profile. It has no extension host but the browser's, which has
 * an origin of its own for each workspace, and so a storage of its own. `*.localhost` is this machine in every browser.
 */
export async function serveVSCode(profile: Profile): Promise<Serving> {
  const { script } = await ensureServer();
  const vscode = join(dirname(script), '../../lib/vscode');
  const workbench = withoutServer(await readFile(join(vscode, WORKBENCH, 'workbench.js'), 'utf8'));
  const serving = await serve(async ({ url }) => {
    const { host, pathname } = new URL(url);
    if (pathname === '/') return answer('.html', await page(vscode, host, await readdir(profile.extensions)));
    if (pathname === BLANK) return answer('.html', '');
    if (pathname === `/vscode/${WORKBENCH}/workbench.js`) return answer('.js', workbench);
    const [, root, path = ''] = /^\/(vscode|extensions)\/(.*)$/.exec(decodeURIComponent(pathname)) ?? [];
    if (!root) return answer('', null, 404);
    const file = join(root === 'vscode' ? vscode : profile.extensions, path);
    return readFile(file).then(
      (bytes) => answer(extname(file), bytes),
      () => answer('', null, 404),
    );
  });
  // Browsers find subdomains only of this name.
  return { ...serving, origin: serving.origin.replace('127.0.0.1', 'localhost') };
}

function answer(type: string, body: string | Uint8Array<ArrayBuffer> | null, status = 200): Response {
  const headers = {
    'content-type': TYPES[type] ?? 'application/octet-stream',
    // The extension host has another origin.
    'access-control-allow-origin': '*',
  };
  return new Response(body, { status, headers });
}

/** @throws if this VS Code isn't the one that it was written for */
function withoutServer(workbench: string): string {
  let text = workbench;
  for (const [pattern, replacement] of UNDO) {
    const found = text.match(pattern)?.length ?? 0;
    if (found !== 1) throw new Error(`The workbench has ${found} of ${pattern}, not one.`);
    text = text.replace(pattern, replacement);
  }
  return text;
}

/** Fills in VS Code's page. */
async function page(vscode: string, host: string, extensions: readonly string[]): Promise<string> {
  const configuration = {
    additionalBuiltinExtensions: extensions.map((name) => ({
      scheme: 'http',
      authority: host,
      path: `/extensions/${name}`,
    })),
    // No gallery, so that no requests go there.
    productConfiguration: {
      extensionsGallery: { serviceUrl: '' },
      enableTelemetry: false,
      // The origin of the extension host. VS Code ignores it without the other two.
      webEndpointUrlTemplate: `http://{{uuid}}.${host}/vscode`,
      commit: 'test',
      quality: 'stable',
    },
    webviewEndpoint: `http://${host}/vscode/out/vs/workbench/contrib/webview/browser/pre`,
    // What code-server's client doesn't start without.
    userDataPath: '/',
    isEnabledFileDownloads: true,
    isEnabledFileUploads: true,
    isEnabledCoderGettingStarted: false,
  };
  const values: Readonly<Record<string, string>> = {
    WORKBENCH_WEB_CONFIGURATION: JSON.stringify(configuration).replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
    WORKBENCH_WEB_BASE_URL: '/vscode',
    WORKBENCH_NLS_FALLBACK_URL: '/vscode/out/nls.messages.js',
  };
  const template = await readFile(join(vscode, WORKBENCH, 'workbench.html'), 'utf8');
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}
