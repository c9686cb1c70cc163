/** Moves the computer to a time zone while in scope. */
export function inTimeZone(name: string) {
  const before = process.env.TZ;
  process.env.TZ = name;
  return {
    [Symbol.dispose]: () => {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    },
  };
}
