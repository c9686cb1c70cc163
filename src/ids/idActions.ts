/** What can be done with a group, bot or user, wherever its ID is met. */
import { l10n, MarkdownString, Uri } from 'vscode';
import type { Reference } from '../service/model.ts';

export interface IdAction {
  readonly command: string;
  readonly icon: string;
  readonly label: string;
}

const PREFIX = 'botChats.';

/** The actions for one, the most likely one first. A bot has neither a history of its own nor receives messages. */
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

/** What following an ID does: it opens the history of a group, and the profile of anybody else. */
export const followCommand = ({ kind }: Reference) => PREFIX + (kind === 'group' ? 'openHistory' : 'lookUp');

/** The same in words. */
export const followTitle = ({ kind }: Reference) => (kind === 'group' ? l10n.t('Open History') : l10n.t('Look Up'));

/** The address by which VS Code runs a command for one. */
export function commandUri(command: string, { kind, id }: Reference): Uri {
  // VS Code decodes it once more than other addresses.
  const query = encodeURIComponent(JSON.stringify([{ kind, id }]));
  return Uri.from({ scheme: 'command', path: command, query });
}

/** The actions as links. Apart from the card, whose text is not trusted. */
export function actionLinks(reference: Reference, isListed: boolean): MarkdownString {
  const actions = actionsFor(reference, isListed);
  const links = actions.map(({ command, icon, label }) => `[$(${icon}) ${label}](${commandUri(command, reference)})`);
  // biome-ignore lint/plugin: links are what it is for; an ID in them is encoded.
  const markdown = new MarkdownString(links.join(' &nbsp; '), true);
  markdown.isTrusted = { enabledCommands: actions.map(({ command }) => command) };
  return markdown;
}
