/** Asks for a content type, and for the fields that it requires (contract 2.7). */
import { LRUCache } from 'lru-cache';
import { type Uri, window, workspace } from 'vscode';
import { askInput, listItem, pickOne } from '../../presentation/dialogs.ts';
import { fileName } from '../../presentation/fileDialogs.ts';
import { l10n, type ShownText } from '../../presentation/shown.ts';
import { parseUrl } from '../../service/address.ts';
import type { Outgoing } from '../../service/message.ts';
import { askAnyDocument } from './chooseDocument.ts';
import { contentName, type Draft, type DraftReader } from './draftReader.ts';
import { NO_RULES } from './leaveOut.ts';

type Field = 'fileName' | 'fileUrl' | 'imageKey';
const TYPES = ['markdown', 'text', 'html', 'file', 'image'] as const satisfies readonly Outgoing['contentType'][];

interface FieldOptions {
  prompt: ShownText;
  value?: string | undefined;
  /** Returns what is wrong with the text, if anything is. */
  check(text: string): ShownText | undefined;
}

export class DraftPrompt {
  readonly #reader: DraftReader;
  /** What was last typed for a document, even if the user canceled. */
  readonly #typed = new LRUCache<string, { [F in Field]?: string }>({ max: 50 });

  constructor(reader: DraftReader) {
    this.#reader = reader;
  }

  /** A draft of a document, the open one by default. Undefined if the user cancels. */
  async ask(file?: Uri): Promise<Draft | undefined> {
    const document = file ?? window.activeTextEditor?.document.uri;
    const types = TYPES.map((contentType) =>
      listItem({
        label: contentName(contentType),
        detail: contentType === 'html' ? l10n.t('The service may refuse HTML, or show it differently.') : '',
        contentType,
      }),
    );
    const title = document ? l10n.t('Send “{0}” As', fileName(document)) : l10n.t('Send as Type');
    const type = await pickOne(types, { title, placeHolder: l10n.t('Which type of content?') });
    switch (type?.contentType) {
      case undefined:
        return undefined;
      case 'file':
        return this.#askFile(title, document);
      case 'image':
        return this.#askImage(title, document);
      default: {
        const chosen = document ?? (await askAnyDocument());
        return chosen && this.#reader.draftIn(await workspace.openTextDocument(chosen), type?.contentType);
      }
    }
  }

  async #askFile(title: ShownText, document: Uri | undefined): Promise<Draft | undefined> {
    const name = await this.#askField(title, document, 'fileName', {
      prompt: l10n.t('File name that recipients see'),
      value: document && fileName(document),
      check: (text) => (text ? undefined : l10n.t("A name can't be empty.")),
    });
    if (!name) return undefined;
    const fileUrl = await this.#askField(title, document, 'fileUrl', {
      prompt: l10n.t("URL of the file. The file itself isn't uploaded."),
      check: (text) =>
        /^https?:\/\//i.test(text) && parseUrl(text)
          ? undefined
          : l10n.t('Enter a complete URL that starts with https:// or http://.'),
    });
    if (!fileUrl) return undefined;
    return draftOf(name, document, { contentType: 'file', content: { fileName: name, fileUrl } });
  }

  async #askImage(title: ShownText, document: Uri | undefined): Promise<Draft | undefined> {
    const imageKey = await this.#askField(title, document, 'imageKey', {
      prompt: l10n.t('Image key that the service gave when the image was uploaded'),
      check: (text) => (text ? undefined : l10n.t("A key can't be empty.")),
    });
    return imageKey ? draftOf(imageKey, document, { contentType: 'image', content: { imageKey } }) : undefined;
  }

  async #askField(
    title: ShownText,
    document: Uri | undefined,
    field: Field,
    { prompt, value = '', check }: FieldOptions,
  ): Promise<string | undefined> {
    const key = document?.toString() ?? '';
    const typed = this.#typed.get(key) ?? {};
    this.#typed.set(key, typed);
    const text = await askInput({
      title,
      prompt,
      value: typed[field] ?? value,
      ignoreFocusOut: true,
      validateInput: (now) => {
        // VS Code doesn't say what was typed into a prompt that is canceled, so it's kept as it's typed.
        typed[field] = now;
        return check(now.trim());
      },
    });
    if (text !== undefined) typed[field] = text;
    return text?.trim();
  }
}

const draftOf = (name: string, document: Uri | undefined, message: Outgoing): Draft => ({
  name,
  source: document?.toString(),
  message,
  chats: [],
  rules: NO_RULES,
});
