/** Links that run commands for a group, bot or user, or open a message. */
import { Uri } from 'vscode';
import { cardMarkdown, joinCard } from '../markup/safeText.ts';
import { actionsFor, type IdAction } from '../presentation/card.ts';
import { Card, commandLink, l10n } from '../presentation/shown.ts';
import type { LinkInText } from '../protocol/chatLink.ts';
import type { PossibleReference, Reference } from '../service/model.ts';

const PREFIX = 'botChats.';

/** The command of a link: opens the history of a group, or the profile of a bot or user. */
export const followCommand = ({ kind }: Reference) => PREFIX + (kind === 'group' ? 'openHistory' : 'lookUp');

/** The title of {@link followCommand}. */
export const followTitle = ({ kind }: Reference) => (kind === 'group' ? l10n.t('Open History') : l10n.t('Look Up'));

/** The command that opens a link to a chat or a message. */
export const OPEN_LINK = `${PREFIX}openLink`;

/** The title of {@link OPEN_LINK}. */
export const linkTitle = ({ isToMessage }: Pick<LinkInText, 'isToMessage'>) =>
  isToMessage ? l10n.t('Open Message') : l10n.t('Open History');

/** A URI that opens a link in this window. */
export const openLinkUri = (address: string) => commandOf(OPEN_LINK, address);

/** A URI that runs a command for a group, bot or user. */
export function commandUri(command: string, { kind, id }: PossibleReference): Uri {
  return commandOf(command, { kind, id });
}

function commandOf(command: string, argument: unknown): Uri {
  // VS Code decodes command URIs twice.
  const query = encodeURIComponent(JSON.stringify([argument]));
  return Uri.from({ scheme: 'command', path: command, query });
}

/** The actions as links. Separate from the card, whose text isn't trusted. */
export function actionLinks(reference: Reference, isListed: boolean): Card {
  return linksOf(actionsFor(reference, isListed), reference);
}

/** The link that looks up an ID. */
export const lookUpLink = (reference: PossibleReference) =>
  linksOf([{ name: 'lookUp', icon: 'search', label: l10n.t('Look Up') }], reference);

/** Links that run actions on an ID. */
function linksOf(
  actions: readonly (Omit<IdAction, 'name'> & { readonly name: IdAction['name'] | 'lookUp' })[],
  reference: PossibleReference,
): Card {
  const links = actions.map(({ name, icon, label }) => commandLink(icon, label, commandUri(PREFIX + name, reference)));
  return new Card(joinCard(links, cardMarkdown` &nbsp; `), {
    enabledCommands: actions.map(({ name }) => PREFIX + name),
  });
}
