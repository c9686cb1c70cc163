/** Images, files and other media (contract 2.7). */
import { useState } from 'preact/hooks';
import { escapeAllInvisible, excerpt } from '../../markup/escapeInvisible.ts';
import { formatFileSize, type Media } from '../../markup/media.ts';
import { mediaOf } from '../../markup/messageContent.ts';
import { systemClock } from '../../service/clock.ts';
import type { Message } from '../../service/message.ts';
import { kindName } from './formats.ts';
import { l10n, request } from './host.ts';
import { Address } from './text.tsx';

type Content = Message['content'];

/** The largest thumbnail, in pixels. */
const MAX_IMAGE_HEIGHT = 320;

/** A thumbnail that opens the image, or a card if the image may not be loaded. */
export function Image({ message, open }: { message: Message; open: (() => void) | undefined }) {
  const [brokenAddress, setBrokenAddress] = useState<string>();
  const { content } = message;
  const media = mediaOf(message, systemClock.wall());
  const { name = '', address = '', isExpired } = media ?? {};
  if (open && address && !isExpired && brokenAddress !== address) {
    const alt = name ? excerpt(name) : l10n.t('Image');
    const thumbnail = (
      <img
        {...sizeOf(content)}
        src={address}
        alt={alt}
        loading="lazy"
        referrerpolicy="no-referrer"
        onError={() => setBrokenAddress(address)}
      />
    );
    return (
      <figure class="picture">
        {/^https:/i.test(address) ? (
          <button
            type="button"
            class="thumbnail"
            title={l10n.t('Open {0} in VS Code', alt)}
            aria-label={l10n.t('Open {0} in VS Code', alt)}
            onClick={open}
          >
            {thumbnail}
          </button>
        ) : (
          <Address address={address}>{thumbnail}</Address>
        )}
        {name && (
          <figcaption>
            <bdi>{excerpt(name)}</bdi>
          </figcaption>
        )}
      </figure>
    );
  }
  return (
    <div class="card">
      <bdi class="card-title">{name ? `${l10n.t('Image')} · ${excerpt(name)}` : l10n.t('Image')}</bdi>
      {media && <MediaLink media={media} />}
      {media?.key && <MediaKey value={media.key} />}
    </div>
  );
}

/** The size of an image, reserved before it loads. */
function sizeOf({ imageWidth: width = 0, imageHeight: height = 0 }: Content) {
  const isSize = (pixels: number) => pixels >= 1 && pixels <= 100_000;
  if (!isSize(width) || !isSize(height)) return {};
  const scale = Math.min(1, MAX_IMAGE_HEIGHT / height);
  // Uses the declared ratio: an image with another one is fitted in, so that the layout doesn't shift.
  const style = { width: `${Math.ceil(width * scale)}px`, aspectRatio: `${width} / ${height}` };
  return { width: Math.round(width), height: Math.round(height), style };
}

function MediaKey({ value }: { value: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    request({ type: 'copy', text: value });
    setCopied(true);
  };
  return (
    <span class="key">
      <code>{l10n.t('Key: {0}', excerpt(value))}</code>
      <button type="button" class="link" onClick={copy}>
        {l10n.t('Copy')}
      </button>
      <span role="status">{isCopied && l10n.t('Copied')}</span>
    </span>
  );
}

/** A file, video, audio or sticker: its title and link. Nothing is loaded. */
export function Attachment({ message }: { message: Message }) {
  const { contentType, content } = message;
  const media = mediaOf(message, systemClock.wall());
  if (!media) return null;
  const size = formatFileSize(content.fileSize, document.documentElement.lang);
  const title = [kindName(contentType), media.duration, size].filter(Boolean).join(' · ');
  return (
    <div class="card file">
      <span class="card-title">{title}</span>
      {media.name && <bdi class="file-name">{escapeAllInvisible(media.name)}</bdi>}
      <MediaLink media={media} />
      {media.key && <MediaKey value={media.key} />}
      {contentType === 'expression' && <StickerIds content={content} />}
    </div>
  );
}

function MediaLink({ media: { localName, address, isExpired } }: { media: Media }) {
  if (isExpired) return <span class="card-title">{l10n.t('This link has expired.')}</span>;
  return <>{(address || localName) && <Address address={address || localName} />}</>;
}

/** An ID of 0 means none. */
function StickerIds({ content }: { content: Content }) {
  const { expressionId, stickerId, stickerPackId } = content;
  const idText = (text: (id: string) => string, id = '0') => (id && id !== '0' ? [text(excerpt(id))] : []);
  const ids = [
    ...idText((id) => l10n.t('Expression ID: {0}', id), expressionId),
    ...idText((id) => l10n.t('Sticker ID: {0}', id), stickerId),
    ...idText((id) => l10n.t('Sticker pack ID: {0}', id), stickerPackId),
  ];
  return <>{ids.length > 0 && <bdi class="card-title">{ids.join(' · ')}</bdi>}</>;
}
