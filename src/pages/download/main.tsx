/** Downloads the file that the host sends, and offers to download it again. */
import { render } from 'preact';
import { escapeAllInvisible } from '../../markup/escapeInvisible.ts';
import { type DownloadWords, ToDownloadPage } from '../../protocol/download.ts';
import { connect, readStrings } from '../common/host.ts';

export function showDownload(): void {
  const { downloaded, again } = readStrings<DownloadWords>('words');
  connect(ToDownloadPage, ({ name, bytes, isNew }) => {
    const address = URL.createObjectURL(new Blob([bytes]));
    // Not in the document: VS Code would open the address of a link that is clicked there.
    const download = () => Object.assign(document.createElement('a'), { href: address, download: name }).click();
    render(
      <main class="download">
        <h1 dir="auto">{escapeAllInvisible(name)}</h1>
        <p>{downloaded}</p>
        <button type="button" class="action" onClick={download}>
          {again}
        </button>
      </main>,
      document.body,
    );
    if (isNew) download();
  });
}
