/** The extension host, seen from the search page: the state that VS Code keeps. */
import * as v from 'valibot';
import { SearchPageState } from '../../protocol/search.ts';
import { host } from '../common/host.ts';
import { EMPTY } from './query.ts';

/** The state when the page was hidden or reloaded. */
export function remembered(): SearchPageState {
  const state = v.safeParse(SearchPageState, host.getState());
  return state.success ? state.output : { query: EMPTY };
}

export function remember(state: SearchPageState): void {
  host.setState(state);
}
