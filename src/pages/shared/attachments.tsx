/** Messages that bring a picture, a file (contract 2.7) or something else that has a name and an address. */
import { useState } from 'preact/hooks';
import { escapeInvisible, excerpt } from '../../markup/escapeInvisible.ts';
import { formatFileSize, type Media, mediaOf } from '../../markup/media.ts';
import type { Message } from '../../service/message.ts';
import { formatLabel, labels, postToHost } from './host.ts';
import { Address } from './text.tsx';

type Content = Message['content'];

/** As high as a picture is shown (pixels). */
const HEIGHT = 320;

export function Image({ message, pictures }: { message: Message; pictures: boolean }) {
  const [isBroken, setBroken] = useState<string>();
  const { content } = message;
  const media = mediaOf(message, Date.now());
  const { name = '', address = '', isExpired } = media ?? {};
  if (pictures && address && !isExpired && isBroken !== address) {
    return (
      <figure class="picture">
        <Address address={address}>
          <img
            {...sizeOf(content)}
            src={address}
            alt={name ? excerpt(name) : labels.image}
            loading="lazy"
            referrerpolicy="no-referrer"
            onError={() => setBroken(address)}
          />
        </Address>
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
      {media && <Whereabouts media={media} />}
      {content.imageKey && <Key value={content.imageKey} />}
    </div>
  );
}

/** The room that a picture takes, before it comes and after. */
function sizeOf({ imageWidth: width = 0, imageHeight: height = 0 }: Content) {
  const isSize = (pixels: number) => pixels >= 1 && pixels <= 100_000;
  if (!isSize(width) || !isSize(height)) return {};
  const scale = Math.min(1, HEIGHT / height);
  // The ratio as it was told: a picture that turns out otherwise fits into that room and moves nothing.
  const style = { width: `${Math.ceil(width * scale)}px`, aspectRatio: `${width} / ${height}` };
  return { width: Math.round(width), height: Math.round(height), style };
}

function Key({ value }: { value: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    postToHost({ type: 'copy', text: value });
    setCopied(true);
  };
  return (
    <span class="key">
      <code>{formatLabel('imageKey', excerpt(value))}</code>
      <button type="button" class="link" onClick={copy}>
        {labels.copy}
      </button>
      <span role="status">{isCopied && labels.copied}</span>
    </span>
  );
}

/** A file, a video, an audio or a sticker: what it is, and where it lies. Nothing of it is loaded. */
export function Attachment({ message }: { message: Message }) {
  const { contentType, content } = message;
  const media = mediaOf(message, Date.now());
  if (!media) return null;
  const size = formatFileSize(content.fileSize, document.documentElement.lang);
  const title = [titleOf(contentType), media.duration, size].filter(Boolean).join(' · ');
  return (
    <div class="card file">
      <span class="card-title">{title}</span>
      {media.name && <bdi class="file-name">{escapeInvisible(media.name)}</bdi>}
      <Whereabouts media={media} />
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

function Whereabouts({ media: { localName: bareName, address, isExpired } }: { media: Media }) {
  if (isExpired) return <span class="card-title">{labels.expired}</span>;
  return <>{(address || bareName) && <Address address={address || bareName} />}</>;
}

/** An ID of 0 names nothing. */
function StickerIds({ content }: { content: Content }) {
  const told = (['expressionId', 'stickerId', 'stickerPackId'] as const).flatMap((field) => {
    const id = content[field];
    return id && id !== '0' ? [formatLabel(field, excerpt(id))] : [];
  });
  return <>{told.length > 0 && <bdi class="card-title">{told.join(' · ')}</bdi>}</>;
}
