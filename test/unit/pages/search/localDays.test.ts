import assert from 'node:assert/strict';
import { dayOf, startOfDay } from '../../../../src/pages/search/localDays.ts';

describe('The days of a search', () => {
  it('start at midnight, and end at the next', () => {
    assert.equal(startOfDay('2026-02-28'), new Date(2026, 1, 28).getTime());
    assert.equal(startOfDay('2026-02-28', 1), new Date(2026, 2, 1).getTime());
  });

  it('may be in a year of the first century, while one is typed', () => {
    const start = startOfDay('0020-02-03');
    assert.equal(new Date(start ?? 0).getFullYear(), 20);
    assert.equal(dayOf(start), '0020-02-03');
  });

  it('are those of their start, and of the last moment before their end', () => {
    assert.equal(dayOf(startOfDay('2026-02-28')), '2026-02-28');
    assert.equal(dayOf((startOfDay('2026-02-28', 1) ?? 0) - 1), '2026-02-28');
  });

  it('may be missing', () => {
    assert.equal(startOfDay(''), undefined);
    assert.equal(startOfDay('999999-01-01'), undefined);
    assert.equal(dayOf(undefined), '');
    assert.equal(dayOf(1e300), '');
  });
});
