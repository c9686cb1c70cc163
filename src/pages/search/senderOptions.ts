/** The senders that a typed text offers. Pure. */
import { fold } from '../../markup/caseFolding.ts';
import type { SearchScope } from '../../protocol/search.ts';

/** How many senders are offered at once. */
const MAX_OFFERED = 100;

interface Option {
  /** Undefined for all senders. */
  readonly sender?: string | undefined;
  readonly name: string;
}

export interface SenderOptions {
  readonly options: readonly Option[];
  /** Whether more senders have such names. */
  readonly hasMore: boolean;
}

/** The first senders whose names contain the text, those whose names begin with it first; without a text, "all" as well. */
export function senderOptions(senders: SearchScope['senders'], text: string): SenderOptions {
  const wanted = fold(text.trim());
  if (!wanted)
    return { options: [{ name: '' }, ...senders.slice(0, MAX_OFFERED)], hasMore: senders.length > MAX_OFFERED };
  const beginning: Option[] = [];
  const containing: Option[] = [];
  for (const one of senders) {
    const place = fold(one.name).indexOf(wanted);
    if (place === 0) beginning.push(one);
    else if (place > 0) containing.push(one);
  }
  const found = [...beginning, ...containing];
  return { options: found.slice(0, MAX_OFFERED), hasMore: found.length > MAX_OFFERED };
}
