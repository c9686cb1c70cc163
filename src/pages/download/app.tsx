/** Downloads the file that the host sends, and offers to download it again. */
import { render } from 'preact';
import { escapeAllInvisible } from '../../markup/escapeInvisible.ts';
import { ToDownloadPage } from '../../protocol/download.ts';
import { connect, l10n } from '../common/host.ts';

export function showDownload(): void {
  connect(ToDownloadPage, ({ name, bytes, isNew }) => {
    const address = URL.createObjectURL(new Blob([bytes]));
    // The link isn't in the document: VS Code would open the address of a link that is clicked there.
    const download = () => Object.assign(document.createElement('a'), { href: address, download: name }).click();
    render(
      <main class="download">
        <h1 dir="auto">{escapeAllInvisible(name)}</h1>
        <p>{l10n.t("The browser has saved this file with its downloads. If it hasn't, download it again.")}</p>
        <button type="button" class="action" onClick={download}>
          {l10n.t('Download Again')}
        </button>
      </main>,
      document.body,
    );
    if (isNew) download();
  });
}
