// `node guard.ts COMMAND ARGUMENT…` runs a command, and kills it with all its child processes when stdin closes.
// The parent process holds the other end of the pipe, so nothing is left behind even after SIGKILL.
// Start it detached, so that it leads the process group that it kills.
import { execFileSync, spawn } from 'node:child_process';

const GRACE_MS = 3000;
const [command = '', ...args] = process.argv.slice(2);

// The guard must survive this signal, which it sends to its own group.
process.on('SIGTERM', () => {});

const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
child.on('error', (error) => {
  console.error(`${command} couldn't be started: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  console.error(`${command} exited unexpectedly (${signal ?? `exit code ${code}`}).`);
  killAll();
});
process.stdin.on('error', stop).on('close', stop).resume();

function stop(): void {
  child.removeAllListeners('exit');
  child.on('exit', killAll);
  setTimeout(killAll, GRACE_MS);
  if (process.platform !== 'win32') process.kill(-process.pid, 'SIGTERM');
  else killAll();
}

/** Kills the whole group, this process included. */
function killAll(): void {
  if (process.platform !== 'win32') process.kill(-process.pid, 'SIGKILL');
  else execFileSync('taskkill', ['/pid', String(process.pid), '/t', '/f']);
}
