/** The page's side of the protocol, and what the host wrote into the page. */
import * as v from 'valibot';
import { type FromPage, Labels, Options, PageState, Place, ToPage } from '../protocol.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

const host = acquireVsCodeApi();
const place = v.parse(Place, embedded('place'));

export const labels = v.parse(Labels, embedded('labels'));
export const { pictures } = v.parse(Options, embedded('options'));

/** A label with values in place of `{0}`, `{1}`… */
export function say(label: keyof Labels, ...values: (string | number)[]): string {
  return labels[label].replace(/\{(\d)\}/g, (_, index) => String(values[Number(index)] ?? ''));
}

export function tell(message: FromPage): void {
  host.postMessage(message);
}

/** Where the page was when it was hidden or reloaded. */
export type Remembered = Omit<PageState, 'place'>;

const NOTHING: Remembered = { offset: 0, sender: '', kind: '' };

export function remembered(): Remembered {
  const state = v.safeParse(PageState, host.getState());
  return state.success ? state.output : NOTHING;
}

/** Keeps where the page is, and lets VS Code restore this chat after a reload. */
export function remember(changes: Partial<Remembered>): void {
  host.setState({ ...remembered(), ...changes, place });
}

/** Calls back with every message of the host. */
export function listen(receive: (message: ToPage) => void): void {
  remember({});
  addEventListener('message', ({ data }) => receive(v.parse(ToPage, data)));
  const { reading } = remembered();
  tell({ type: 'ready', ...(reading !== undefined && { reading }) });
}

function embedded(id: string): unknown {
  return JSON.parse(document.getElementById(id)?.textContent ?? 'null');
}
