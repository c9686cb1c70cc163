/** The HTML around a page: its policy, its assets and its words. Knows neither VS Code nor a browser. */
import type { Labels } from '../protocol/history.ts';

export interface PageParts {
  /** A BCP 47 tag. */
  readonly language: string;
  /** Fresh for every page: nothing else lets a script or a style in. */
  readonly nonce: string;
  /** Which of the built pages. */
  readonly page: 'history' | 'preview';
  readonly labels: Labels;
  /** What else the page finds in itself, by the ID of the element that it stands in. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether pictures may be loaded from the web. */
  readonly pictures: boolean;
  /** The address of a file of the built page, by its name. */
  asset(name: string): string;
}

/** A page that may run its own scripts and styles and load nothing else, unless it is pictures that are allowed. */
export function webviewHtml({ language, nonce, page, labels, data, pictures, asset }: PageParts): string {
  // strict-dynamic lets the page's script load its own lazy parts, and trusts no host.
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'nonce-${nonce}'`,
    ...(pictures ? ['img-src https: http: data:'] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  // A preview looks like the history, and has a few things more.
  const styles = [...new Set(['history', page])].map(
    (name) => `<link rel="stylesheet" nonce="${attribute(nonce)}" href="${attribute(asset(`${name}.css`))}">`,
  );
  const embedded = Object.entries({ ...data, labels, options: { pictures } }).map(
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
    ${[...styles, ...embedded].join('\n    ')}
  </head>
  <body>
    <script type="module" nonce="${attribute(nonce)}" src="${attribute(asset(`${page}.js`))}"></script>
  </body>
</html>`;
}

/** JSON that cannot end the script element it stands in. */
const json = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

const attribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
