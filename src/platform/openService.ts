/** Opens the service from the settings. */
import type { LogOutputChannel } from 'vscode';
import { Directory } from '../directory/directory.ts';
import { type AddressProblem, readAddress } from '../service/address.ts';
import { Client, type ClientOptions } from '../service/client.ts';
import { onDidChangeSettings, type SettingName } from './configuration.ts';
import { directoryFile } from './directoryFile.ts';
import type { DurableFiles } from './durableFiles.ts';
import { LIST_NAMES } from './idLists.ts';
import type { ListSettings } from './listSettings.ts';
import { isBrowser } from './node.ts';
import { SANDBOX_ADDRESS, type Service } from './service.ts';
import type { Settings } from './settings.ts';

/** A setting is missing or invalid. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
  readonly setting: SettingName;
  readonly problem: AddressProblem;

  constructor(setting: SettingName, problem: AddressProblem) {
    super(`${setting}: ${problem}`);
    this.setting = setting;
    this.problem = problem;
  }
}

/** Where directory entries are saved, what the user calls them, and where failures are logged. */
export interface DirectoryStorage {
  files: DurableFiles;
  lists: Pick<ListSettings, 'labels'>;
  log: LogOutputChannel;
}

/** Opens the sandbox or the service at the two addresses. @throws SetupError */
export async function openService(settings: Pick<Settings, 'service'>, storage: DirectoryStorage): Promise<Service> {
  const { sandbox, webUrl, openApiUrl, allowPlainHttp, callsPerSecond } = settings.service;
  if (sandbox) return openSandbox(storage);
  const web = readAddress(webUrl, { token: false });
  if ('problem' in web) throw new SetupError('botChats.service.webUrl', web.problem);
  const openApi = readAddress(openApiUrl, { token: true, allowPlainHttp });
  if ('problem' in openApi) throw new SetupError('botChats.service.openApiUrl', openApi.problem);
  const options = {
    webUrl: web.url,
    openApiUrl: openApi.url,
    callsPerSecond,
    inBrowser: isBrowser(),
    // A delivery goes on with this service when the setting changes, so each request asks.
    allowPlainHttp: () => settings.service.allowPlainHttp,
  };
  return { address: openApi.url, ...(await clientOf(options, storage)) };
}

async function openSandbox(storage: DirectoryStorage): Promise<Service> {
  const { createSandbox } = await import('../sandbox/index.ts');
  const sandbox = createSandbox({ origin: 'https://sandbox.invalid', replies: true });
  const { groups: group, bots: bot, users: user, webUrl, openApiUrl } = sandbox;
  const fetch: typeof globalThis.fetch = async (input, init) => sandbox.fetch(new Request(input, init));
  return {
    address: SANDBOX_ADDRESS,
    ...(await clientOf({ webUrl, openApiUrl, fetch }, storage)),
    sandbox: { group, bot, user, token: (botId) => sandbox.token(botId) },
  };
}

async function clientOf(options: ClientOptions, { files, lists, log }: DirectoryStorage) {
  const file = await directoryFile(options.webUrl, files, log);
  const client = new Client(options);
  const directory = new Directory(client, { cached: await file.read() });
  const name = () => directory.setLabels(lists.labels());
  name();
  const naming = onDidChangeSettings(Object.values(LIST_NAMES), name);
  const stopSaving = file.save(directory);
  const close = () => {
    naming.dispose();
    directory.dispose();
    return stopSaving();
  };
  return { client, directory, close };
}
