/** Asks for confirmation before a message is sent. */
import { l10n } from 'vscode';
import type { Draft } from '../drafts/draft.ts';
import { contentName } from '../drafts/draft.ts';
import type { Recipient } from '../outbox/batches.ts';
import type { OutboxEntry, UnreadableEntry } from '../outbox/outbox.ts';
import type { Delivery } from '../outbox/record.ts';
import type { Service } from '../platform/service.ts';
import { KIND_ICONS, singleLineName, toSingleLine } from '../presentation/describe.ts';
import { askModal, type ListItem, pickOne, safeLabel } from '../presentation/dialogs.ts';
import { formatCount, formatTimestamp } from '../presentation/formats.ts';
import type { Outgoing } from '../service/message.ts';
import { TimeSlices } from '../service/timeSlices.ts';
import { findWarnings, type Warning } from './warnings.ts';

/** A dialog that is higher than the window loses its beginning. */
const MAX_NAMES = 8;
const MAX_CHARACTERS = 300;
const MAX_LINES = 10;
const MAX_GROUPS = 3;

export interface Confirmation {
  draft: Draft;
  /** Identifies the message. */
  digest: string;
  bot: { id: string; name: string };
  recipients: readonly Recipient[];
  service: Service;
  /** All deliveries so far, newest first. */
  earlier: readonly (OutboxEntry | UnreadableEntry)[];
  /** Recipients that may have received this message in an earlier delivery. */
  uncertain: readonly Recipient[];
}

/** Shows the message, its bot and its recipients. The default button goes back to the recipients, so Enter never sends. */
export async function confirm(confirmation: Confirmation): Promise<'send' | 'back' | 'cancel'> {
  const { draft, bot, recipients, service } = confirmation;
  const groups = recipients.filter(({ type }) => type === 'group').length;
  const to = countText(groups, recipients.length - groups);
  const title = l10n.t('Send “{0}” as {1} to {2}?', singleLineName(draft.name), singleLineName(bot.name), to);
  const back = l10n.t('Change Recipients');
  const send = l10n.t('Send');
  const all = l10n.t('Show All');
  const membersOf = (groupId: string) => {
    const found = service.directory.peek('group', groupId);
    return found?.kind === 'group' ? found.resource.headcount : undefined;
  };
  const warnings = await findWarnings({ ...confirmation, address: service.address, membersOf });
  const warningLines = warnings.map((warning) => `⚠ ${warningText(warning)}`);
  const by = l10n.t('Bot: {0} ({1})', singleLineName(bot.name), singleLineName(bot.id));
  const detail = [warningLines.join('\n'), by, recipientsText(recipients), contentText(draft.message)]
    .filter(Boolean)
    .join('\n\n');
  const buttons = [back, send, ...(recipients.length > MAX_NAMES ? [all] : [])];
  for (;;) {
    const chosen = await askModal(title, detail, ...buttons);
    if (chosen !== all) return chosen === send ? 'send' : chosen === back ? 'back' : 'cancel';
    await showAll(recipients);
  }
}

/** Asks whether to resume a delivery. The default button sends nothing. */
export async function confirmResume(
  { name, bot }: Delivery,
  recipients: readonly Recipient[],
): Promise<'resume' | 'report' | 'cancel'> {
  const groups = recipients.filter(({ type }) => type === 'group').length;
  const to = countText(groups, recipients.length - groups);
  const title = l10n.t('Resume sending “{0}” as {1} to {2}?', singleLineName(name), singleLineName(bot.name), to);
  const detail = [l10n.t('No one below has received it yet.'), recipientsText(recipients)].join('\n\n');
  const report = l10n.t('Open Report');
  const resume = l10n.t('Resume');
  const chosen = await askModal(title, detail, report, resume);
  return chosen === resume ? 'resume' : chosen === report ? 'report' : 'cancel';
}

