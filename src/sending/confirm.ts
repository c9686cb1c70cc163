/** The last question before a message goes out. */
import { l10n, window } from 'vscode';
import type { Outgoing } from '../service/message.ts';
import type { Service } from '../workbench/service.ts';
import type { Draft } from './draft.ts';
import type { Delivery } from './outbox/record.ts';
import type { Kept } from './outbox/store.ts';
import type { Recipient } from './plan.ts';

const NAMES_SHOWN = 12;
const TEXT_SHOWN = 600;

export interface Question {
  draft: Draft;
  /** What tells its message from others. */
  digest: string;
  bot: { id: string; name: string };
  recipients: readonly Recipient[];
  service: Service;
  /** All deliveries so far, the newest first. */
  before: readonly Kept[];
  /** Those of the recipients who may have got this message from an earlier delivery. */
  uncertain: readonly Recipient[];
}

/**
 * Shows what will be sent, by whom and to whom. The first answer, which Enter takes, leads back to the recipients, so
 * that no stray key sends anything.
 */
export async function confirm({ draft, bot, recipients, uncertain }: Question): Promise<'send' | 'back' | 'cancel'> {
  const groups = recipients.filter(({ type }) => type === 'group').length;
  const title = l10n.t('Send “{0}” as {1} to {2}?', draft.name, bot.name, amount(groups, recipients.length - groups));
  const back = l10n.t('Change Recipients');
  const send = l10n.t('Send');
  const doubtful = recipients.filter(({ type, id }) => uncertain.some((one) => one.type === type && one.id === id));
  const warning =
    doubtful.length > 0 ? [l10n.t('{0} of them may have got this message already.', doubtful.length)] : [];
  const detail = [...warning, names(recipients), beginning(draft.message)].join('\n\n');
  const chosen = await window.showWarningMessage(title, { modal: true, detail }, back, send);
  return chosen === send ? 'send' : chosen === back ? 'back' : 'cancel';
}

/** Asks whether to go on with a delivery; here, too, the first answer sends nothing. */
export async function confirmResume(
  { name, bot }: Delivery,
  recipients: readonly Recipient[],
): Promise<'resume' | 'report' | 'cancel'> {
  const groups = recipients.filter(({ type }) => type === 'group').length;
  const title = l10n.t(
    'Go on sending “{0}” as {1} to {2}?',
    name,
    bot.name,
    amount(groups, recipients.length - groups),
  );
  const detail = [l10n.t('None of them has got it from this delivery.'), names(recipients)].join('\n\n');
  const report = l10n.t('Open Report');
  const resume = l10n.t('Resume');
  const chosen = await window.showWarningMessage(title, { modal: true, detail }, report, resume);
  return chosen === resume ? 'resume' : chosen === report ? 'report' : 'cancel';
}

function amount(groups: number, users: number): string {
  if (users === 0) return groups === 1 ? l10n.t('1 group') : l10n.t('{0} groups', groups);
  if (groups === 0) return users === 1 ? l10n.t('1 person') : l10n.t('{0} people', users);
  return l10n.t('{0} chats (groups: {1}, people: {2})', groups + users, groups, users);
}

function names(recipients: readonly Recipient[]): string {
  const shown = recipients.slice(0, NAMES_SHOWN).map(({ name, id }) => (name === id ? id : `${name} (${id})`));
  const more = recipients.length - shown.length;
  const lines = shown.map((line) => `• ${line}`);
  return [l10n.t('To:'), ...lines, ...(more > 0 ? [l10n.t('… and {0} more', more)] : [])].join('\n');
}

function beginning({ contentType, content }: Outgoing): string {
  if (!('text' in content)) return `${contentType}: ${'imageKey' in content ? content.imageKey : content.fileName}`;
  const trimmed = content.text.trim();
  const shown = trimmed.length > TEXT_SHOWN ? `${trimmed.slice(0, TEXT_SHOWN)}…` : trimmed;
  return `${l10n.t('{0}, {1} characters:', contentType, content.text.length)}\n${shown}`;
}
