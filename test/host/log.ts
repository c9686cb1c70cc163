import { format } from 'node:util';

/** Messages that the workbench logs in every run, between the output of the tests. */
const NOISE = [
  // Native modules aren't built; VS Code works without them.
  /Could not locate the bindings file|native-watchdog|spdlog|sqlite3/,
  // Stopping the extension host cancels pending work.
  /^Canceled: Canceled/,
  /^(Resolv(ing|ed) connection token|Creating a socket|(Updating|Ignoring fetching) additional builtin extensions|\[reconnection-grace-time\])/,
  /^Creation of workbench contribution .* took \d+ms/,
  /^\[(Service Worker|AgentHost\S*|AccountPolicyGate)\]/,
];

/** Formats a workbench log entry for the terminal, or returns undefined for noise. */
export function logLine(args: readonly unknown[]): string | undefined {
  const line = format(...args);
  return NOISE.some((noise) => noise.test(line)) ? undefined : line;
}
