/** The service and the token that a delivery needs. */
import type { Access } from '../../connecting/contract.ts';
import type { Host } from '../../platform/host.ts';
import type { Service } from '../../platform/service.ts';
import { serviceName } from '../../presentation/describe.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import { l10n } from '../../presentation/shown.ts';
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

/** No token is saved for the bot of a delivery. */
export class MissingTokenError extends UserFacingError {}

export const missingToken = ({ bot }: Delivery) =>
  new MissingTokenError(l10n.t('No token is saved for {0}.', bot.name));

/** The service and the saved token of a delivery. Asks for nothing. @throws UserFacingError if they're missing */
export async function savedAccessOf(
  delivery: Delivery,
  { connection, tokens }: Pick<Host, 'connection' | 'tokens'>,
): Promise<{ service: Service; token: string }> {
  const openService = async () => ((await connection.state()) === 'none' ? undefined : connection.open());
  const service = await serviceOf(delivery, { openService });
  if (!service) throw new UserFacingError(l10n.t("You're not connected to a service yet."));
  const token = await tokens.get(service, delivery.bot.id);
  if (token === undefined) throw missingToken(delivery);
  return { service, token };
}

/** Like {@link savedAccessOf}, but asks for a missing service or token. Undefined if the user cancels. @throws UserFacingError */
export async function accessTo(
  delivery: Delivery,
  host: Pick<Host, 'access' | 'tokens'>,
): Promise<{ service: Service; token: string } | undefined> {
  const service = await serviceOf(delivery, host.access);
  const token = service && (await tokenFor(delivery.bot.id, service, host));
  return service && token !== undefined ? { service, token } : undefined;
}

/** The service of a delivery: message and token go to no other service. @throws UserFacingError */
export async function serviceOf(
  { service: address }: Delivery,
  access: Pick<Access, 'openService'>,
): Promise<Service | undefined> {
  const service = await access.openService();
  if (!service || service.address === address) return service;
  throw new UserFacingError(
    l10n.t('This delivery belongs to {0}. Connect to that service to continue.', serviceName(address)),
  );
}
