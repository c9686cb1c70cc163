/** What the person set, read afresh at each use: settings are bytes from outside and are validated here. */
import * as v from 'valibot';
import { type Disposable, workspace } from 'vscode';

const SECTION = 'botChats';

/** A setting's full name, as the person sees it in the settings editor. */
export type SettingName = `${typeof SECTION}.${string}`;

const Text = v.fallback(v.string(), '');
const BatchSize = v.fallback(v.pipe(v.number(), v.integer(), v.minValue(1)), 200);
const HoverLookUp = v.fallback(v.picklist(['any', 'known', 'never']), 'any');
const FrontMatter = v.fallback(v.picklist(['omit', 'keep']), 'omit');
const RefreshSeconds = v.fallback(v.pipe(v.number(), v.minValue(0)), 15);
const Ids = v.fallback(v.array(v.string()), []);
const CallsPerSecond = v.fallback(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)), 10);

function read(name: string): unknown {
  return workspace.getConfiguration(SECTION).get(name);
}

export interface ServiceSettings {
  sandbox: boolean;
  /** As typed; addresses are checked where they are used. */
  webUrl: string;
  openApiUrl: string;
  /** The person accepts that tokens go over plain http to other machines. */
  allowPlainHttp: boolean;
  /** How many calls of one operation may start in a second with one token. */
  callsPerSecond: number;
}

/** Which service to use, and how. */
export function serviceSettings(): ServiceSettings {
  return {
    sandbox: read('service.sandbox') === true,
    webUrl: v.parse(Text, read('service.webUrl')).trim(),
    openApiUrl: v.parse(Text, read('service.openApiUrl')).trim(),
    allowPlainHttp: read('service.allowPlainHttp') === true,
    callsPerSecond: v.parse(CallsPerSecond, read('service.callsPerSecond')),
  };
}

/** How many receivers one `batch_send` may name. */
export function batchSize(): number {
  return v.parse(BatchSize, read('sending.batchSize'));
}

/** What becomes of front matter beside the block that says how a document is sent. */
export function frontMatter(): 'omit' | 'keep' {
  return v.parse(FrontMatter, read('sending.frontMatter'));
}

/** What a hover may ask the service for. */
export function hoverLookUp(): 'any' | 'known' | 'never' {
  return v.parse(HoverLookUp, read('hover.lookUp'));
}

/** A regular expression, as typed, for words that may be IDs; empty where none may. */
export function idPattern(): string {
  return v.parse(Text, read('ids.pattern'));
}

/** How many seconds after an answer an open history is asked for newer messages; 0 is never. */
export function refreshSeconds(): number {
  return v.parse(RefreshSeconds, read('history.refreshSeconds'));
}

/** The IDs of the chats in whose histories pictures are loaded from where messages say. */
export function picturesIn(): readonly string[] {
  return v.parse(Ids, read('history.picturesIn'));
}

/** Allows pictures in the history of a chat, or forbids them, for this person. */
export async function setPicturesIn(chatId: string, allowed: boolean): Promise<void> {
  const others = picturesIn().filter((id) => id !== chatId);
  const configuration = workspace.getConfiguration(SECTION);
  await configuration.update('history.picturesIn', allowed ? [...others, chatId] : others, true);
}

/** Whether a notification tells of new messages in watched chats. */
export function notifiesOfNews(): boolean {
  return read('watching.notify') === true;
}

/** Writes settings of the service where the person keeps settings of this machine, never in a workspace. */
export async function saveService(values: Partial<ServiceSettings>): Promise<void> {
  const configuration = workspace.getConfiguration(SECTION);
  for (const [name, value] of Object.entries(values)) await configuration.update(`service.${name}`, value, true);
}

/** Calls back when one of these settings changes; a name such as `service` stands for all that begin with it. */
export function onDidChangeSettings(names: readonly string[], listener: () => void): Disposable {
  return workspace.onDidChangeConfiguration((event) => {
    if (names.some((name) => event.affectsConfiguration(`${SECTION}.${name}`))) listener();
  });
}
