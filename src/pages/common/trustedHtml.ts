/** The only way of HTML into a page, whose policy lets nothing else in: see `webviewHtml.ts`. */
import type { Html } from '../../markup/safeText.ts';

/** Trusted Types, in browsers that know them. The policy lets no script be loaded by its address. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML(html: string): string; createScriptURL(address: string): string },
  ): {
    createHTML(html: string): unknown;
    createScriptURL(address: string): unknown;
  };
}

export const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('bot-chats', {
  createHTML: (html) => html,
  createScriptURL: (address) => {
    throw new TypeError(`A page loads no script from ${address}`);
  },
});

/** HTML as Preact sets it. */
export const trustedHtml = (html: Html) => (policy?.createHTML(html) ?? html) as string;
