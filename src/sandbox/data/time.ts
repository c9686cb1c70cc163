/** Unix seconds of a text YYYY-MM-DD HH:MM:SS in UTC+8, the zone that the default user of contract 4.3 shows. */
export function secondsOf(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}+08:00`) / 1000;
}
