// Opens VS Code with Bot Chats on a copy of test/workspace; the first time with its walkthrough. Uses the desktop VS Code
// if there is `code` and a display, else a VS Code server for the browser. Settings and the copy are kept between starts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { addWelcome } from './helper.ts';
import { cache, exists, onPath, root } from './places.ts';
import { linkExtension, type Profile, profileIn, quietSettings, writeSettings } from './profile.ts';
import { startServer, workbench } from './server.ts';

/** The same at each start if it's free, so that an open page can reconnect. */
const PORT = 47150;

const { DISPLAY, WAYLAND_DISPLAY } = process.env;
const display = process.platform === 'darwin' || process.platform === 'win32' || Boolean(DISPLAY || WAYLAND_DISPLAY);

const home = join(cache, 'start');
const profile = profileIn(home);
if (!(await exists(join(profile.userData, 'User/settings.json')))) await writeSettings(profile, quietSettings);
await rm(profile.extensions, { recursive: true, force: true });
await addWelcome(profile);
const workspace = join(home, 'workspace');
if (!(await exists(workspace))) await cp(join(root, 'test/workspace'), workspace, { recursive: true });

const code = display ? await onPath(process.platform === 'win32' ? ['code.cmd'] : ['code']) : undefined;
if (code) await startDesktop(code, profile);
else await startWeb(profile);

async function startDesktop(command: string, { userData, extensions }: Profile): Promise<void> {
  console.log('Opening Bot Chats in VS Code. Close the window to stop.');
  const args = ['--new-window', '--wait', '--user-data-dir', userData, '--extensions-dir', extensions];
  args.push(`--extensionDevelopmentPath=${root}`, workspace);
  const shell = process.platform === 'win32';
  const quoted = [command, ...args].map((text) => (shell ? `"${text}"` : text));
  const [exitCode] = await once(spawn(quoted[0] ?? command, quoted.slice(1), { stdio: 'inherit', shell }), 'exit');
  process.exitCode = exitCode ?? 1;
}

async function startWeb(profile: Profile): Promise<void> {
  await linkExtension(profile, root);
  console.log('Starting VS Code …');
  const server = await startServer({ profile, port: await freePort(PORT) });
  const asked = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal));
  const address = workbench(server, workspace);
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  if (display && (await onPath([opener]))) spawn(opener, [address], { stdio: 'ignore', detached: true }).unref();
  console.log(`Bot Chats is running at ${address} — press Ctrl-C to stop`);
  await Promise.race([...asked, parentExit(), server.died]);
  await server.stop();
  process.exit();
}

/** Resolves when the parent process exits: npm may stop its shell without signaling this process. */
function parentExit(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    setInterval(() => process.ppid !== parent && resolve(), 1000);
  });
}

/** Returns the port if it's free, else 0 for any. */
async function freePort(port: number): Promise<number> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
    probe.close();
    await once(probe, 'close');
    return port;
  } catch {
    return 0;
  }
}
