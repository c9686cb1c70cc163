/** Drafts of any kind of content: the person chooses the kind, and gives what it needs (contract 2.7). */
import { l10n, type Uri, window, workspace } from 'vscode';
import { askInput, pickOne, safeLabel } from '../presentation/dialogs.ts';
import type { Outgoing } from '../service/message.ts';
import { contentName } from './contentNames.ts';
import type { Draft } from './draft.ts';
import { askFile, draftIn, fileName } from './draftSource.ts';

type Field = 'fileName' | 'fileUrl' | 'imageKey';
const TYPES = ['markdown', 'text', 'html', 'file', 'image'] as const satisfies readonly Outgoing['contentType'][];

/** What was typed for a document the last time, whatever became of it. */
const typed = new Map<string, { [F in Field]?: string }>();

/** The draft of a document, the open one unless told, as the person wants it; undefined when they stepped back. */
export async function askDraft(file?: Uri): Promise<Draft | undefined> {
  const document = file ?? window.activeTextEditor?.document.uri;
  const kinds = TYPES.map((contentType) => ({
    label: safeLabel(contentName(contentType)),
    detail: safeLabel(contentType === 'html' ? l10n.t('What it may hold is not documented.') : ''),
    contentType,
  }));
  const title = document ? l10n.t('Send {0} As', fileName(document)) : l10n.t('Send As');
  const kind = await pickOne(kinds, { title, placeHolder: l10n.t('Which kind of content?') });
  switch (kind?.contentType) {
    case undefined:
      return undefined;
    case 'file':
      return askFileDraft(title, document);
    case 'image':
      return askImageDraft(title, document);
    default: {
      const chosen = document ?? (await askFile(l10n.t('Send which file?'), {}));
      return chosen && draftIn(await workspace.openTextDocument(chosen), kind?.contentType);
    }
  }
}

async function askFileDraft(title: string, document: Uri | undefined): Promise<Draft | undefined> {
  const name = await ask(title, document, 'fileName', {
    prompt: l10n.t('Name of the file, as its receivers see it'),
    value: document && fileName(document),
    check: (text) => (text ? undefined : l10n.t('A name cannot be empty.')),
  });
  if (!name) return undefined;
  const fileUrl = await ask(title, document, 'fileUrl', {
    prompt: l10n.t('Address of the file. The service takes an address: nothing is uploaded.'),
    check: (text) =>
      /^https?:\/\//i.test(text) && URL.canParse(text)
        ? undefined
        : l10n.t('It must be a complete address that begins with https:// or http://.'),
  });
  if (!fileUrl) return undefined;
  return draftOf(name, document, { contentType: 'file', content: { fileName: name, fileUrl } });
}

async function askImageDraft(title: string, document: Uri | undefined): Promise<Draft | undefined> {
  const imageKey = await ask(title, document, 'imageKey', {
    prompt: l10n.t('Key of the image. It comes from an upload operation of the service, which is not documented.'),
    check: (text) => (text ? undefined : l10n.t('A key cannot be empty.')),
  });
  return imageKey ? draftOf(imageKey, document, { contentType: 'image', content: { imageKey } }) : undefined;
}

const draftOf = (name: string, document: Uri | undefined, message: Outgoing): Draft => ({
  name,
  source: document?.toString(),
  message,
  chats: [],
});

/** Asks for a field; `check` says what is wrong with it. */
async function ask(
  title: string,
  document: Uri | undefined,
  field: Field,
  {
    prompt,
    value = '',
    check,
  }: { prompt: string; value?: string | undefined; check(text: string): string | undefined },
): Promise<string | undefined> {
  const key = document?.toString() ?? '';
  const kept = typed.get(key) ?? {};
  typed.set(key, kept);
  const text = await askInput({
    title,
    prompt,
    value: kept[field] ?? value,
    ignoreFocusOut: true,
    validateInput: (now) => {
      // Escape tells nobody what was typed.
      kept[field] = now;
      return check(now.trim());
    },
  });
  if (text !== undefined) kept[field] = text;
  return text?.trim();
}
