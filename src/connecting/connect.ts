/** Connecting to a service, or to the sandbox. */
import { l10n } from 'vscode';
import type { Settings } from '../platform/settings.ts';
import { askInput } from '../presentation/dialogs.ts';
import { addressProblem } from '../presentation/errorText.ts';
import { readAddress } from '../service/address.ts';

/** Asks for the two addresses of a service and saves them. Resolves to false if the user cancels. */
export async function connect(settings: Settings): Promise<boolean> {
  const saved = settings.service;
  const webUrl = await askAddress({
    title: l10n.t('Connect to Your Service (1 of 2)'),
    prompt: l10n.t('Lookup API URL (web_url)'),
    value: saved.webUrl,
    use: { token: false },
  });
  if (webUrl === undefined) return false;
  const openApiUrl = await askAddress({
    title: l10n.t('Connect to Your Service (2 of 2)'),
    prompt: l10n.t('Bot API URL (open_api_url). Bot tokens are sent only to this address.'),
    value: saved.openApiUrl,
    use: { token: true, allowPlainHttp: saved.allowPlainHttp },
  });
  if (openApiUrl === undefined) return false;
  await settings.saveService({ webUrl, openApiUrl, sandbox: false });
  return true;
}

/** Uses the sandbox as the service. Addresses that were set stay. */
export function useSandbox(settings: Settings): Promise<void> {
  return settings.saveService({ sandbox: true });
}

interface Ask {
  title: string;
  prompt: string;
  value: string;
  use: Parameters<typeof readAddress>[1];
}

async function askAddress({ title, prompt, value, use }: Ask): Promise<string | undefined> {
  const given = await askInput({
    title,
    prompt,
    value,
    placeHolder: 'https://',
    ignoreFocusOut: true,
    validateInput: (text) => {
      const read = readAddress(text, use);
      return 'problem' in read ? l10n.t("This address can't be used. {0}", addressProblem(read.problem)) : undefined;
    },
  });
  if (given === undefined) return undefined;
  const read = readAddress(given, use);
  return 'url' in read ? read.url : undefined;
}
