import { format } from 'node:util';

/** What the workbench says of itself in every run, through the channel that also carries what tests print. */
const NOISE = [
  // The native modules were not built: each is done without.
  /Could not locate the bindings file|native-watchdog|spdlog|sqlite3/,
  // Stopping the extension host cancels what is under way.
  /^Canceled: Canceled/,
  /^(Resolv(ing|ed) connection token|Creating a socket|(Updating|Ignoring fetching) additional builtin extensions|\[reconnection-grace-time\])/,
  /^Creation of workbench contribution .* took \d+ms/,
  /^\[(Service Worker|AgentHost\S*|AccountPolicyGate)\]/,
];

/** One entry of the workbench's log as a line for the terminal; nothing for what it says in every run. */
export function logLine(args: readonly unknown[]): string | undefined {
  const line = format(...args);
  return NOISE.some((noise) => noise.test(line)) ? undefined : line;
}
