/** Splits a page into loaded segments and the new entries before, between and after them. */
import type { Segment, SegmentNode } from './segment.ts';

/** New nodes between two adjacent nodes of one segment. */
interface Insertion {
  readonly nodes: SegmentNode[];
  readonly before: SegmentNode;
}

export interface PageSplit {
  /** In the order of the page. */
  readonly segments: Segment[];
  /** Runs of new nodes: `runs[n]` comes before `segments[n]`, the last one after all segments. */
  readonly runs: SegmentNode[][];
  readonly insertions: Insertion[];
}

/** Splits the nodes of a page, oldest first. New nodes have no segment yet. */
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
