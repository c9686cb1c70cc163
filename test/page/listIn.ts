import assert from 'node:assert/strict';
import type { OpenPage } from '../host/pages.ts';

/** What tests do with a page that lists what its host makes of a query. */
export function listIn(opened: () => OpenPage) {
  /** The messages to the host after the first, which is `ready`. */
  const posted = async () => (await opened().posted()).slice(1) as { type: string; list: number; query: object }[];
  return {
    posted,
    queries: async () => (await posted()).flatMap(({ type, query }) => (type === 'list' ? [query] : [])),
    /** Answers the last list that the page asked for, and returns its number. */
    async answerList(rows: readonly object[], total = rows.length) {
      const list = (await posted()).findLast(({ type }) => type === 'list')?.list;
      await opened().post({ type: 'list', list, total, rows });
      return list ?? assert.fail('no list was asked for');
    },
    button: (name: string | RegExp) => opened().page.getByRole('button', { name }),
  };
}
