/** The sandbox with fault injection, for tests and `npm run sandbox`. The extension doesn't use it. */
import { createFaults } from './faults/index.ts';
import type { FaultPlan } from './faults/plan.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from './index.ts';

export { ConnectionReset } from './faults/bodies.ts';
export type { FaultPlan } from './faults/plan.ts';

/** A sandbox whose `fetch` may throw a {@link ConnectionReset}. */
export interface FaultySandbox extends Sandbox {
  /**
   * Replaces the fault plan, which starts over, or removes it.
   * @throws {TypeError} on an invalid plan
   */
  setFaults(plan: FaultPlan | undefined): void;
}

export interface FaultyOptions extends SandboxOptions {
  /** The initial faults. Default: none. */
  readonly faults?: FaultPlan;
}

/**
 * Creates a sandbox as `createSandbox` does, with faults.
 * @throws {RangeError} on invalid `messages`
 * @throws {TypeError} on invalid `faults`
 */
export function createFaultySandbox({ faults, ...options }: FaultyOptions = {}): FaultySandbox {
  const sandbox = createSandbox(options);
  let answer = createFaults(faults);
  return {
    ...sandbox,
    async fetch(request) {
      request.signal.throwIfAborted();
      const response = await answer(request, () => sandbox.fetch(request));
      // The request may be aborted during a delay.
      request.signal.throwIfAborted();
      return response;
    },
    setFaults(plan) {
      answer = createFaults(plan);
    },
  };
}
