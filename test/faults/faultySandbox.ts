/** The sandbox with fault injection, for tests and `npm run sandbox`. */
import delay from 'delay';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/index.ts';
import { type Operation, operationOf } from '../../src/sandbox/requests.ts';
import { mix } from '../../src/sandbox/seeded.ts';
import { faultyAnswer } from './answers.ts';
import { type FaultPlan, type Rule, readPlan } from './plan.ts';

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

/** Answers a request with the response of `work`, or with a fault instead. */
type Answer = (request: Request, work: () => Response | Promise<Response>) => Promise<Response>;

/**
 * Injects the faults of a plan, which starts now. A response rejects with a {@link ConnectionReset}, or with the reason
 * of a request that is aborted during a delay.
 * @throws {TypeError} on an invalid plan
 */
function createFaults(plan: FaultPlan = { faults: [] }): Answer {
  const selectRule = createRuleSelector(readPlan(plan));

  return async (request, work) => {
    const operation = operationOf(request);
    const rule = operation && selectRule(operation);
    if (!rule) return work();
    const response = rule.work === 'done' ? await work() : undefined;
    if (rule.delay > 0) await delay(rule.delay, { signal: request.signal });
    return rule.fault === undefined ? (response ?? work()) : faultyAnswer(rule, operation, request, response);
  };
}

/** The rule that applies to the next request, if any. */
type RuleSelector = (operation: Operation) => Rule | undefined;

/** Selects rules in order and counts the requests of each. */
function createRuleSelector({ seed, faults }: ReturnType<typeof readPlan>): RuleSelector {
  const counters = faults.map((rule, index) => ({ rule, index, matched: 0, applied: 0 }));

  return (operation) => {
    let selected: Rule | undefined;
    for (const counter of counters) {
      const { rule, index } = counter;
      const { on, skip, times = Number.POSITIVE_INFINITY, probability } = rule;
      if (!on.includes(operation)) continue;
      const matched = counter.matched++;
      if (selected || matched < skip || counter.applied >= times) continue;
      // From 0 to 1, excluding 1, and reproducible for the same seed, rule and request.
      const chance = mix(seed, index, matched) / 2 ** 32;
      if (chance >= probability) continue;
      counter.applied++;
      selected = rule;
    }
    return selected;
  };
}
