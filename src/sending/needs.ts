/** What sending needs of the rest, and how it asks for it. */
import { l10n, type Memento } from 'vscode';
import type { DeliveryStatus } from '../outbox/deliveryStatus.ts';
import type { Outbox, OutboxEntry } from '../outbox/outbox.ts';
import type { Delivery } from '../outbox/record.ts';
import { DamagedError } from '../outbox/recordFiles.ts';
import type { Service } from '../platform/service.ts';
import type { Tokens } from '../platform/tokens.ts';
import { serviceName } from '../presentation/describe.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import type { Chat } from '../service/model.ts';

export interface SendingNeeds {
  readonly tokens: Tokens;
  /** Kept over restarts: who got which document the last time. */
  readonly memory: Memento;
  readonly outbox: Outbox;
  openService(): Promise<Service | undefined>;
  /** The bot to send as; undefined when the person stepped back. */
  chooseBot(service: Service, title: string): Promise<string | undefined>;
  /** Asks for the token of a bot and saves it; undefined when the person stepped back. */
  setToken(service: Service, botId: string): Promise<string | undefined>;
  /** Told of every chat that a message may have come into. */
  delivered(service: Service, chats: readonly Chat[]): Promise<void>;
  /** Opens the history of a chat as a bot reads it. */
  openHistory(chat: Chat, botId: string): Promise<unknown>;
  /** Opens the report of a delivery for reading, under this name. */
  showReport(name: string, id: string): Promise<void>;
}

/** The token of a bot. Where there is none it is asked for; undefined when the person stepped back. */
export async function tokenOf(
  botId: string,
  service: Service,
  { tokens, setToken }: SendingNeeds,
): Promise<string | undefined> {
  const saved = await tokens.get(service, botId);
  return saved ?? ((await setToken(service, botId)) && tokens.get(service, botId));
}

/** The service that a delivery is of: its message and its token go to no other. @throws UserFacingError */
export async function serviceOf({ service: address }: Delivery, needs: SendingNeeds): Promise<Service | undefined> {
  const service = await needs.openService();
  if (!service || service.address === address) return service;
  throw new UserFacingError(
    l10n.t('This delivery belongs to {0}. Connect to that service to go on with it.', serviceName(address)),
  );
}

/** A delivery of the outbox. @throws UserFacingError where it is not there or cannot be read */
export async function storedOf(id: string, { outbox }: Pick<SendingNeeds, 'outbox'>): Promise<OutboxEntry> {
  const stored = await outbox.get(id).catch((error) => {
    throw new UserFacingError(unreadableText(error));
  });
  if (!stored) throw new UserFacingError(l10n.t('This delivery is no longer in the outbox.'));
  return stored;
}

/** What is written down of a delivery. @throws UserFacingError */
export async function statusOf(id: string, needs: Pick<SendingNeeds, 'outbox'>): Promise<DeliveryStatus> {
  return (await storedOf(id, needs)).status;
}

/** Why a delivery of the outbox cannot be read. */
export function unreadableText(error: unknown): string {
  if (error instanceof DamagedError) return l10n.t("This delivery can't be read: its file is damaged.");
  return l10n.t("This delivery can't be read ({0}).", error instanceof Error ? error.message : String(error));
}
