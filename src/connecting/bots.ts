/** Choosing a bot, and saving or removing its token. */
import { l10n } from 'vscode';
import { listOf } from '../platform/listSettings.ts';
import type { Service } from '../platform/service.ts';
import type { Tokens } from '../platform/tokens.ts';
import { displayName, KIND_ICONS, serviceName } from '../presentation/describe.ts';
import { askInput, type ListItem, pickOne, safeLabel, showInfo, showWarning } from '../presentation/dialogs.ts';
import { isIdentifier } from '../service/fields.ts';

interface BotItem extends ListItem {
  botId: string;
}

/**
 * The bot to act as: `preferred` where that has a token, the only one that has, or the person's choice. Where none has
 * a token, one is asked for. Undefined when the person stepped back.
 */
export async function chooseBot(
  service: Service,
  tokens: Tokens,
  title: string,
  preferred?: string,
): Promise<string | undefined> {
  const bots = await tokens.bots(service);
  if (preferred && bots.includes(preferred)) return preferred;
  if (bots.length > 1) return pick(items(service, bots), title);
  return bots[0] ?? askForFirstToken(service, tokens);
}

/** Asks for a bot and its token and saves it. Resolves to the bot's ID; undefined when the person stepped back. */
export async function setToken(service: Service, tokens: Tokens, bot?: string): Promise<string | undefined> {
  const title = l10n.t('Set Bot Token');
  const botId = bot ?? (await askBot(service, tokens, title));
  if (!botId) return undefined;
  const token = await askInput({
    title,
    prompt: l10n.t(
      'Token of the bot {0}. It is kept in the secret storage and sent to {1} only.',
      botId,
      serviceName(service.address),
    ),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() ? undefined : l10n.t('A token cannot be empty.')),
  });
  if (!token?.trim()) return undefined;
  await tokens.set(service, botId, token);
  void showInfo(l10n.t('The token of the bot {0} is saved.', botId));
  return botId;
}

/** Asks which saved token to remove, and removes it. */
export async function removeToken(service: Service, tokens: Tokens): Promise<void> {
  const saved = await tokens.saved(service);
  if (saved.length === 0) {
    void showInfo(l10n.t('No bot token is saved for {0}.', serviceName(service.address)));
    return;
  }
  const botId = await pick(items(service, saved), l10n.t('Remove Bot Token'));
  if (!botId) return;
  await tokens.remove(service, botId);
  void showInfo(l10n.t('The token of the bot {0} is removed.', botId));
}

async function askForFirstToken(service: Service, tokens: Tokens): Promise<string | undefined> {
  const set = l10n.t('Set Bot Token…');
  const chosen = await showWarning(
    l10n.t('No bot token is saved for {0}. Reading and sending need one.', serviceName(service.address)),
    set,
  );
  return chosen === set ? setToken(service, tokens) : undefined;
}

/** A configured bot, or any other whose ID is typed. */
async function askBot(service: Service, tokens: Tokens, title: string): Promise<string | undefined> {
  const listed = listOf('bot', service).entries.map(({ id }) => id);
  const configured = [...listed, ...(await tokens.bots(service))];
  if (configured.length > 0) {
    const other: BotItem = { label: safeLabel(l10n.t('Another bot…'), 'edit'), botId: '' };
    const known = items(service, [...new Set(configured)]);
    const botId = await pick(
      known.then((bots) => [...bots, other]),
      title,
    );
    if (botId !== '') return botId;
  }
  const typed = await askInput({
    title,
    prompt: l10n.t('ID of the bot'),
    ignoreFocusOut: true,
    validateInput: (text) => (isIdentifier(text.trim()) ? undefined : l10n.t('Type or paste one ID.')),
  });
  return typed?.trim();
}

/** Bots as items with their names; one that cannot be looked up is shown by its ID. */
function items({ directory }: Service, botIds: readonly string[]): Promise<BotItem[]> {
  return Promise.all(
    botIds.map((botId) =>
      directory.get('bot', botId).then(
        (found) => ({ label: safeLabel(displayName(found), KIND_ICONS.bot), description: safeLabel(botId), botId }),
        () => ({ label: safeLabel(botId, KIND_ICONS.bot), botId }),
      ),
    ),
  );
}

/** The list shows at once, busy while the names are looked up. */
async function pick(choices: Promise<BotItem[]>, title: string): Promise<string | undefined> {
  return (await pickOne(choices, { title, matchOnDescription: true }))?.botId;
}
