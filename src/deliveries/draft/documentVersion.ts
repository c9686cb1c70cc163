/** Which version of a document this is: a diff and the timeline show others, under the same name. */
import * as v from 'valibot';
import { l10n, type TextDocument } from 'vscode';
import { escapeAllInvisible, excerpt } from '../../markup/escapeInvisible.ts';
import { fileName } from '../../presentation/fileDialogs.ts';
import { isEditable } from '../../presentation/textEditors.ts';

type Addressed = Pick<TextDocument, 'uri'>;

/** What VS Code's Git extension puts into addresses. */
const GitQuery = v.pipe(v.string(), v.parseJson(), v.object({ ref: v.string() }));

/** The name of a document, with its version if it isn't the current one. */
export function documentName({ uri }: Addressed): string {
  const version = gitVersion({ uri });
  return version === undefined ? fileName(uri) : l10n.t('{0} ({1})', fileName(uri), version);
}

/** That a document isn't the current one; empty if it is. */
export function versionText(document: Addressed): string {
  if (isEditable(document)) return '';
  const version = gitVersion(document);
  return version === undefined
    ? l10n.t('This document is read-only and may be an earlier version.')
    : l10n.t('This is the version {0}, not the current one.', version);
}

function gitVersion({ uri: { scheme, query } }: Addressed): string | undefined {
  const parsed = scheme === 'git' ? v.safeParse(GitQuery, query) : undefined;
  if (!parsed?.success) return undefined;
  const { ref } = parsed.output;
  // As VS Code calls them in titles.
  if (ref === '' || ref === '~') return l10n.t('Index');
  return excerpt(ref.replace(/^([0-9a-f]{8})[0-9a-f]{32}/, '$1'), 60, escapeAllInvisible);
}
