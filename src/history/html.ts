/** The HTML around the history page: its policy, its assets and its words. Knows neither VS Code nor a browser. */
import type { Labels, Place } from './protocol.ts';

export interface PageParts {
  /** A BCP 47 tag. */
  readonly language: string;
  /** Fresh for every page: nothing else lets a script or a style in. */
  readonly nonce: string;
  readonly place: Place;
  readonly labels: Labels;
  /** Whether pictures may be loaded from the web. */
  readonly pictures: boolean;
  /** The address of a file of the built page, by its name. */
  asset(name: string): string;
}

/** A page that may run its own scripts and styles and load nothing else, unless it is pictures that are allowed. */
export function htmlOf({ language, nonce, place, labels, pictures, asset }: PageParts): string {
  // strict-dynamic lets the page's script load its own lazy parts, and trusts no host.
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'nonce-${nonce}'`,
    ...(pictures ? ['img-src https: http: data:'] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${attribute(language)}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
    <meta name="referrer" content="no-referrer">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" nonce="${attribute(nonce)}" href="${attribute(asset('history.css'))}">
    <script type="application/json" id="place">${json(place)}</script>
    <script type="application/json" id="labels">${json(labels)}</script>
    <script type="application/json" id="options">${json({ pictures })}</script>
  </head>
  <body>
    <script type="module" nonce="${attribute(nonce)}" src="${attribute(asset('history.js'))}"></script>
  </body>
</html>`;
}

/** JSON that cannot end the script element it stands in. */
const json = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

const attribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
