import * as v from 'valibot';

const BotIds = v.pipe(v.string(), v.parseJson(), v.array(v.string()));

/** The list of bots that is kept beside their tokens; empty where there is none, or none that can be read. */
export function readBotIds(stored: string | undefined): string[] {
  const read = v.safeParse(BotIds, stored);
  return read.success ? read.output : [];
}
