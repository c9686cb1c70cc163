import { operationOf } from '../operations.ts';
import { createRuleSelector } from './aim.ts';
import { faultyAnswer } from './answers.ts';
import { pause } from './pause.ts';
import { type FaultPlan, readPlan } from './plan.ts';

/** Answers a request with what `work` answers, or with a fault in its place. */
type Answer = (request: Request, work: () => Response | Promise<Response>) => Promise<Response>;

/**
 * The faults of a plan, counted from now on.
 * @throws {TypeError} on a plan that is none; an answer rejects with a {@link ConnectionReset} or, while it is delayed,
 * with the reason of an aborted request
 */
export function createFaults(plan: FaultPlan = { faults: [] }): Answer {
  const aim = createRuleSelector(readPlan(plan));

  return async (request, work) => {
    const operation = operationOf(request);
    const rule = operation && aim(operation);
    if (!rule) return work();
    const right = rule.work === 'done' ? await work() : undefined;
    if (rule.delay > 0) await pause(rule.delay, request.signal);
    return rule.fault === undefined ? (right ?? work()) : faultyAnswer(rule, operation, request, right);
  };
}
