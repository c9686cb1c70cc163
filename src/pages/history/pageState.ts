/** The history's side of its protocol, and where its page is over hiding and reloads. */
import * as v from 'valibot';
import { BotChat, PageState, ToPage } from '../../protocol/history.ts';
import { host, postToHost, readEmbedded } from '../shared/host.ts';

const place = v.parse(BotChat, readEmbedded('place'));

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
  postToHost({ type: 'ready', ...(reading !== undefined && { reading }) });
}
