import { l10n, type QuickInputButton, ThemeIcon } from 'vscode';

/** What can be done with a whole audience. */
export type AudienceAction = 'send' | 'rename' | 'exportCsv' | 'remove';

export interface ActionButton extends QuickInputButton {
  readonly action: AudienceAction;
}

export const actionButtons = (): ActionButton[] => [
  { action: 'send', iconPath: new ThemeIcon('send'), tooltip: l10n.t('Send…') },
  { action: 'rename', iconPath: new ThemeIcon('edit'), tooltip: l10n.t('Rename…') },
  { action: 'exportCsv', iconPath: new ThemeIcon('export'), tooltip: l10n.t('Export as CSV…') },
  removeButton(),
];

/** Also for an audience that can't be read. */
export const removeButton = (): ActionButton => ({
  action: 'remove',
  iconPath: new ThemeIcon('trash'),
  tooltip: l10n.t('Delete'),
});
