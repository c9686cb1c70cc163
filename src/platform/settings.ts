/** The user's settings, read and validated at each use. */
import * as v from 'valibot';
import { settingIdentifier } from '../service/fields.ts';
import type { Chat } from '../service/model.ts';
import { readSetting, writeSetting } from './configuration.ts';

const Text = v.fallback(v.string(), '');
/** A number out of range becomes the nearest one in it: somebody who sets 0 wants little, not the default. */
const numberIn = (least: number, most: number, usual: number) =>
  v.fallback(
    v.pipe(
      v.number(),
      v.transform((number) => Math.min(most, Math.max(least, number))),
    ),
    usual,
  );
const wholeNumberIn = (least: number, most: number, usual: number) =>
  v.pipe(numberIn(least, most, usual), v.transform(Math.floor));
const BatchSize = wholeNumberIn(1, 10_000, 200);
/** Entries as they are in the settings; the feature says which it can't use. Anything but a list counts as one entry. */
const Entries = v.pipe(
  v.unknown(),
  v.transform((value): readonly unknown[] => [value ?? []].flat()),
);
/** A value that can't be read allows no requests. */
const HoverLookUp = v.fallback(v.optional(v.picklist(['any', 'known', 'never']), 'any'), 'never');
const FrontMatter = v.fallback(v.picklist(['omit', 'keep']), 'omit');
const RefreshSeconds = numberIn(0, Number.POSITIVE_INFINITY, 15);
const AgentAccess = v.fallback(v.picklist(['ask', 'chosen', 'all', 'none']), 'none');
const Ids = v.optional(v.array(settingIdentifier), []);
/** Groups and people. The object is strict, because what stands under a misspelled key would be ignored silently. */
const ChatLists = v.pipe(
  v.strictObject({ groups: Ids, people: Ids }),
  v.transform(({ groups, people }): readonly Chat[] => [
    ...[...new Set(groups)].map((id) => ({ kind: 'group' as const, id })),
    ...[...new Set(people)].map((id) => ({ kind: 'user' as const, id })),
  ]),
);
const ReadableChats = v.fallback(v.optional(ChatLists), undefined);
const CallsPerSecond = wholeNumberIn(1, 1000, 10);

export interface ServiceSettings {
  sandbox: boolean;
  /** The address as typed: it's checked where it's used. */
  webUrl: string;
  openApiUrl: string;
  /** Tokens may be sent over plain http to other machines. */
  allowPlainHttp: boolean;
  /** How many calls of one operation may start per second with one token. */
  callsPerSecond: number;
}

export class Settings {
  /** Which service to use, and how. */
  get service(): ServiceSettings {
    return {
      sandbox: readSetting('service.sandbox') === true,
      webUrl: v.parse(Text, readSetting('service.webUrl')).trim(),
      openApiUrl: v.parse(Text, readSetting('service.openApiUrl')).trim(),
      allowPlainHttp: readSetting('service.allowPlainHttp') === true,
      callsPerSecond: v.parse(CallsPerSecond, readSetting('service.callsPerSecond')),
    };
  }

  /** How many recipients one `batch_send` may name. */
  get batchSize(): number {
    return v.parse(BatchSize, readSetting('sending.batchSize'));
  }

  /** Whether front matter is sent, except the `chat:` block, which never is. */
  get keepsFrontMatter(): boolean {
    return v.parse(FrontMatter, readSetting('sending.frontMatter')) === 'keep';
  }

  /** Which IDs a hover may look up. */
  get hoverLookUp(): 'any' | 'known' | 'never' {
    return v.parse(HoverLookUp, readSetting('hover.lookUp'));
  }

  /** A regular expression, as typed, for words that may be IDs; empty for none. */
  get idPattern(): string {
    return v.parse(Text, readSetting('ids.pattern'));
  }

  /** How many seconds after a response an open history checks for newer messages; 0 means never. */
  get refreshSeconds(): number {
    return v.parse(RefreshSeconds, readSetting('history.refreshSeconds'));
  }

  /** The chats in whose histories remote images are loaded; undefined if the setting can't be read in full. */
  get imagesIn(): readonly Chat[] | undefined {
    return v.parse(ReadableChats, readSetting('history.remoteImagesIn'));
  }

  /** Whether a notification announces new messages in watched chats. */
  get notifiesOfMessages(): boolean {
    return readSetting('watching.notify') === true;
  }

  /** Whether a notification announces replies to the bot and messages with {@link watchedWords}. */
  get notifiesOfMatches(): boolean {
    return readSetting('watching.notifyMatches') === true;
  }

  /** The words and phrases to look for in new messages of watched chats, as typed. */
  get watchedWords(): readonly unknown[] {
    return v.parse(Entries, readSetting('watching.words'));
  }

  /** Whether agents may use the extension's tools. */
  get agentsEnabled(): boolean {
    return readSetting('agents.enabled') === true;
  }

  /** Which chats agents may see: those that the user allows each time, {@link agentChats}, all, or none. */
  get agentAccess(): 'ask' | 'chosen' | 'all' | 'none' {
    return v.parse(AgentAccess, readSetting('agents.access'));
  }

  /** The chosen groups and people that agents may see; undefined if the setting can't be read in full. */
  get agentChats(): readonly Chat[] | undefined {
    return v.parse(ReadableChats, readSetting('agents.chats'));
  }

  /** Sets the chats in whose histories remote images are loaded, in the user settings. */
  async setImagesIn(chats: readonly Chat[]): Promise<void> {
    const idsOf = (kind: Chat['kind']) => chats.filter((chat) => chat.kind === kind).map(({ id }) => id);
    await writeSetting('history.remoteImagesIn', { groups: idsOf('group'), people: idsOf('user') });
  }

  /** Writes settings of the service into the user settings. */
  async saveService(values: Partial<ServiceSettings>): Promise<void> {
    for (const [name, value] of Object.entries(values)) await writeSetting(`service.${name}`, value);
  }
}
