import assert from 'node:assert/strict';
import { env, type InputBoxValidationMessage, InputBoxValidationSeverity } from 'vscode';
import { shownText } from '../../../src/markup/safeText.ts';
import { askPastDay, askTime } from '../../../src/presentation/askTime.ts';
import { answer, onLists, onPicker, restore, type } from '../answers.ts';
import { useWallClock } from '../clocks.ts';
import { inTimeZone } from './timeZone.ts';

/** A Thursday, at five. */
const MORNING = new Date(2026, 10, 26, 5);

describe('The question for a time', () => {
  afterEach(restore);
  const clock = useWallClock(MORNING.getTime());
  let shown: string[];

  const ask = (scheduled?: number) => askTime(shownText`When?`, scheduled);
  /** Picks the item whose label starts so; Escape for `undefined`. */
  const pick = (start?: string) =>
    onPicker(async (items) => {
      shown = items.map(({ label, description = '' }) => `${label}${description}`.replaceAll('\u202f', ' '));
      return items.find(({ label }) => start !== undefined && label.startsWith(start));
    });

  it('offers an hour from now, this evening, tomorrow morning, and any other time', async () => {
    for (const [label, time] of [
      ['In one hour', new Date(2026, 10, 26, 6)],
      ['This evening', new Date(2026, 10, 26, 18)],
      ['Tomorrow morning', new Date(2026, 10, 27, 9)],
    ] as const) {
      pick(label);
      assert.equal(await ask(), time.getTime(), label);
    }
    const times = ['In one hour (6:00 AM)', 'This evening (6:00 PM)', 'Tomorrow morning (Nov 27, 2026, 9:00 AM)'];
    assert.deepEqual(shown, [...times, 'Enter a Date and Time…']);
  });

  it('offers no evening that is less than an hour away', async () => {
    clock.now = new Date(2026, 10, 26, 17).getTime();
    pick();
    assert.equal(await ask(), undefined);
    assert.ok(!shown.some((label) => label.startsWith('This evening')), String(shown));
  });

  it('begins with the scheduled time', async () => {
    pick('Enter');
    const boxes = type(undefined);
    await ask(new Date(2026, 10, 28, 9).getTime());
    assert.equal(shown[0], 'Enter a Date and Time…scheduled for Nov 28, 2026, 9:00 AM');
    assert.equal(shown.length, 4);
    assert.equal(boxes[0]?.value, '2026-11-28 09:00');
    assert.match(boxes[0]?.prompt ?? '', /^When to send it, in the time zone \S+$/);
  });

  it('takes a time that is typed in the list', async () => {
    const lists = onLists({ types: '10:30', picks: ({ label }) => label.startsWith('Thu, Nov 26, 10:30') });
    assert.equal(await ask(), new Date(2026, 10, 26, 10, 30).getTime());
    assert.equal(
      lists[0]?.placeholder,
      'Select a time, or type one, such as 18:00, “in 10 minutes”, or “tomorrow 9:00”',
    );
  });

  it('hands what is typed in the list to the box, which says at once what is wrong, or what it means', async () => {
    for (const [typed, prompt] of [
      ['soon', 'Enter a time such as 2026-11-27 09:00, 18:00, “in 10 minutes”, or “tomorrow 9:00”.'],
      ['10:30', '= Thu, Nov 26, 10:30 AM'],
    ] as const) {
      onLists({ types: typed, picks: ({ label }) => label === 'Enter a Date and Time…' });
      const boxes = type(undefined);
      assert.equal(await ask(), undefined);
      assert.deepEqual([boxes[0]?.value, boxes[0]?.prompt], [typed, prompt]);
    }
  });

  it('says what is wrong with a typed time', async () => {
    pick('Enter');
    const boxes = type(undefined);
    assert.equal(await ask(), undefined);
    for (const [text, problem] of [
      ['soon', 'Enter a time such as 2026-11-27 09:00, 18:00, “in 10 minutes”, or “tomorrow 9:00”.'],
      ['2020-01-01 10:00', 'This time has passed.'],
      ['2020-01-32 10:00', "This time doesn't exist."],
      ['9999-01-01 10:00', 'This time is more than a year away.'],
    ] as const)
      assert.equal(boxes[0]?.validateInput?.(text), problem, text);
  });

  it('says which of two equal times is meant', async () => {
    using _ = inTimeZone('Europe/Brussels');
    clock.now = Date.UTC(2026, 9, 24, 20);
    pick('Enter');
    const boxes = type('2:30');
    assert.equal(await ask(), Date.UTC(2026, 9, 25, 0, 30));
    const shown = (text: string) => boxes[0]?.validateInput?.(text);
    const note = shown('2:30') as InputBoxValidationMessage;
    assert.equal(note.severity, InputBoxValidationSeverity.Info);
    assert.match(
      note.message,
      /^Clocks are set back, so this means .+ \(UTC\+02:00\)\. For the later one, add UTC\+01:00\.$/,
    );
    const noteOf = (text: string) => (shown(text) as InputBoxValidationMessage).message;
    assert.match(noteOf('2:30 UTC+01:00'), /^= Sun, Oct 25, .+ \(UTC\+01:00\)$/);
    assert.match(noteOf('3:30'), /^= Sun, Oct 25, [^()]+$/);
  });

  it('keeps the scheduled day for a time alone, and shows what is meant', async () => {
    pick('Enter');
    const boxes = type('10:30', '10:30');
    assert.equal(await ask(new Date(2026, 10, 27, 9).getTime()), new Date(2026, 10, 27, 10, 30).getTime());
    assert.equal(await ask(), new Date(2026, 10, 26, 10, 30).getTime());
    const notes = boxes.map((box) => box?.validateInput?.('10:30') as InputBoxValidationMessage);
    assert.match(
      notes.map(({ message }) => message).join('\n'),
      /^= Fri, Nov 27, 10:30\sAM\n= Thu, Nov 26, 10:30\sAM$/,
    );
  });
});

