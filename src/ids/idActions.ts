/** Actions for a group, bot or user, wherever its ID appears. */
import { l10n, MarkdownString, Uri } from 'vscode';
import type { Reference } from '../service/model.ts';

export interface IdAction {
  readonly command: string;
  readonly icon: string;
  readonly label: string;
}

const PREFIX = 'botChats.';

/** The actions, most likely first. A bot has no history of its own and receives no messages. */
export function actionsFor({ kind }: Reference, isListed: boolean): IdAction[] {
  const chat = [
    { command: 'openHistory', icon: 'comment-discussion', label: l10n.t('Open History') },
    { command: 'send', icon: 'send', label: l10n.t('Send…') },
  ];
  return [
    ...(kind === 'bot' ? [] : chat),
    { command: 'copyId', icon: 'copy', label: l10n.t('Copy ID') },
    ...(isListed ? [] : [{ command: 'addToSidebar', icon: 'add', label: l10n.t('Add to Sidebar') }]),
  ].map((action) => ({ ...action, command: PREFIX + action.command }));
}

/** The command of a link: opens the history of a group, or the profile of a bot or user. */
export const followCommand = ({ kind }: Reference) => PREFIX + (kind === 'group' ? 'openHistory' : 'lookUp');

/** The title of {@link followCommand}. */
export const followTitle = ({ kind }: Reference) => (kind === 'group' ? l10n.t('Open History') : l10n.t('Look Up'));

/** A URI that runs a command for a group, bot or user. */
export function commandUri(command: string, { kind, id }: Reference): Uri {
  // VS Code decodes command URIs twice.
  const query = encodeURIComponent(JSON.stringify([{ kind, id }]));
  return Uri.from({ scheme: 'command', path: command, query });
}

/** The actions as links. Separate from the card, whose text isn't trusted. */
export function actionLinks(reference: Reference, isListed: boolean): MarkdownString {
  const actions = actionsFor(reference, isListed);
  const links = actions.map(({ command, icon, label }) => `[$(${icon}) ${label}](${commandUri(command, reference)})`);
  // biome-ignore lint/plugin: only links; the IDs in them are encoded.
  const markdown = new MarkdownString(links.join(' &nbsp; '), true);
  markdown.isTrusted = { enabledCommands: actions.map(({ command }) => command) };
  return markdown;
}
