/** Announces new messages to screen readers, those that arrive together at once. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { systemClock } from '../../service/clock.ts';
import { formatNumber } from '../common/formats.ts';
import { l10n } from '../common/host.ts';

/** Messages that arrive within this time (milliseconds) of each other are announced together. */
const QUIET_TIME = 1000;

/** `arrived` is the number of messages that have arrived since the page was opened. */
export function Announcer({ arrived }: { arrived: number }) {
  const announced = useRef(0);
  const [text, setText] = useState('');
  useEffect(() => {
    const count = arrived - announced.current;
    if (count === 0) return;
    // The same text twice would be announced only once.
    setText('');
    return systemClock.after(QUIET_TIME, () => {
      announced.current = arrived;
      setText(count === 1 ? l10n.t('1 new message') : l10n.t('{0} new messages', formatNumber(count)));
    });
  }, [arrived]);
  return (
    <p class="announcement" role="status">
      {text}
    </p>
  );
}