describe('The question for a day', () => {
  afterEach(restore);
  const clock = useWallClock(new Date(2026, 10, 26, 23, 59).getTime());

  it('takes today even if that has begun since it was asked', async () => {
    const boxes = type(undefined);
    await askPastDay({ title: shownText`Go to Date`, prompt: shownText`When?` });
    const problemOf = (day: string) => boxes[0]?.validateInput?.(day);
    assert.equal(problemOf('2026-11-27'), 'This date is in the future.');
    clock.now += 60_000;
    assert.equal(problemOf('2026-11-27'), undefined);
    assert.equal(problemOf('2026-11-28'), 'This date is in the future.');
    const noteOf = (day: string) => (problemOf(day) as InputBoxValidationMessage).message;
    assert.equal(noteOf('Jan 15'), '= Thursday, January 15, 2026');
    assert.equal(noteOf('１１月２８日'), '= Friday, November 28, 2025');
    for (const [language, note] of [
      ['de', '= Sonntag, 3. Mai 2026'],
      ['zh-cn', '= 2026年3月5日星期四'],
      ['en', '= Thursday, March 5, 2026'],
    ] as const) {
      Object.assign(env, { language });
      assert.equal(noteOf('3/5'), note);
    }
    assert.equal(problemOf('Feb 30'), "This date doesn't exist.");
    assert.equal(problemOf('tomorrow'), 'This date is in the future.');
    assert.equal(problemOf('soon'), 'Enter a date such as 2026-11-27, “Jan 15”, or “yesterday”.');
  });

  it('takes the day that was shown, even if another has begun when Enter is pressed', async () => {
    answer('showInputBox', async (options) => {
      const note = options?.validateInput?.('yesterday') as InputBoxValidationMessage;
      assert.equal(note.message, '= Wednesday, November 25, 2026');
      clock.now += 60_000;
      return 'yesterday';
    });
    assert.equal(await askPastDay({ title: shownText`Go to Date`, prompt: shownText`When?` }), '2026-11-25');
  });
});
