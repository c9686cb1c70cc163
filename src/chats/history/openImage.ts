/** Opens an image of a message in VS Code's image viewer, from a copy in the extension's storage folder. */
import delay from 'delay';
import { commands, Uri, workspace } from 'vscode';
import { downloadImage, type Image, ImageError, type ImageProblem } from '../../directory/imageDownload.ts';
import { fileNameIn, type Media } from '../../markup/media.ts';
import { hexDigest } from '../../platform/durableFiles.ts';
import { isBrowser } from '../../platform/node.ts';
import { showProgress, signalOf } from '../../presentation/dialogs.ts';
import { errorText, UserFacingError } from '../../presentation/errorText.ts';
import { safeFileName } from '../../presentation/fileDialogs.ts';
import { askAboutError } from '../../presentation/showError.ts';
import { l10n, type ShownText } from '../../presentation/shown.ts';
import { systemClock } from '../../service/clock.ts';
import { isFailure } from '../../service/errors.ts';
import { shorten } from '../../service/truncate.ts';

/** File extensions by media type: what the image viewer shows. */
const EXTENSIONS = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
  ['image/bmp', 'bmp'],
]);
const MAX_BYTES = 20_000_000;
/** How long a download may take, in milliseconds. */
const TIMEOUT = 30_000;
/** How long a download takes before its progress is shown, in milliseconds. */
const PATIENCE = 500;
/** How long a copy is kept, in milliseconds. Images may be private. */
const MAX_AGE = 24 * 3_600_000;

export interface OpenImageOptions {
  /** The extension's storage folder. */
  storage: Uri;
  signal: AbortSignal;
  fetch?: typeof globalThis.fetch;
}

/** Opens an image. Resolves when it's open, or the user has dismissed the error. */
export async function openImage(media: Media, { storage, signal, fetch = globalThis.fetch }: OpenImageOptions) {
  const { address, isExpired } = media;
  try {
    if (isExpired) throw new UserFacingError(l10n.t('This link has expired.'));
    const image = await downloadPatiently(address, fetch, signal);
    const file = Uri.joinPath(folderOf(storage), await fileNameOf(media, image));
    await workspace.fs.writeFile(file, image.bytes);
    if (!signal.aborted) await commands.executeCommand('vscode.open', file);
  } catch (error) {
    if (isFailure(error, 'cancelled')) return;
    const isChosen = await askAboutError(error, imageErrorText(error), l10n.t('Open in Browser'));
    // The address stays a string, because a Uri would re-encode it.
    if (isChosen) await commands.executeCommand('vscode.open', address);
  }
}

/** Deletes old copies. `now` is Unix ms. Rejects with the first failure, after all were tried. */
export async function deleteOldImages(storage: Uri, now = systemClock.wall()): Promise<void> {
  const folder = folderOf(storage);
  const files = await workspace.fs.readDirectory(folder).then(undefined, () => []);
  const deletions = files.map(async ([name]) => {
    const file = Uri.joinPath(folder, name);
    const { mtime } = await workspace.fs.stat(file);
    if (now - mtime > MAX_AGE) await workspace.fs.delete(file);
  });
  await Promise.allSettled(deletions);
  await Promise.all(deletions);
}

const folderOf = (storage: Uri) => Uri.joinPath(storage, 'images');

/** Shows progress, which can be canceled, once the download takes long. */
async function downloadPatiently(address: string, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<Image> {
  const abort = new AbortController();
  const loading = downloadImage(address, {
    fetch,
    signal: AbortSignal.any([signal, abort.signal]),
    maxBytes: MAX_BYTES,
    timeout: TIMEOUT,
    types: [...EXTENSIONS.keys()],
  });
  const first = await Promise.race([loading, delay(PATIENCE, { value: 'slow' as const })]);
  if (first !== 'slow') return first;
  return showProgress(l10n.t('Downloading image'), (_, token) => {
    signalOf(token).addEventListener('abort', () => abort.abort());
    return loading;
  });
}

/** The name of the image, and a part that tells it from others with this name. */
async function fileNameOf({ name, address }: Media, { type }: Image): Promise<string> {
  const base = safeFileName((name || fileNameIn(address)).replace(/\.\w{1,5}$/, '')) || 'image';
  return `${base}-${(await hexDigest(address)).slice(0, 8)}.${EXTENSIONS.get(type)}`;
}

function imageErrorText(error: unknown): ShownText {
  if (error instanceof ImageError) return problemText(error.problem);
  if (isFailure(error, 'timedOut')) return l10n.t("The image host didn't respond within {0} seconds.", TIMEOUT / 1000);
  // Whether an error is how `fetch` fails.
  if (error instanceof TypeError) {
    return isBrowser()
      ? l10n.t(
          "The image host can't be reached, redirects to another address, or doesn't let other sites' pages read its images.",
        )
      : l10n.t("The image host can't be reached, or redirects to another address.");
  }
  return errorText(error);
}

function problemText(problem: ImageProblem): ShownText {
  switch (problem.kind) {
    case 'address':
      return l10n.t('Only images at https: addresses can be opened here.');
    case 'status':
      return [403, 404, 410].includes(problem.status)
        ? l10n.t('The image is no longer available, or its link has expired (HTTP status {0}).', problem.status)
        : l10n.t('The image host returned HTTP status {0}.', problem.status);
    case 'type':
      return l10n.t("VS Code can't show this type of image ({0}).", shorten(problem.type, 100) || l10n.t('unknown'));
    case 'tooLarge':
      return l10n.t('The image is larger than {0} MB.', MAX_BYTES / 1e6);
    case 'empty':
      return l10n.t('The image host returned no content.');
  }
}
