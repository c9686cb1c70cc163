/** The page's side of the protocol, and what the host wrote into the page. */
import * as v from 'valibot';
import { type FromPage, Labels, Place, ToPage } from '../protocol.ts';

declare function acquireVsCodeApi(): { postMessage(message: unknown): void; setState(state: unknown): void };

const host = acquireVsCodeApi();

export const labels = v.parse(Labels, embedded('labels'));

/** A label with values in place of `{0}`, `{1}`… */
export function say(label: keyof Labels, ...values: (string | number)[]): string {
  return labels[label].replace(/\{(\d)\}/g, (_, index) => String(values[Number(index)] ?? ''));
}

export function tell(message: FromPage): void {
  host.postMessage(message);
}

/** Calls back with every message of the host, and lets VS Code restore this chat after a reload. */
export function listen(receive: (message: ToPage) => void): void {
  host.setState(v.parse(Place, embedded('place')));
  addEventListener('message', ({ data }) => receive(v.parse(ToPage, data)));
  tell({ type: 'ready' });
}

function embedded(id: string): unknown {
  return JSON.parse(document.getElementById(id)?.textContent ?? 'null');
}