function countText(groups: number, users: number): string {
  if (users === 0) return groups === 1 ? l10n.t('1 group') : l10n.t('{0} groups', formatCount(groups));
  if (groups === 0) return users === 1 ? l10n.t('1 person') : l10n.t('{0} people', formatCount(users));
  return l10n.t(
    '{0} chats (groups: {1}, people: {2})',
    formatCount(groups + users),
    formatCount(groups),
    formatCount(users),
  );
}

function recipientsText(recipients: readonly Recipient[]): string {
  const shown = recipients
    .slice(0, MAX_NAMES)
    .map(({ name, id }) => (name === id ? singleLineName(id) : `${singleLineName(name)} (${singleLineName(id)})`));
  const more = recipients.length - shown.length;
  const lines = shown.map((line) => `• ${line}`);
  return [l10n.t('To:'), ...lines, ...(more > 0 ? [l10n.t('… and {0} more', formatCount(more))] : [])].join('\n');
}

/** Lists all recipients for reading and searching. Resolves when the list is closed. */
async function showAll(recipients: readonly Recipient[]): Promise<void> {
  const slices = new TimeSlices();
  const items: ListItem[] = [];
  for (const { type, id, name } of recipients) {
    items.push({ label: safeLabel(name, KIND_ICONS[type]), description: safeLabel(name === id ? '' : id) });
    if (slices.isOver) await slices.pause();
  }
  const title = l10n.t('All Recipients');
  const placeHolder = l10n.t('Press Enter or Escape to go back');
  await pickOne(items, { title, placeHolder, matchOnDescription: true, ignoreFocusOut: true });
}

function warningText(warning: Warning): string {
  switch (warning.kind) {
    case 'manyRecipients':
      return l10n.t('Large number of recipients: {0}.', formatCount(warning.count));
    case 'largeGroups': {
      const more = warning.groups.length - MAX_GROUPS;
      const shown = warning.groups.slice(0, MAX_GROUPS).map(singleLineName);
      const list = [...shown, ...(more > 0 ? [l10n.t('… and {0} more', formatCount(more))] : [])].join(', ');
      return l10n.t('Large number of members: {0}, in {1}.', formatCount(warning.members), list);
    }
    case 'changed':
      return l10n.t('The text has changed since this document was last sent: {0}.', timeText(warning.at));
    case 'alreadySent':
      return l10n.t(
        'This message was already sent to {0} of them: {1}.',
        formatCount(warning.count),
        timeText(warning.at),
      );
    case 'uncertain':
      return warning.count === 1
        ? l10n.t('1 recipient may already have this message.')
        : l10n.t('{0} recipients may already have this message.', formatCount(warning.count));
    case 'unreadable':
      return warning.count === 1
        ? l10n.t("1 delivery in the outbox can't be read. It may have sent this message before.")
        : l10n.t(
            "{0} deliveries in the outbox can't be read. They may have sent this message before.",
            formatCount(warning.count),
          );
    case 'undocumented':
      return l10n.t('The service may refuse HTML, or show it differently.');
  }
}

const timeText = (ms: number) => formatTimestamp(ms / 1000, Date.now(), '');

function contentText(message: Outgoing): string {
  const { contentType, content } = message;
  const kind = contentName(contentType);
  const buttons = (content.buttons ?? []).flat().map(({ text }) => `[${singleLineName(text)}]`);
  const size = 'text' in content && l10n.t('{0}, {1} characters:', kind, formatCount(content.text.length));
  return `${size || `${kind}:`}\n${quote([...linesOf(message), ...(buttons.length > 0 ? [buttons.join(' ')] : [])])}`;
}

function linesOf({ content }: Outgoing): string[] {
  if ('imageKey' in content) return [truncate(content.imageKey)];
  if ('fileUrl' in content) return [content.fileName, content.fileUrl].map(truncate);
  const lines = truncate(content.text.trim()).split('\n').filter(toSingleLine);
  return lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), '…'] : lines;
}

const truncate = (text: string) => (text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text);

/** Puts a bar before each line of the message, so that none can pass for a part of the dialog. */
const quote = (lines: readonly string[]) => lines.map((line) => `│ ${toSingleLine(line)}`).join('\n');
