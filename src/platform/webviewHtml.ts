/** The HTML of a webview: its content security policy, assets and data. Imports neither VS Code nor DOM types. */
import type { PageOptions } from '../protocol/page.ts';

export interface PageParts {
  /** The display language, as a BCP 47 tag. */
  readonly language: string;
  /** A random text for every page: only scripts and styles with this nonce are allowed. */
  readonly nonce: string;
  readonly page: PageOptions['page'];
  /** The translations into the display language, by the English text; undefined in English. */
  readonly translations: Readonly<Record<string, string>> | undefined;
  /** More data for the page, by the ID of the element that holds it. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The built modules that `page.js` imports: all are fetched at once, not one after the other. */
  readonly modules: readonly string[];
  /** Whether remote images may be loaded. */
  readonly allowsImages: boolean;
  /** The URL of a built file. */
  asset(name: string): string;
}

/** A page that may load only its own scripts and styles, avatars from `data:`, and remote images if they are allowed. */
export function webviewHtml({
  language,
  nonce,
  page,
  translations,
  data,
  modules,
  allowsImages,
  asset,
}: PageParts): string {
  // strict-dynamic lets the page's script load its own chunks, and trusts no host.
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'nonce-${nonce}'`,
    `img-src ${allowsImages ? 'https: http: ' : ''}data:`,
    "base-uri 'none'",
    "form-action 'none'",
    // HTML that isn't made by `pages/common/trustedHtml.ts` throws instead of being shown.
    "require-trusted-types-for 'script'",
    'trusted-types bot-chats',
  ].join('; ');
  const styles = ['page', page].map(
    (name) => `<link rel="stylesheet" nonce="${attribute(nonce)}" href="${attribute(asset(`${name}.css`))}">`,
  );
  const preloads = modules.map(
    (name) => `<link rel="modulepreload" nonce="${attribute(nonce)}" href="${attribute(asset(name))}">`,
  );
  const options: PageOptions = { page, pictures: allowsImages };
  const embedded = Object.entries({ ...data, translations: translations ?? null, options }).map(
    ([id, value]) => `<script type="application/json" id="${id}">${json(value)}</script>`,
  );
  return `<!DOCTYPE html>
<html lang="${attribute(language)}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
    <meta name="referrer" content="no-referrer">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Bot Chats</title>
    ${[...styles, ...preloads, ...embedded].join('\n    ')}
  </head>
  <body>
    <script type="module" nonce="${attribute(nonce)}" src="${attribute(asset('page.js'))}"></script>
  </body>
</html>`;
}

/** A value as JSON that can't end the script element around it. */
const json = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

const attribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
