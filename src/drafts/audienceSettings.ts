/** Audiences as a setting holds them: names, each with groups and people. */
import * as v from 'valibot';
import { writtenIdentifier } from '../service/fields.ts';
import type { Chat } from '../service/model.ts';

/** A large number has lost digits: it is no ID any more. */
const Id = v.union([writtenIdentifier, v.pipe(v.number(), v.safeInteger(), v.transform(String))]);
const Ids = v.optional(v.array(Id), []);
// Strict: whoever stands under a misspelt name would be left out silently.
const Audience = v.pipe(
  v.strictObject({ groups: Ids, people: Ids }),
  v.transform(({ groups, people }): readonly Chat[] => [
    ...[...new Set(groups)].map((id) => ({ type: 'group' as const, id })),
    ...[...new Set(people)].map((id) => ({ type: 'user' as const, id })),
  ]),
);

export interface AudienceReading {
  /** Each with its groups first, nobody twice. */
  audiences: Map<string, readonly Chat[]>;
  /** The names of those that cannot be read in full. */
  unreadable: string[];
}

/** The audiences in a setting, whatever stands there. */
export function audiencesIn(setting: unknown): AudienceReading {
  const reading: AudienceReading = { audiences: new Map(), unreadable: [] };
  if (typeof setting !== 'object' || setting === null) return reading;
  for (const [name, value] of Object.entries(setting)) {
    const { success, output } = v.safeParse(Audience, value);
    if (success) reading.audiences.set(name, output);
    else reading.unreadable.push(name);
  }
  return reading;
}
