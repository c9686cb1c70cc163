import assert from 'node:assert/strict';
import { formatTyped, parseTime } from '../../../src/presentation/times.ts';

describe('A typed time', () => {
  const now = new Date(2026, 10, 24, 14, 40, 30).getTime();
  const cases: [typed: string, expected: string][] = [
    ['2026-11-25 09:00', '2026-11-25 09:00'],
    ['  2026-11-24   14:41 ', '2026-11-24 14:41'],
    ['2026-11-25 9：05', '2026-11-25 09:05'],
    ['15:40', '2026-11-24 15:40'],
    ['9:00', '2026-11-25 09:00'],
    ['14:40', '2026-11-25 14:40'],
    ['0:00', '2026-11-25 00:00'],
    ['2026-11-24 14:40', 'past'],
    ['2025-11-24 14:41', 'past'],
    ['2027-11-25 14:40', '2027-11-25 14:40'],
    ['2027-11-25 14:41', 'far'],
    ['2026-02-30 10:00', 'missing'],
    ['2026-11-25 24:00', 'missing'],
    ['25:00', 'missing'],
    ['9:60', 'missing'],
    ['', 'format'],
    ['9', 'format'],
    ['tomorrow', 'format'],
    ['2026-11-25', 'format'],
    ['2026-11-25T09:00', 'format'],
    ['9:00 2026-11-25', 'format'],
  ];
  for (const [typed, expected] of cases) {
    it(`“${typed}” is ${expected}`, () => {
      const parsed = parseTime(typed, now);
      assert.equal('time' in parsed ? formatTyped(parsed.time) : parsed.problem, expected);
    });
  }

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
