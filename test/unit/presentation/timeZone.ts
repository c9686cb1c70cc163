/** Windows goes on with the last one if none is named. */
export const ownTimeZone = process.env.TZ ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Moves the computer to a time zone while in scope. */
export function inTimeZone(name: string) {
  const before = process.env.TZ ?? ownTimeZone;
  process.env.TZ = name;
  return {
    [Symbol.dispose]: () => {
      process.env.TZ = before;
    },
  };
}
