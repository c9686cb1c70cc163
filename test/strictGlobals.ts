// Global functions as browsers have them: they throw if they are called as methods of another object, which Node allows.
const NAMES = ['clearInterval', 'clearTimeout', 'fetch', 'queueMicrotask', 'setInterval', 'setTimeout'] as const;

for (const name of NAMES) {
  const apply = (target: (...args: never[]) => unknown, self: unknown, args: never[]) => {
    if (self !== undefined && self !== globalThis) throw new TypeError(`Illegal invocation of ${name}`);
    return Reflect.apply(target, self, args);
  };
  Object.defineProperty(globalThis, name, {
    value: new Proxy(globalThis[name], { apply }),
    configurable: true,
    writable: true,
  });
}

export {};
