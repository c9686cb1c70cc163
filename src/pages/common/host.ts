/** The extension host, seen from a page: messages, embedded data, opening links. */
import * as v from 'valibot';
import { keepCounts } from '../../markup/escapeInvisible.ts';
import { parseWebAddress } from '../../markup/links.ts';
import type { FromPage } from '../../protocol/history.ts';
import { PageOptions, type PageRequest } from '../../protocol/page.ts';
import type { FromPreview } from '../../protocol/preview.ts';
import type { FromRepliesPage } from '../../protocol/replies.ts';
import type { FromReportPage } from '../../protocol/report.ts';
import type { FromSearchPage } from '../../protocol/search.ts';
import type { FromStatisticsPage } from '../../protocol/statistics.ts';
import { systemClock } from '../../service/clock.ts';
import { keepFocus } from './focus.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

const api = acquireVsCodeApi();

/** Saves a state, which VS Code keeps while the page is hidden or reloaded. */
export const saveState = (state: unknown) => api.setState(state);

/** The saved state, or the `first` one of a new page. */
export function savedState<T>(schema: v.GenericSchema<unknown, T>, first: () => unknown): T {
  const saved = v.safeParse(schema, api.getState());
  return saved.success ? saved.output : v.parse(schema, first());
}

/** A number from the clock, so that no number that a page counts from there was used before it was reloaded. */
export const firstNumber = () => systemClock.wall();

export const { page: pageName, pictures: loadImages } = v.parse(PageOptions, readEmbedded('options'));

/** The translations into the display language, by the English text. There are many: a schema for each would take milliseconds. */
const translations = v.parse(v.custom<Record<string, string>>(areTexts), readEmbedded('translations') ?? {});

/** Like `l10n` of VS Code, whose translations the host has embedded in the page. */
export const l10n = {
  /** An English text in the display language, with `{0}`, `{1}`… replaced by values. */
  t: (text: string, ...values: (string | number)[]) =>
    keepCounts((translations[text] ?? text).replace(/\{(\d)\}/g, (place, index) => String(values[index] ?? place))),
};

function areTexts(all: unknown): boolean {
  return Object.values(all ?? {}).every((one) => typeof one === 'string');
}

/** The changes of a view by each message of its host, by type. */
export type Changes<To extends { type: string }, View> = {
  [Type in To['type']]: (message: To & { type: Type }) => Partial<View>;
};

/** Receives what the host posts, which fills the page as soon as it's told that the page is ready. */
export function connect<To>(
  schema: v.GenericSchema<unknown, To>,
  receive: (message: To) => void,
  ready: { readonly reading?: string; readonly timeZone?: string } = {},
): void {
  addEventListener('message', ({ data }) => receive(v.parse(schema, data)));
  keepFocus();
  api.postMessage({ type: 'ready', ...ready });
}

const postMessage = <From>(message: From) => api.postMessage(message);

/** Makes a request that any page may make of its host. */
export const request = postMessage<PageRequest>;

// Each page has its own function, which takes only messages that its panel handles.
export const postToHistory = postMessage<FromPage>;
export const postToPreview = postMessage<FromPreview>;
export const postToReplies = postMessage<FromRepliesPage>;
export const postToReport = postMessage<FromReportPage>;
export const postToSearch = postMessage<FromSearchPage>;
export const postToStatistics = postMessage<FromStatisticsPage>;

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
    request({ type: 'open', url });
  });
}
