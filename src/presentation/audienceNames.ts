/** The names of audiences, which may be any text. */
import { l10n } from 'vscode';
import { AUDIENCES, MAX_MEMBERS } from '../platform/audiences.ts';
import { singleLineName } from './describe.ts';
import { formatCount } from './formats.ts';

/** The name of an audience as it is shown. */
export const audienceName = (name: string) => singleLineName(name) || JSON.stringify(name);

/** Why a typed name can't be used, or undefined. `taken` holds the names of the other audiences. */
export function audienceNameProblem(text: string, taken: ReadonlySet<string> = new Set()): string | undefined {
  const name = text.trim();
  if (!name) return l10n.t("A name can't be empty.");
  if (/[\r\n\v\f\u0085\u2028\u2029]/.test(name)) return l10n.t('A name must be on one line.');
  // VS Code loses a key of this name when it reads the settings.
  if (name === '__proto__') return l10n.t("“{0}” can't be a name.", name);
  return taken.has(name) ? l10n.t('An audience named “{0}” already exists.', audienceName(name)) : undefined;
}

/** Says that an audience has entries that aren't IDs. */
export const unreadableText = () => l10n.t("This audience can't be read. Check the setting {0}.", AUDIENCES);

/** Says that recipients are too many for an audience. */
export const tooManyText = () => l10n.t('An audience can have up to {0} recipients.', formatCount(MAX_MEMBERS));
