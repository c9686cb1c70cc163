/**
 * What a tool for agents is, what it gets of the other features, and how all of them write: results in English, which only a
 * model reads, questions and progress in the user's language.
 */
import type * as v from 'valibot';
import type { MessageReader, MessageSearch } from '../chats/contract.ts';
import type { DeliveryReader, DraftOpener } from '../deliveries/contract.ts';
import { localDays } from '../markup/days.ts';
import type { AgentRow, ShownText } from '../markup/safeText.ts';
import type { Host } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';
import type { ActivityReader } from '../sidebar/contract.ts';

/** The result of a tool. What is around the rows is in our own words: of chats, it has only IDs. */
export interface Answer {
  readonly head: string;
  /** The rows, as `toRow` makes them; the most important first, because the last ones may not fit. */
  readonly rows: readonly AgentRow[];
  /** Returns the rows that fit in the order in which they are shown, if that's another one. */
  arrange?(rows: readonly AgentRow[]): readonly AgentRow[];
  /** Returns what follows the rows, given how many are shown: how to get more, and what to do with these. */
  foot(shown: number): string;
}

/** What the user is asked before a tool runs. */
interface Question {
  readonly title: ShownText;
  readonly text: string;
}

export interface Tool<Input> {
  readonly schema: v.GenericSchema<unknown, Input>;
  /** The largest result, in tokens. */
  readonly budget: number;
  /** What the user sees while the tool runs. */
  progress(input: Input): Promise<string>;
  /** What to ask the user first; undefined if the settings say it already. Reads no messages. */
  question?(input: Input): Promise<Question | undefined>;
  /** Runs the tool. @throws ToolError, or an error that {@link toToolError} explains */
  run(input: Input, signal: AbortSignal): Promise<Answer>;
}

/** A service without the client that sends. */
export type ReadOnlyService = Pick<Service, 'address' | 'directory' | 'sandbox'>;

/** What other features do for agents. */
export interface AgentPorts {
  readonly activity: ActivityReader;
  readonly deliveries: DeliveryReader;
  readonly drafts: DraftOpener;
  readonly messages: MessageReader;
  readonly search: MessageSearch;
}

/**
 * What tools get of the other features. Nothing in here sends, resumes, saves a token or changes a setting, so no tool
 * can, whatever a model asks for.
 */
export interface AgentHost extends AgentPorts {
  readonly audiences: Pick<Host['audiences'], 'read'>;
  readonly connection: { open(): Promise<ReadOnlyService> };
  readonly lists: Pick<Host['lists'], 'read'>;
  readonly log: Pick<Host['log'], 'error'>;
  readonly settings: Pick<Host['settings'], 'agentAccess' | 'agentChats' | 'agentsEnabled'>;
  readonly store: Pick<Host['store'], 'find' | 'get'>;
  /** The IDs of the bots that have a token, not the tokens. */
  readonly tokens: Pick<Host['tokens'], 'bots'>;
}

/** Joins sentences, without those that don't apply. */
export const sentences = (...all: (string | false | undefined)[]) => all.filter(Boolean).join(' ');

/** Joins lines, without those that don't apply. */
export const lines = (...all: (string | false | undefined)[]) => all.filter(Boolean).join('\n');

/** The first elements of a list, as a row has them, and how many more there are. */
export const firstOf = <T, R>(all: readonly T[], most: number, shownAs: (element: T) => R): (R | string)[] => {
  const more = all.length > most ? [`and ${all.length - most} more`] : [];
  return [...all.slice(0, most).map(shownAs), ...more];
};

/** A local time such as `2026-03-01 09:30`, which is short and can be sorted; empty for an impossible one. `ms` is Unix ms. */
export const timeText = (ms: number) => localDays.timeOf(ms);

/** Says in which time zone times are. */
export const zoneText = () => `Times are in the time zone ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`;
