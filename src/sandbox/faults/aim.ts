import { mix } from '../mix.ts';
import type { Operation } from '../operations.ts';
import type { Rule, readPlan } from './plan.ts';

/** From one request to the next: the rule that strikes it, if any does. */
export type RuleSelector = (operation: Operation) => Rule | undefined;

/** Counts the requests of a plan from its beginning. */
export function createRuleSelector({ seed, faults }: ReturnType<typeof readPlan>): RuleSelector {
  const tallies = faults.map((rule, number) => ({ rule, number, matched: 0, struck: 0 }));

  return (operation) => {
    let strikes: Rule | undefined;
    for (const tally of tallies) {
      const { rule, number } = tally;
      const { on, skip, times = Number.POSITIVE_INFINITY, probability } = rule;
      if (!on.includes(operation)) continue;
      const matched = tally.matched++;
      if (strikes || matched < skip || tally.struck >= times) continue;
      // From 0 up to but without 1, and the same again for the same seed, rule and request.
      const chance = mix(seed, number, matched) / 2 ** 32;
      if (chance >= probability) continue;
      tally.struck++;
      strikes = rule;
    }
    return strikes;
  };
}
