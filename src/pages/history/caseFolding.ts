/** What is the same word to a person who looks for it: one answer for counting and for marking. Pure. */

/** A character with the marks upon it, or the parts of a Korean syllable: so many of them as any writing has. */
const CLUSTER = /.[\p{M}\u1160-\u11FF]{0,30}/gsu;

/** Those of them that are more than a letter of ASCII or a Chinese character. */
const SPECIAL = /[^\0-\x7F\u3400-\u9FFF][\p{M}\u1160-\u11FF]{0,30}|.[\p{M}\u1160-\u11FF]{1,30}/gsu;

/** A text without the difference between capital and small letters, or between forms of one character. */
export function fold(text: string): string {
  return text.replace(SPECIAL, foldCluster).toLowerCase();
}

/**
 * Where a folded text is found in a text: starts and ends (UTF-16 units), in order and apart from each other. There are
 * some just when the folded text holds it. A character that is found in part is found whole.
 */
export function rangesOf(text: string, wanted: string): [start: number, end: number][] {
  const folded = fold(text);
  if (!wanted || !folded.includes(wanted)) return [];
  const clusters = clustersOf(text);
  const ranges: [number, number][] = [];
  let index = 0;
  let behind = 0;
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
    const holding = (place: number) => {
      while (place >= (clusters[index]?.foldedEnd ?? Infinity)) index++;
      return clusters[index] ?? { start: text.length, end: text.length };
    };
    const start = Math.max(behind, holding(at).start);
    behind = holding(at + wanted.length - 1).end;
    if (start < behind) ranges.push([start, behind]);
  }
  return ranges;
}

/** Where each cluster lies in the text, and ends in the folded one. */
function clustersOf(text: string) {
  let foldedEnd = 0;
  return Array.from(text.matchAll(CLUSTER), ({ 0: cluster, index }) => {
    foldedEnd += foldCluster(cluster).length;
    return { start: index, end: index + cluster.length, foldedEnd };
  });
}

// Some small letters differ only by where they stand in a word, or have no capital of their own.
const foldCluster = (cluster: string) => cluster.normalize('NFKC').toUpperCase().toLowerCase();
