// Runs `node guard.ts COMMAND ARGUMENT…` and ends it, with everything it started, when the standard input closes. Whoever
// starts the guard holds the other end, so nothing stays behind however that process ends, SIGKILL included.
// It has to be started detached: it is then the leader of the process group that it ends.
import { execFileSync, spawn } from 'node:child_process';

const GRACE_MS = 3000;
const [command = '', ...args] = process.argv.slice(2);

// It is in the group to which it sends this signal, and has to outlive it.
process.on('SIGTERM', () => {});

const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
child.on('error', (error) => {
  console.error(`${command} could not be started: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  console.error(`${command} ended by itself (${signal ?? `exit code ${code}`}).`);
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
