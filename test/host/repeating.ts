/** VS Code drops keys and clicks while it refreshes a list or moves the focus. What had no effect is done again. */
import delay from 'delay';
import { errors, type Locator } from 'playwright-core';

/** An action without effect for this long was dropped. */
export const DROPPED_MS = 5_000;

/** The expected effect: an element that appears, or an event. */
export type Effect = Locator | Promise<unknown>;

/** Repeats an action until it takes effect. Limited only by the test's own timeout. */
export async function repeatUntil(effect: Effect, act: () => Promise<void>): Promise<void> {
  do await act();
  while (!(await hasHappened(effect)));
}

async function hasHappened(effect: Effect): Promise<boolean> {
  if (effect instanceof Promise) return Promise.race([effect.then(() => true), delay(DROPPED_MS, { value: false })]);
  return inTime(effect.waitFor({ timeout: DROPPED_MS }));
}

/** Whether this call of Playwright's succeeds before its timeout. Other errors are passed on. */
export async function inTime(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}
