/** Connecting to a service, or to the sandbox. */
import { l10n } from 'vscode';
import { truncate } from '../markup/escapeInvisible.ts';
import { isBrowser } from '../platform/node.ts';
import type { Settings } from '../platform/settings.ts';
import { askCheckedInput } from '../presentation/dialogs.ts';
import { addressProblem, errorText, quote } from '../presentation/errorText.ts';
import { readAddress } from '../service/address.ts';
import { isFailure } from '../service/errors.ts';
import { type ProbeOptions, probeBotOperations, probeLookups } from '../service/probe.ts';

/** How much of a response fits below an input, in characters. */
const EXCERPT = 80;

/** Asks for the two addresses of a service, tries each, and saves them. Resolves to false if the user cancels. */
export async function connect(settings: Settings): Promise<boolean> {
  const saved = settings.service;
  const webUrl = await askAddress({
    title: l10n.t('Connect to Your Service (1 of 2)'),
    prompt: l10n.t('Lookup API URL (web_url)'),
    value: saved.webUrl,
    use: { token: false },
    probe: probeLookups,
  });
  if (webUrl === undefined) return false;
  const openApiUrl = await askAddress({
    title: l10n.t('Connect to Your Service (2 of 2)'),
    prompt: l10n.t('Bot API URL (open_api_url). Bot tokens are sent only to this address.'),
    value: saved.openApiUrl,
    use: { token: true, allowPlainHttp: saved.allowPlainHttp },
    probe: probeBotOperations,
  });
  if (openApiUrl === undefined) return false;
  await settings.saveService({ webUrl, openApiUrl, sandbox: false });
  return true;
}

/** Uses the sandbox as the service. Addresses that were set stay. */
export function useSandbox(settings: Settings): Promise<void> {
  return settings.saveService({ sandbox: true });
}

interface AddressQuestion {
  title: string;
  prompt: string;
  value: string;
  use: Parameters<typeof readAddress>[1];
  /** Rejects unless the service answers at the address. */
  probe(address: string, options: ProbeOptions): Promise<void>;
}

async function askAddress({ use, probe, ...question }: AddressQuestion): Promise<string | undefined> {
  const entered = await askCheckedInput({
    ...question,
    placeholder: 'https://',
    validate: (text) => {
      const read = readAddress(text, use);
      return 'problem' in read ? l10n.t("This address can't be used. {0}", addressProblem(read.problem)) : undefined;
    },
    check: async (text, signal) => {
      const read = readAddress(text, use);
      return 'url' in read
        ? probe(read.url, { signal, inBrowser: isBrowser() }).then(() => undefined, addressWarning)
        : undefined;
    },
  });
  if (entered === undefined) return undefined;
  const read = readAddress(entered, use);
  return 'url' in read ? read.url : undefined;
}

/** What answers at an address instead of the service. */
function addressWarning(error: unknown): string {
  if (isFailure(error, 'notEnvelope', 'http')) {
    const { status, excerpt } = error.failure;
    return l10n.t(
      "This isn't the service: it returned HTTP status {0} ({1}).",
      status,
      quote(truncate(excerpt, EXCERPT)),
    );
  }
  return errorText(error);
}
