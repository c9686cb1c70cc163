/** The extension host, seen from a page: messages, embedded data, opening links. */
import * as v from 'valibot';
import { parseWebAddress } from '../../markup/links.ts';
import type { FromDownloadPage } from '../../protocol/download.ts';
import type { FromPage } from '../../protocol/history.ts';
import { PageOptions } from '../../protocol/page.ts';
import type { FromPreview } from '../../protocol/preview.ts';
import type { FromRepliesPage } from '../../protocol/replies.ts';
import type { FromReportPage } from '../../protocol/report.ts';
import type { FromSearchPage } from '../../protocol/search.ts';
import type { FromStatisticsPage } from '../../protocol/statistics.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

export const host = acquireVsCodeApi();

export const { page: pageName, pictures: loadImages } = v.parse(PageOptions, readEmbedded('options'));

/** The translations into the display language, by the English text. Many: a schema for each would take milliseconds. */
const translations = v.parse(v.custom<Record<string, string>>(areTexts), readEmbedded('translations') ?? {});

/** As `l10n` of VS Code, whose translations the host has embedded in the page. */
export const l10n = {
  /** An English text in the display language, with `{0}`, `{1}`… replaced by values. */
  t: (text: string, ...values: (string | number)[]) =>
    (translations[text] ?? text).replace(/\{(\d)\}/g, (place, index) => String(values[index] ?? place)),
};

function areTexts(all: unknown): boolean {
  return Object.values(all ?? {}).every((one) => typeof one === 'string');
}

/** Receives what the host posts, which fills the page as soon as it's told that the page is ready. */
export function connect<To>(
  schema: v.GenericSchema<unknown, To>,
  receive: (message: To) => void,
  ready: { readonly reading?: string; readonly timeZone?: string } = {},
): void {
  addEventListener('message', ({ data }) => receive(v.parse(schema, data)));
  keepFocus();
  host.postMessage({ type: 'ready', ...ready });
}

/**
 * Gives the focus back to what had it. VS Code focuses the frame around a page first, often once more after the page has loaded.
 * Where a button is gone that was pressed, what is around it gets the focus: keys would lead nowhere. Only while the page has
 * the focus: it isn't taken from an editor.
 */
function keepFocus(): void {
  /** What had the focus last, and what that is in, the innermost first. */
  let last: EventTarget[] = [];
  document.addEventListener('focusin', (event) => {
    last = event.composedPath();
  });
  const takesFocus = (one: EventTarget, index: number) =>
    one instanceof HTMLElement && one.isConnected && (index === 0 || one.matches('[tabindex]'));
  const giveBack = () => {
    if (last.length === 0 || document.activeElement !== document.body || !document.hasFocus()) return;
    const heir = last.find(takesFocus) ?? document.querySelector('main');
    if (heir instanceof HTMLElement) heir.focus({ preventScroll: true });
  };
  addEventListener('focus', giveBack);
  const isGone = () => last[0] instanceof Node && !last[0].isConnected;
  new MutationObserver(() => isGone() && giveBack()).observe(document.body, { subtree: true, childList: true });
}

/** Acts as soon as the page is the part of VS Code that has the focus: it may be shown beside what the user types in. */
export function onceFocused(act: () => void): void {
  if (document.hasFocus()) act();
  else addEventListener('focus', act, { once: true });
}

export function postToHost(
  message:
    | FromDownloadPage
    | FromPage
    | FromPreview
    | FromRepliesPage
    | FromReportPage
    | FromSearchPage
    | FromStatisticsPage,
): void {
  host.postMessage(message);
}

/** The JSON that the host embedded in the page under this ID. */
export function readEmbedded(id: string): unknown {
  return JSON.parse(document.getElementById(id)?.textContent ?? 'null');
}

/** Lets VS Code ask before it opens a link. In a trusted workspace it would open a clicked link without asking. */
export function openLinksThroughHost(): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const url = parseWebAddress(link?.getAttribute('href') ?? '');
    if (url === undefined) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    postToHost({ type: 'open', url });
  });
}
