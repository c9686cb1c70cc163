/** The time zone that a page reports: a remote extension host may be in another one. */
import * as v from 'valibot';

/** An IANA name that this computer knows. */
export const TimeZone = v.pipe(v.string(), v.check(isTimeZone));

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
