/** A page as what it joins: segments that are loaded, and what is new before, between and after them. */
import type { Segment, SegmentNode } from './segment.ts';

/** What is new between two neighbours of one segment, before one of its nodes. */
interface Insertion {
  readonly nodes: SegmentNode[];
  readonly before: SegmentNode;
}

export interface PageSplit {
  /** In the order of the page. */
  readonly segments: Segment[];
  /** New nodes: `runs[n]` comes before `segments[n]`, and the last one after all of them. */
  readonly runs: SegmentNode[][];
  readonly insertions: Insertion[];
}

/** Takes the nodes of a page, oldest first, apart. New ones have no segment yet. */
export function splitPage(nodes: readonly SegmentNode[]): PageSplit {
  const segments: Segment[] = [];
  const runs: SegmentNode[][] = [];
  const insertions: Insertion[] = [];
  let run: SegmentNode[] = [];
  for (const node of nodes) {
    const { segment } = node;
    if (!segment) {
      run.push(node);
    } else if (!segments.includes(segment)) {
      segments.push(segment);
      runs.push(run);
      run = [];
    } else if (segment === segments.at(-1) && run.length > 0) {
      insertions.push({ nodes: run, before: node });
      run = [];
    }
  }
  return { segments, runs: [...runs, run], insertions };
}
