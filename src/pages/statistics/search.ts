/** Searches for what a part of a picture stands for. */
import { dayFromNumber, localDays } from '../../markup/days.ts';
import type { FromStatisticsPage } from '../../protocol/statistics.ts';
import { postToHost } from '../common/host.ts';
import type { Bucket } from './buckets.ts';

type Query = Extract<FromStatisticsPage, { type: 'search' }>['query'];

export const search = (query: Partial<Query>) => postToHost({ type: 'search', query: { text: '', ...query } });

/** Searches for the messages of some days. */
export const searchDays = ({ start, end }: Bucket) => search({ since: startOf(start), until: startOf(end) });

const startOf = (day: number) => localDays.startOf(dayFromNumber(day));

/** A query for a text as it is; empty if it has nothing that a search can find. */
export const exactly = (text: string) =>
  /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text) ? `"${text.replace(/["“”\s]+/g, ' ').trim()}"` : '';
