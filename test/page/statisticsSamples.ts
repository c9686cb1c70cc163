/** Statistics to show in pages. */
import type { Statistics } from '../../src/protocol/statistics.ts';

const noOthers = { names: 0, count: 0 };

/** The number of a day since 1970-01-01. */
export const dayOf = (text: string) => Date.parse(text) / 86_400_000;

export const EMPTY: Statistics = {
  total: 0,
  unreadable: 0,
  withoutTime: 0,
  withButtons: 0,
  buttonsIn: 0,
  days: [],
  hours: Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0)),
  senders: { top: [], others: noOthers },
  kinds: { top: [], others: noOthers },
  commands: { top: [], others: noOthers },
  buttons: { top: [], others: noOthers },
};

/** Statistics of one message, on a Monday at 9:30 UTC. */
export function oneMessage(): Statistics {
  const time = Date.parse('2024-03-04T09:30Z');
  return {
    ...EMPTY,
    total: 1,
    first: time,
    last: time,
    days: [{ day: dayOf('2024-03-04'), count: 1 }],
    hours: EMPTY.hours.map((hours, weekday) => hours.map((_, hour) => (weekday === 0 && hour === 9 ? 1 : 0))),
    senders: { top: [{ sender: 'user 7', type: 'user', id: '7', name: 'Alice', count: 1 }], others: noOthers },
    kinds: { top: [{ kind: 'text', count: 1 }], others: noOthers },
  };
}

/** Statistics of many messages on as many days, which end on 2024-12-31. More each year, and few on weekends. */
export function manyMessages(dayCount: number, perDay: number): Statistics {
  const lastDay = dayOf('2024-12-31');
  const days = Array.from({ length: dayCount }, (_, index) => {
    const day = lastDay - dayCount + 1 + index;
    const isWeekend = (day + 3) % 7 > 4;
    const wave = 1 + Math.sin(index / 40) / 2 + (index % 13) / 20;
    return { day, count: Math.round(((perDay * (index + dayCount)) / dayCount) * wave * (isWeekend ? 0.2 : 1)) };
  }).filter(({ count }) => count > 0);
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const shared = <T>(entries: T[], all: number, others = noOthers) => ({
    top: entries.map((entry, index) => ({ ...entry, count: Math.max(1, Math.round(all / (index + 1) ** 1.3 / 3)) })),
    others,
  });
  const names = [
    'Order Desk',
    'Alice Fernhollow',
    '闻山禾',
    'Bob',
    'مريم',
    'Someone with quite a long name indeed',
    '',
  ];
  const senders = Array.from({ length: 60 }, (_, index) => {
    const type = index % 7 === 0 ? 'bot' : 'user';
    const id = `${30_000_001 + index}`;
    return { sender: `${type} ${id}`, type, id, name: names[index % 7] ?? '' };
  });
  return {
    total,
    unreadable: 12,
    withoutTime: 3,
    withButtons: Math.round(total / 9),
    buttonsIn: 10_000,
    days,
    first: (days[0]?.day ?? 0) * 86_400_000 + 3_600_000,
    last: lastDay * 86_400_000 + 70_000_000,
    hours: EMPTY.hours.map((hours, weekday) =>
      hours.map((_, hour) =>
        hour < 6 ? 0 : Math.round((total / 60) * Math.exp(-((hour - 14) ** 2) / 18) * (weekday > 4 ? 0.2 : 1)),
      ),
    ),
    senders: shared(senders, total, { names: 940, count: Math.round(total / 20) }),
    kinds: shared(
      ['text', 'markdown', 'image', 'file', 'expression', 'made-up'].map((kind) => ({ kind })),
      total,
    ),
    commands: shared(
      ['/menu', '/help', '/order status', '/status'].map((name) => ({ name })),
      total / 20,
    ),
    buttons: shared(
      ['Yes', 'No', 'Open the documentation in the browser', '稍后提醒我', '👍'].map((text) => ({ text })),
      8000,
    ),
  };
}
