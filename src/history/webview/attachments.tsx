/** Messages that bring a picture or a file (contract 2.7). */
import { useState } from 'preact/hooks';
import type { Message } from '../../service/message.ts';
import { labels, say, tell } from './host.ts';
import { webAddress } from './links.ts';
import { sizeText } from './numbers.ts';
import { Address } from './text.tsx';
import { brief, visible } from './visible.ts';

type Content = Message['content'];

/** As high as a picture is shown (pixels). */
const HEIGHT = 320;

export function Image({ content, pictures }: { content: Content; pictures: boolean }) {
  const [isBroken, setBroken] = useState<string>();
  const { imageKey, imageUrl = '', imageName } = content;
  const address = webAddress(imageUrl);
  if (pictures && address && isBroken !== address) {
    return (
      <figure class="picture">
        <Address address={address}>
          <img
            {...sizeOf(content)}
            src={address}
            alt={imageName ? brief(imageName) : labels.image}
            loading="lazy"
            referrerpolicy="no-referrer"
            onError={() => setBroken(address)}
          />
        </Address>
        {imageName && (
          <figcaption>
            <bdi>{brief(imageName)}</bdi>
          </figcaption>
        )}
      </figure>
    );
  }
  return (
    <div class="card">
      <bdi class="card-title">{imageName ? `${labels.image} · ${brief(imageName)}` : labels.image}</bdi>
      {imageUrl && <Address address={imageUrl} />}
      {imageKey && <Key value={imageKey} />}
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
    tell({ type: 'copy', text: value });
    setCopied(true);
  };
  return (
    <span class="key">
      <code>{say('imageKey', brief(value))}</code>
      <button type="button" class="link" onClick={copy}>
        {labels.copy}
      </button>
      <span role="status">{isCopied && labels.copied}</span>
    </span>
  );
}

export function File({ content: { fileName, fileUrl, fileSize } }: { content: Content }) {
  const size = fileSize === undefined ? '' : sizeText(fileSize);
  return (
    <div class="card file">
      <span class="card-title">
        {labels.file}
        {size && ` · ${size}`}
      </span>
      {fileName && <bdi class="file-name">{visible(fileName)}</bdi>}
      {fileUrl && <Address address={fileUrl} />}
    </div>
  );
}
