/** The only way of HTML into a page, whose policy lets nothing else in: see `webviewHtml.ts`. */
import type { Html } from '../../markup/safeText.ts';

/** In browsers that know Trusted Types. No script may have an address of others. */
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

/** What Preact sets as inner HTML. */
export const trustedHtml = (html: Html) => (policy?.createHTML(html) ?? html) as string;
