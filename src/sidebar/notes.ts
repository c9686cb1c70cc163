/** Notes shown among the rows, each with a command. */
import { Uri } from 'vscode';
import { LIST_NAMES } from '../platform/idLists.ts';
import { ABOUT_CORS, errorText } from '../presentation/errorText.ts';
import { entriesText } from '../presentation/formats.ts';
import { l10n, type ShownText } from '../presentation/shown.ts';
import { ABOUT_KEYRINGS, isInBrowser, lossText } from '../presentation/tokenState.ts';
import type { Kind } from '../service/model.ts';
import type { NoteNode, ReferenceNode } from './nodes.ts';
import type { ChatRow } from './rows.ts';

/** The command that adds rows to a section. */
const ADD_COMMANDS = { group: 'botChats.addGroup', bot: 'botChats.addBot', user: 'botChats.addPerson' } as const;

export function emptyNote(kind: Kind): NoteNode {
  const texts: Record<Kind, ShownText> = {
    group: l10n.t('Add a group…'),
    bot: l10n.t('Add a bot…'),
    user: l10n.t('Add a person…'),
  };
  const title = texts[kind];
  return { type: 'note', text: title, icon: 'add', command: { command: ADD_COMMANDS[kind], title } };
}

export function invalidEntriesNote(kind: Kind, unusable: readonly unknown[]): NoteNode {
  return {
    type: 'note',
    text: l10n.t('Invalid IDs in the settings: {0}', entriesText(unusable)),
    icon: 'warning',
    command: settings(LIST_NAMES[kind]),
  };
}

export function setUpNote(): NoteNode {
  return { type: 'note', text: l10n.t('Open Settings'), icon: 'gear', command: settings('service') };
}

export function noTokenNote(): NoteNode {
  const command = { command: 'botChats.setToken', title: l10n.t('Set Bot Token…') };
  return { type: 'note', text: l10n.t('Set a bot token to read and send messages…'), icon: 'key', command };
}

/** Says that saved tokens are gone. With one bot, the note asks for the token of that bot. */
export function lostTokenNote([botId, ...others]: readonly string[]): NoteNode {
  const title = l10n.t('Set Bot Token…');
  const command = { command: 'botChats.setToken', title };
  return {
    type: 'note',
    text: l10n.t('Set your bot token again: {0}', lossText()),
    icon: 'key',
    command: others.length === 0 ? { ...command, arguments: [{ id: botId }] } : command,
  };
}

/** Says that all lookups failed because the service can't be reached. */
export function outageNote(error: unknown): NoteNode {
  const command = { command: 'botChats.refresh', title: l10n.t('Refresh') };
  return { type: 'note', text: l10n.t('Try again: {0}', errorText(error)), icon: 'debug-disconnect', command };
}

export function changeAddressNote(): NoteNode {
  const title = l10n.t('Change Address…');
  return { type: 'note', text: title, icon: 'gear', command: { command: 'botChats.connect', title } };
}

/** What a service must answer to be called from browsers. */
export const aboutBrowsersNote = () => linkNote(ABOUT_CORS);

/** Leads to how VS Code keeps tokens. Only a desktop can be given a keyring. */
export const aboutKeyringsNotes = () => (isInBrowser() ? [] : [linkNote(ABOUT_KEYRINGS)]);

function linkNote(address: string): NoteNode {
  const title = l10n.t('Learn More');
  const command = { command: 'vscode.open', title, arguments: [Uri.parse(address)] };
  return { type: 'note', text: title, icon: 'info', command };
}

/** Says why one row couldn't be looked up. */
export function errorNote(parent: ChatRow | ReferenceNode, error: unknown): NoteNode {
  const command = { command: 'botChats.retry', title: l10n.t('Refresh'), arguments: [parent] };
  return { type: 'note', parent, text: errorText(error), icon: 'warning', command };
}

function settings(name: string): NoteNode['command'] {
  const title = l10n.t('Open Settings');
  return { command: 'workbench.action.openSettings', title, arguments: [`botChats.${name}`] };
}
