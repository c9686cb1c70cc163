import assert from 'node:assert/strict';
import { findOverlap } from '../../../src/history/overlap.ts';
import { Segment, SegmentNode } from '../../../src/history/segment.ts';
import { entryOf } from './chat.ts';

describe('An unreadable entry of a page', () => {
  /** Whether the last entry of a page is found after this many other unreadable entries. */
  const isFound = (others: number) => {
    const names = [1, ...Array.from({ length: others }, (_, at) => `other ${at}`), 'target'];
    const nodes = names.map((name) => new SegmentNode({ type: 'entry', key: `${name}`, entry: entryOf(name) }));
    new Segment().add('newer', nodes);
    const { found } = findOverlap([1, 'target'].map(entryOf), (msgId) => nodes.find((node) => node.msgId === msgId));
    return found[1] !== undefined && found[1] === nodes.at(-1);
  };

  it('is found among the neighbors of the same message', () => {
    for (const others of [0, 1, 99]) assert.ok(isFound(others), `behind ${others}`);
  });

  it("isn't searched for among more than 100 entries", () => {
    for (const others of [100, 10_000]) assert.ok(!isFound(others), `behind ${others}`);
  });
});
