/** A search page, new for each test. */
import assert from 'node:assert/strict';
import type { FromSearchPage, SearchQuery } from '../../src/protocol/search.ts';
import { closeEach, type OpenPage, openSearchPage, type PageOptions } from '../host/pages.ts';
import { scope } from './searchResults.ts';

/** The page opened last. */
export let searchPage: OpenPage;

export const closeEachSearch = () => closeEach(() => searchPage);

export async function open(options: PageOptions = {}): Promise<void> {
  searchPage = await openSearchPage(options);
  await searchPage.post(scope);
}

export const posted = async () => (await searchPage.posted()) as FromSearchPage[];
export const searches = async () =>
  (await posted()).filter((message) => message.type === 'search') as { search: number; query: SearchQuery }[];
export const lastSearch = async () => (await searches()).at(-1) ?? assert.fail('nothing was searched for');
export const lastQuery = async () => (await lastSearch()).query;

/** Answers the latest search. */
export const answer = async (found: object[], isLast = true) =>
  searchPage.post({ type: 'found', search: (await lastSearch()).search, found, isLast });

export const query = () => searchPage.page.getByRole('searchbox', { name: 'Search messages' });
export const results = () => searchPage.page.getByRole('list', { name: 'Results' }).getByRole('button');
export const result = (text: string) => results().filter({ hasText: text });
export const chosen = (name: string) => searchPage.page.getByRole('combobox', { name });
/** Opens and folds the filters in a narrow window. */
export const filters = (name: string) => searchPage.page.getByRole('button', { name, exact: true });
/** The senders offered. */
export const senders = () => searchPage.page.getByRole('listbox').getByRole('option');
export const press = (key: string) => searchPage.page.keyboard.press(key);
