/** The order of the segments of a log, which only their times and ends tell. */
import type { Side } from '../../service/messagePages.ts';
import type { LogStore, Segment } from './logStore.ts';

/** How many times at each end of a segment decide, so that one wrong clock doesn't. */
const SAMPLE = 9;

/** Sorts segments, the oldest first. */
export function inOrder(segments: readonly Segment[], store: Pick<LogStore, 'walk'>): Segment[] {
  if (segments.length < 2) return [...segments];
  const keys = new Map(segments.map(({ id }) => [id, orderKeys(id, store)]));
  return segments.toSorted((one, other) => {
    const begins = Number(other.older === 'end') - Number(one.older === 'end');
    const ends = Number(one.newer === 'end') - Number(other.newer === 'end');
    // If both ends say so, most of the clocks were wrong.
    if (begins !== 0 && begins === ends) return begins;
    const [times, otherTimes] = [keys.get(one.id) ?? [], keys.get(other.id) ?? []];
    const at = times.findIndex((time, index) => time !== otherTimes[index]);
    const byTime = Number(times[at]) - Number(otherTimes[at]) || 0;
    // Otherwise the one that was read later comes first: one mostly goes to older messages.
    return byTime || begins || ends || other.id - one.id;
  });
}

/** The times at both ends of a segment by which it's ordered (Unix ms), most significant first. */
function orderKeys(segment: number, store: Pick<LogStore, 'walk'>): (number | undefined)[] {
  const sample = (toward: Side) => {
    const times: number[] = [];
    for (const { time } of store.walk(segment, toward)) {
      if (time !== undefined) times.push(time);
      if (times.length === SAMPLE) break;
    }
    return times;
  };
  const [first, last] = [sample('newer'), sample('older')];
  return [median(first), median(last), first[0], last[0]];
}

/** The median; the lower one of two. */
function median(times: readonly number[]): number | undefined {
  return times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) / 2)];
}
