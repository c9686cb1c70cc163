import assert from 'node:assert/strict';
import { findOverlap } from '../../../src/history/overlap.ts';
import { Segment, SegmentNode } from '../../../src/history/segment.ts';
import { entryOf } from './chat.ts';

describe('What cannot be read on a page', () => {
  /** Whether the last entry of a page is found where so many others that cannot be read are loaded before it. */
  const isFound = (others: number) => {
    const names = [1, ...Array.from({ length: others }, (_, at) => `other ${at}`), 'sought'];
    const nodes = names.map((name) => new SegmentNode({ type: 'entry', key: `${name}`, entry: entryOf(name) }));
    new Segment().add('newer', nodes);
    const { found } = findOverlap([1, 'sought'].map(entryOf), (msgId) => nodes.find((node) => node.msgId === msgId));
    return found[1] !== undefined && found[1] === nodes.at(-1);
  };

  it('is found among those next to the same message', () => {
    for (const others of [0, 1, 99]) assert.ok(isFound(others), `behind ${others}`);
  });

  it('is not looked for among more than a page could hold', () => {
    for (const others of [100, 10_000]) assert.ok(!isFound(others), `behind ${others}`);
  });
});
