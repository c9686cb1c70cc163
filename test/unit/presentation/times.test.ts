import assert from 'node:assert/strict';
import { formatTyped, parseTime } from '../../../src/presentation/times.ts';

describe('A typed time', () => {
  const now = new Date(2026, 10, 24, 14, 40, 30).getTime();
  /** What is understood, or the problem. */
  const read = (typed: string) => {
    const parsed = parseTime(typed, now);
    return 'time' in parsed ? formatTyped(parsed.time) : parsed.problem;
  };

  it('is a date with a time, in any spacing and with Chinese colons', () => {
    assert.equal(read('2026-11-25 09:00'), '2026-11-25 09:00');
    assert.equal(read('  2026-11-24   14:41 '), '2026-11-24 14:41');
    assert.equal(read('2026-11-25 9：05'), '2026-11-25 09:05');
  });

  it('without a date is the next one, today or tomorrow', () => {
    assert.equal(read('15:40'), '2026-11-24 15:40');
    assert.equal(read('9:00'), '2026-11-25 09:00');
    assert.equal(read('14:40'), '2026-11-25 14:40');
    assert.equal(read('0:00'), '2026-11-25 00:00');
  });

  it('can be neither past nor more than a year and a day away', () => {
    assert.equal(read('2026-11-24 14:40'), 'past');
    assert.equal(read('2025-11-24 14:41'), 'past');
    assert.equal(read('2027-11-25 14:40'), '2027-11-25 14:40');
    assert.equal(read('2027-11-25 14:41'), 'far');
  });

  it('must exist', () => {
    for (const typed of ['2026-02-30 10:00', '2026-11-25 24:00', '25:00', '9:60'])
      assert.equal(read(typed), 'missing', typed);
  });

  it('is nothing else', () => {
    for (const typed of ['', '9', 'tomorrow', '2026-11-25', '2026-11-25T09:00', '9:00 2026-11-25'])
      assert.equal(read(typed), 'format', typed);
  });

  describe('where the clocks change', () => {
    let zone: string | undefined;
    before(() => {
      zone = process.env.TZ;
      process.env.TZ = 'Europe/Berlin';
    });
    after(() => {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    });

    it("doesn't exist in the hour that is skipped", () => {
      const eve = new Date(2027, 2, 27, 12).getTime();
      assert.deepEqual(parseTime('2027-03-28 02:30', eve), { problem: 'missing' });
      assert.deepEqual(parseTime('2:30', eve), { problem: 'missing' });
    });

    it('is the first one in the hour that is repeated', () => {
      const parsed = parseTime('2026-10-25 02:30', Date.UTC(2026, 9, 24));
      assert.deepEqual(parsed, { time: new Date(Date.UTC(2026, 9, 25, 0, 30)) });
    });
  });
});
