/** Making the service that the settings name ready to be called. */
import { type AddressProblem, readAddress } from '../service/address.ts';
import { Client, type ClientOptions } from '../service/client.ts';
import { Directory } from '../service/directory.ts';
import { SANDBOX_ADDRESS, type Service } from './service.ts';
import { type SettingName, serviceSettings } from './settings.ts';

/** No service can be opened until the person changes a setting. */
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

/** Opens the sandbox or the service at the two addresses. Rejects with a {@link SetupError}. */
export async function openService(): Promise<Service> {
  const { sandbox, webUrl, openApiUrl } = serviceSettings();
  if (sandbox) return openSandbox();
  const web = readAddress(webUrl, { token: false });
  if ('problem' in web) throw new SetupError('botChats.service.webUrl', web.problem);
  const openApi = readAddress(openApiUrl, { token: true });
  if ('problem' in openApi) throw new SetupError('botChats.service.openApiUrl', openApi.problem);
  return { address: openApi.url, ...clientOf({ webUrl: web.url, openApiUrl: openApi.url }) };
}

async function openSandbox(): Promise<Service> {
  const { createSandbox } = await import('../sandbox/index.ts');
  const sandbox = createSandbox({ origin: 'https://sandbox.invalid' });
  const { groups: group, bots: bot, users: user, webUrl, openApiUrl } = sandbox;
  const fetch: typeof globalThis.fetch = async (input, init) => sandbox.fetch(new Request(input, init));
  return {
    address: SANDBOX_ADDRESS,
    ...clientOf({ webUrl, openApiUrl, fetch }),
    sandbox: { group, bot, user, token: (botId) => sandbox.token(botId) },
  };
}

function clientOf(options: ClientOptions) {
  const client = new Client(options);
  return { client, directory: new Directory(client) };
}
