// A machine that stalls: time jumps ahead between two looks at it, and timers fire late. Loaded with Mocha's --require. A
// test that only fails here depends on how fast the machine is.
//   STALL_SEED=1    repeats a run
//   STALL_CLOCK=400 how far time jumps at every seventh look, in milliseconds
//   STALL_TIMERS=2  how late a timer fires at most, in milliseconds; 40 without jumps: with them, all work yields often
import { randomOf } from './random.ts';

const { STALL_SEED = '1', STALL_CLOCK = '400', STALL_TIMERS = '2' } = process.env;
const [jump, latest] = [Number(STALL_CLOCK), Number(STALL_TIMERS)];
const LOOKS = 7;

const random = randomOf(Number(STALL_SEED));

const now = performance.now.bind(performance);
let looks = 0;
let ahead = 0;
Object.defineProperty(performance, 'now', {
  configurable: true,
  writable: true,
  value() {
    if (++looks % LOOKS === 0) ahead += jump;
    return now() + ahead;
  },
});

globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
  apply: (target, self, [run, ms = 0, ...rest]) => Reflect.apply(target, self, [run, ms + random() * latest, ...rest]),
});
