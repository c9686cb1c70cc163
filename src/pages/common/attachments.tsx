/** Images, files and other media (contract 2.7). */
import { useState } from 'preact/hooks';
import { escapeAllInvisible, excerpt } from '../../markup/escapeInvisible.ts';
import { formatFileSize, type Media, mediaOf } from '../../markup/media.ts';
import { systemClock } from '../../service/clock.ts';
import type { Message } from '../../service/message.ts';
import { formatLabel, labels, postToHost } from './host.ts';
import { Address } from './text.tsx';

type Content = Message['content'];

/** In pixels. */
const MAX_IMAGE_HEIGHT = 320;

/** A thumbnail that opens the image, or a card if it isn't loaded. */
export function Image({ message, loadImages }: { message: Message; loadImages: boolean }) {
  const [brokenAddress, setBrokenAddress] = useState<string>();
  const { content } = message;
  const media = mediaOf(message, systemClock.wall());
  const { name = '', address = '', isExpired } = media ?? {};
  if (loadImages && address && !isExpired && brokenAddress !== address) {
    const alt = name ? excerpt(name) : labels.image;
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
            title={formatLabel('openImage', alt)}
            aria-label={formatLabel('openImage', alt)}
            onClick={() => postToHost({ type: 'openImage', key: message.msgId })}
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
      <bdi class="card-title">{name ? `${labels.image} · ${excerpt(name)}` : labels.image}</bdi>
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
    postToHost({ type: 'copy', text: value });
    setCopied(true);
  };
  return (
    <span class="key">
      <code>{formatLabel('key', excerpt(value))}</code>
      <button type="button" class="link" onClick={copy}>
        {labels.copy}
      </button>
      <span role="status">{isCopied && labels.copied}</span>
    </span>
  );
}

/** A file, video, audio or sticker: its title and link. Nothing is loaded. */
export function Attachment({ message }: { message: Message }) {
  const { contentType, content } = message;
  const media = mediaOf(message, systemClock.wall());
  if (!media) return null;
  const size = formatFileSize(content.fileSize, document.documentElement.lang);
  const title = [titleOf(contentType), media.duration, size].filter(Boolean).join(' · ');
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

function titleOf(contentType: string): string {
  switch (contentType) {
    case 'video':
      return labels.video;
    case 'audio':
      return labels.audio;
    case 'expression':
      return labels.expression;
    default:
      return labels.file;
  }
}

function MediaLink({ media: { localName, address, isExpired } }: { media: Media }) {
  if (isExpired) return <span class="card-title">{labels.expired}</span>;
  return <>{(address || localName) && <Address address={address || localName} />}</>;
}

/** An ID of 0 means none. */
function StickerIds({ content }: { content: Content }) {
  const ids = (['expressionId', 'stickerId', 'stickerPackId'] as const).flatMap((field) => {
    const id = content[field];
    return id && id !== '0' ? [formatLabel(field, excerpt(id))] : [];
  });
  return <>{ids.length > 0 && <bdi class="card-title">{ids.join(' · ')}</bdi>}</>;
}
