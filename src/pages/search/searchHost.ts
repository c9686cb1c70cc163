/** The extension host, seen from the search page: its texts, and the state that VS Code keeps. */
import * as v from 'valibot';
import { type SearchLabels, SearchPageState } from '../../protocol/search.ts';
import { host, readStrings } from '../common/host.ts';
import { EMPTY } from './query.ts';

export const labels = readStrings<SearchLabels>('words');

/** The state when the page was hidden or reloaded. */
export function remembered(): SearchPageState {
  const state = v.safeParse(SearchPageState, host.getState());
  return state.success ? state.output : { query: EMPTY };
}

export function remember(state: SearchPageState): void {
  host.setState(state);
}
