/** The service and the token that a delivery needs. */
import { l10n } from 'vscode';
import type { Access, Host } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';
import { serviceName } from '../presentation/describe.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import type { Delivery } from './record.ts';

/** A bot's token. Asks for it if none is saved; undefined if the user cancels. */
export async function tokenFor(
  botId: string,
  service: Service,
  { access, tokens }: Pick<Host, 'access' | 'tokens'>,
): Promise<string | undefined> {
  const saved = await tokens.get(service, botId);
  return saved ?? ((await access.setToken(service, botId)) && tokens.get(service, botId));
}

/** The service of a delivery: its message and its token go to no other. @throws UserFacingError */
export async function serviceOf({ service: address }: Delivery, access: Access): Promise<Service | undefined> {
  const service = await access.openService();
  if (!service || service.address === address) return service;
  throw new UserFacingError(
    l10n.t('This delivery belongs to {0}. Connect to that service to continue.', serviceName(address)),
  );
}
