/** What every page has of its host: a way to tell it something, and what the host wrote into the page. */
import * as v from 'valibot';
import { type FromPage, type Labels, PageOptions } from '../../protocol/history.ts';
import type { FromPreview } from '../../protocol/preview.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

export const host = acquireVsCodeApi();

export const labels = wordsIn<Labels>('labels');
export const { pictures } = v.parse(PageOptions, embedded('options'));

/** A label with values in place of `{0}`, `{1}`… */
export function say(label: keyof Labels, ...values: (string | number)[]): string {
  return fill(labels[label], ...values);
}

/** A text with values in place of `{0}`, `{1}`… */
export function fill(text: string, ...values: (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (_, index) => String(values[Number(index)] ?? ''));
}

export function tell(message: FromPage | FromPreview): void {
  host.postMessage(message);
}

/** What the host wrote into the page under this ID. */
export function embedded(id: string): unknown {
  return JSON.parse(document.getElementById(id)?.textContent ?? 'null');
}

/** Words in the person's language, which the host wrote into the page under this ID. */
export function wordsIn<T>(id: string): T {
  const areWords = (all: unknown) => Object.values(all ?? {}).every((one) => typeof one === 'string');
  return v.parse(v.custom<T>(areWords), embedded(id));
}
