/** A second implementation of searching, from what the README says. It shares no code with the first. */

const isHan = (character: string) => /[登录失ガ그]/.test(character);

function plainRuns(text: string): string[] {
  const runs: string[] = [];
  let kind = '';
  for (const character of text.normalize('NFD').replaceAll('\u0301', '').normalize('NFC').toLowerCase()) {
    const own = isHan(character) ? 'han' : /[a-z0-9]/.test(character) ? 'word' : character === '😀' ? 'emoji' : '';
    if (own && own === kind && own !== 'emoji') runs[runs.length - 1] += character;
    else if (own) runs.push(character);
    kind = own;
  }
  return runs;
}

/** Whether a search finds a text, in which only some characters occur. */
export function plainlyMatches(text: string, query: string): boolean {
  const runs = plainRuns(text);
  const terms = plainTerms(query);
  if (query.trim() && terms.length === 0) return false;
  return terms.every(({ wanted, isPrefix, isExcluded }) => {
    const isThere = runs.some((_, at) =>
      wanted.every((one, index) => {
        const run = runs[at + index] ?? '';
        const [isFirst, isLast] = [index === 0, index === wanted.length - 1];
        if (run === one) return true;
        if (isHan(one.charAt(0))) {
          if (isFirst && isLast) return run.includes(one);
          return (isFirst && run.endsWith(one)) || (isLast && run.startsWith(one));
        }
        return isLast && isPrefix && /^[a-z0-9]/.test(one) && run.startsWith(one);
      }),
    );
    return isThere !== isExcluded;
  });
}

function plainTerms(query: string) {
  const terms: { wanted: string[]; isPrefix: boolean; isExcluded: boolean }[] = [];
  let rest = query;
  while (rest.trim()) {
    rest = rest.trimStart();
    const isExcluded = rest.startsWith('-');
    const begin = isExcluded ? rest.slice(1) : rest;
    let term: string;
    let isPrefix: boolean;
    if (begin.startsWith('"')) {
      const end = begin.indexOf('"', 1);
      term = end < 0 ? begin.slice(1) : begin.slice(1, end);
      rest = end < 0 ? '' : begin.slice(end + 1);
      isPrefix = end < 0 && /[a-z0-9é]$/i.test(term);
    } else {
      term = /^\S*/.exec(begin)?.[0] ?? '';
      rest = begin.slice(term.length);
      isPrefix = term.endsWith('*') || (rest === '' && /[a-z0-9é]$/i.test(term));
    }
    const wanted = plainRuns(term);
    if (wanted.length > 0) terms.push({ wanted, isPrefix, isExcluded });
  }
  return terms;
}
