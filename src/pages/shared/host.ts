/** What every page has of its host: a way to tell it something, and what the host wrote into the page. */
import * as v from 'valibot';
import { parseWebAddress } from '../../markup/links.ts';
import { type FromPage, type Labels, PageOptions } from '../../protocol/history.ts';
import type { FromPreview } from '../../protocol/preview.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

export const host = acquireVsCodeApi();

export const labels = readStrings<Labels>('labels');
export const { pictures } = v.parse(PageOptions, readEmbedded('options'));

/** A label with values in place of `{0}`, `{1}`… */
export function formatLabel(label: keyof Labels, ...values: (string | number)[]): string {
  return formatText(labels[label], ...values);
}

/** A text with values in place of `{0}`, `{1}`… */
export function formatText(text: string, ...values: (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (_, index) => String(values[Number(index)] ?? ''));
}

export function postToHost(message: FromPage | FromPreview): void {
  host.postMessage(message);
}

/** What the host wrote into the page under this ID. */
export function readEmbedded(id: string): unknown {
  return JSON.parse(document.getElementById(id)?.textContent ?? 'null');
}

/** Words in the person's language, which the host wrote into the page under this ID. */
export function readStrings<T>(id: string): T {
  const areWords = (all: unknown) => Object.values(all ?? {}).every((one) => typeof one === 'string');
  return v.parse(v.custom<T>(areWords), readEmbedded(id));
}

/** From a trusted workspace VS Code opens the links of a page without asking; it never hears of clicks that end here. */
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
