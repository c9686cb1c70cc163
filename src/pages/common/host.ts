/** The extension host, seen from a page: messages, embedded data, opening links. */
import * as v from 'valibot';
import { parseWebAddress } from '../../markup/links.ts';
import type { FromDownloadPage } from '../../protocol/download.ts';
import { type FromPage, type Labels, PageOptions } from '../../protocol/history.ts';
import type { FromPreview } from '../../protocol/preview.ts';
import type { FromReportPage } from '../../protocol/report.ts';
import type { FromSearchPage } from '../../protocol/search.ts';
import type { FromStatisticsPage } from '../../protocol/statistics.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

export const host = acquireVsCodeApi();

/** Those of messages. */
export const labels = readStrings<Labels>('labels');
export const { page: pageName, pictures: loadImages } = v.parse(PageOptions, readEmbedded('options'));

/** A label with `{0}`, `{1}`… replaced. */
export function formatLabel(label: keyof Labels, ...values: (string | number)[]): string {
  return formatText(labels[label], ...values);
}

/** A text with `{0}`, `{1}`… replaced. */
export function formatText(text: string, ...values: (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (_, index) => String(values[Number(index)] ?? ''));
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

/** VS Code focuses the frame around a page first, often once more after the page has loaded. That takes the focus from what had it. */
function keepFocus(): void {
  let last: EventTarget | null = null;
  document.addEventListener('focusin', ({ target }) => {
    last = target;
  });
  addEventListener('focus', () => {
    if (document.activeElement === document.body && last instanceof HTMLElement) last.focus({ preventScroll: true });
  });
}

export function postToHost(
  message: FromDownloadPage | FromPage | FromPreview | FromReportPage | FromSearchPage | FromStatisticsPage,
): void {
  host.postMessage(message);
}

/** The JSON that the host embedded in the page under this ID. */
export function readEmbedded(id: string): unknown {
  return JSON.parse(document.getElementById(id)?.textContent ?? 'null');
}

/** The translated strings that the host embedded in the page under this ID. Another page doesn't have them. */
export function readStrings<T>(id: string): T {
  const areStrings = (all: unknown) => Object.values(all ?? {}).every((one) => typeof one === 'string');
  return v.parse(v.custom<T>(areStrings), readEmbedded(id));
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
