import assert from 'node:assert/strict';
import { Calendar } from '../../../../src/chats/history/calendar.ts';

describe('The calendar of a history', () => {
  const startIn = (timeZone: string, day: string) => new Date(new Calendar('en', timeZone).startOf(day)).toISOString();

  it('starts days at midnight in the time zone of the page', () => {
    assert.equal(startIn('UTC', '2026-03-09'), '2026-03-09T00:00:00.000Z');
    assert.equal(startIn('Asia/Shanghai', '2026-03-09'), '2026-03-08T16:00:00.000Z');
    assert.equal(startIn('Pacific/Kiritimati', '2026-03-09'), '2026-03-08T10:00:00.000Z');
    assert.equal(startIn('America/Los_Angeles', '2026-03-09'), '2026-03-09T07:00:00.000Z');
  });

  it('knows the day of a time', () => {
    const time = Date.UTC(2026, 2, 9, 20);
    assert.equal(new Calendar('en', 'UTC').dayOf(time), '2026-03-09');
    assert.equal(new Calendar('en', 'Asia/Shanghai').dayOf(time), '2026-03-10');
  });

  it('formats dates in the language of the user', () => {
    const time = Date.UTC(2026, 2, 9, 20);
    assert.equal(new Calendar('en', 'UTC').format(time), 'March 9, 2026');
    assert.equal(new Calendar('zh-cn', 'Asia/Shanghai').format(time), '2026年3月10日');
  });

  it('accepts times that are no dates', () => {
    const calendar = new Calendar('en', 'UTC');
    assert.deepEqual([calendar.dayOf(1e300), calendar.format(-1e300)], ['', 'time unknown']);
  });
});
