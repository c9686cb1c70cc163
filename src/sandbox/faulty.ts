/** The sandbox with faults on demand, for tests and for `npm run sandbox`. The extension's own has none. */
import { createFaults } from './faults/index.ts';
import type { FaultPlan } from './faults/plan.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from './index.ts';

export { ConnectionReset } from './faults/bodies.ts';
export type { FaultPlan } from './faults/plan.ts';

/** A sandbox whose `fetch` also throws a {@link ConnectionReset} where a fault says so. */
export interface FaultySandbox extends Sandbox {
  /**
   * Replaces the faults by those of a plan, counted from now on, or by none.
   * @throws {TypeError} that says what is wrong with the plan
   */
  setFaults(plan: FaultPlan | undefined): void;
}

export interface FaultyOptions extends SandboxOptions {
  /** Faults to begin with: none unless told. */
  readonly faults?: FaultPlan;
}

/**
 * A new sandbox as `createSandbox` makes it, with faults.
 * @throws {RangeError} on bad `messages`
 * @throws {TypeError} on bad `faults`
 */
export function createFaultySandbox({ faults, ...options }: FaultyOptions = {}): FaultySandbox {
  const sandbox = createSandbox(options);
  let answer = createFaults(faults);
  return {
    ...sandbox,
    async fetch(request) {
      request.signal.throwIfAborted();
      const response = await answer(request, () => sandbox.fetch(request));
      // The answer may have been delayed meanwhile.
      request.signal.throwIfAborted();
      return response;
    },
    setFaults(plan) {
      answer = createFaults(plan);
    },
  };
}
