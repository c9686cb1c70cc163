/** Case folding for search, used to find matches and to highlight them. Pure. */

/** A character with its combining marks, or the parts of a syllable. 30 are enough for any script. */
const CLUSTER = /.[\p{M}\u1160-\u11FF\uFF9E\uFF9F]{0,30}/gsu;

/** Clusters other than a plain ASCII or Chinese character. */
const SPECIAL =
  /[^\0-\x7F\u3400-\u9FFF][\p{M}\u1160-\u11FF\uFF9E\uFF9F]{0,30}|.[\p{M}\u1160-\u11FF\uFF9E\uFF9F]{1,30}/gsu;

/** Accents of Latin, Greek and Cyrillic letters. */
const ACCENTS = /[\u0300-\u036F]/g;

/** Removes differences of case, accents and width, and between other compatible forms of a character. */
export function fold(text: string): string {
  return text.replace(SPECIAL, foldCluster).toLowerCase();
}

/** Starts and ends in a text (UTF-16 units), in order and without overlaps. */
export type Ranges = [start: number, end: number][];

/**
 * Where a folded query matches a text. There's a match exactly if the folded text contains the query. A match of part of
 * a character covers the whole character.
 */
export function rangesOf(text: string, query: string): Ranges {
  const folded = fold(text);
  const found: Ranges = [];
  for (let at = query ? folded.indexOf(query) : -1; at >= 0; at = folded.indexOf(query, at + query.length)) {
    found.push([at, at + query.length]);
  }
  return originalRanges(text, found);
}

/** The ranges in a text that ranges in its folded text come from. None of these may be empty. */
export function originalRanges(text: string, foldedRanges: Readonly<Ranges>): Ranges {
  const ranges: Ranges = [];
  const clusters = clustersOf(text);
  let cluster = { start: 0, end: 0, foldedEnd: 0 };
  const clusterAt = (position: number) => {
    while (position >= cluster.foldedEnd) {
      const { value, done } = clusters.next();
      if (done) return { start: text.length, end: text.length };
      cluster = value;
    }
    return cluster;
  };
  for (const [from, to] of foldedRanges) {
    const start = Math.max(ranges.at(-1)?.[1] ?? 0, clusterAt(from).start);
    const { end } = clusterAt(to - 1);
    if (start < end) ranges.push([start, end]);
  }
  return ranges;
}

/** The range of each cluster in the text, and its end in the folded text. */
function* clustersOf(text: string) {
  let foldedEnd = 0;
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    foldedEnd += foldCluster(cluster).length;
    yield { start: index, end: index + cluster.length, foldedEnd };
  }
}

function foldCluster(cluster: string): string {
  const base = cluster.normalize('NFKD').replace(ACCENTS, '').normalize('NFC');
  // Uppercase first: some lowercase letters are positional variants or have no uppercase form.
  return base.toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}
