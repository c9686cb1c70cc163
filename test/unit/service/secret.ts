import assert from 'node:assert/strict';
import { inspect } from 'node:util';

/** Asserts that an error contains no token in any form, including `more` forms. */
export function assertSecret(error: Error, token: string, ...more: string[]): void {
  const failure = 'failure' in error ? JSON.stringify(error.failure) : '';
  const everything = [error.message, error.stack, failure, inspect(error, { depth: Infinity, showHidden: true })];
  const forms = [
    ...more,
    token,
    encodeURIComponent(token),
    encodeURI(token),
    encodeURI(token).replace(/[+&#/]/g, encodeURIComponent),
    new URLSearchParams({ t: token }).toString().slice(2),
  ];
  for (const form of forms.flatMap((one) => [one, JSON.stringify(one).slice(1, -1)])) {
    for (const told of everything) {
      assert.ok(!told?.toLowerCase().includes(form.toLowerCase()), `${form} is in ${told}`);
    }
  }
}
