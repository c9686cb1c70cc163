/** Case folding for search, used both to count matches and to highlight them. Pure. */

/** A character with its combining marks, or the parts of a Korean syllable. 30 are enough for any script. */
const CLUSTER = /.[\p{M}\u1160-\u11FF]{0,30}/gsu;

/** Clusters other than a plain ASCII or Chinese character. */
const SPECIAL = /[^\0-\x7F\u3400-\u9FFF][\p{M}\u1160-\u11FF]{0,30}|.[\p{M}\u1160-\u11FF]{1,30}/gsu;

/** Removes differences of case, and between compatible forms of a character. */
export function fold(text: string): string {
  return text.replace(SPECIAL, foldCluster).toLowerCase();
}

/**
 * Where a folded query matches a text: starts and ends (UTF-16 units), in order and without overlaps. There's a match
 * exactly if the folded text contains the query. A match of part of a character covers the whole character.
 */
export function rangesOf(text: string, query: string): [start: number, end: number][] {
  const folded = fold(text);
  if (!query || !folded.includes(query)) return [];
  const clusters = clustersOf(text);
  const ranges: [number, number][] = [];
  let index = 0;
  let previousEnd = 0;
  for (let at = folded.indexOf(query); at >= 0; at = folded.indexOf(query, at + query.length)) {
    const clusterAt = (position: number) => {
      while (position >= (clusters[index]?.foldedEnd ?? Infinity)) index++;
      return clusters[index] ?? { start: text.length, end: text.length };
    };
    const start = Math.max(previousEnd, clusterAt(at).start);
    previousEnd = clusterAt(at + query.length - 1).end;
    if (start < previousEnd) ranges.push([start, previousEnd]);
  }
  return ranges;
}

/** The range of each cluster in the text, and its end in the folded text. */
function clustersOf(text: string) {
  let foldedEnd = 0;
  return Array.from(text.matchAll(CLUSTER), ({ 0: cluster, index }) => {
    foldedEnd += foldCluster(cluster).length;
    return { start: index, end: index + cluster.length, foldedEnd };
  });
}

// Uppercase first: some lowercase letters are positional variants or have no uppercase form.
const foldCluster = (cluster: string) => cluster.normalize('NFKC').toUpperCase().toLowerCase();
