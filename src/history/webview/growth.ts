import { useRef } from 'preact/hooks';
import type { Item } from '../protocol.ts';

/**
 * How a list became another: `isShift` where rows came at its beginning, and another generation where it changed in the
 * middle, so that the sizes of its rows are to be measured anew.
 */
export function useGrowth(items: readonly Item[]) {
  const last = useRef({ items, generation: 0, isShift: false });
  const { items: before, generation } = last.current;
  if (items !== before) {
    const by = items.length - before.length;
    const isAt = (index: number, old: number) => items[index]?.key === before[old]?.key;
    const isSame = by === 0 && isAt(0, 0) && isAt(items.length - 1, before.length - 1);
    const isAppended = isAt(0, 0) && isAt(before.length - 1, before.length - 1);
    const isShift = by > 0 && isAt(by, 0) && isAt(items.length - 1, before.length - 1);
    const isAnew = before.length > 0 && !isSame && !isAppended && !isShift;
    last.current = { items, generation: isAnew || before.length === 0 ? generation + 1 : generation, isShift };
  }
  return last.current;
}
