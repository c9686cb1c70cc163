/** YAML as a small tree that knows where everything stands. */
import { EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException } from 'js-yaml';
import type { Place } from './problem.ts';

interface Common extends Place {
  /** It carries a tag such as `!!str`. */
  isTagged: boolean;
}
export interface Scalar extends Common {
  kind: 'scalar';
  /** As decoded, and not as a number or a date: `007` is these three digits. */
  text: string;
  /** Nothing stands there, or what YAML takes for nothing. */
  isEmpty: boolean;
}
interface Alias extends Common {
  kind: 'alias';
}
/** Where a list or a map ends is where the last thing in it does, without a bracket. */
interface List extends Common {
  kind: 'list';
  items: Node[];
}
interface YamlMap extends Common {
  kind: 'map';
  entries: { key: Node; value: Node }[];
  /** Written in braces. */
  isFlow: boolean;
}
export type Node = Scalar | Alias | List | YamlMap;

type Tree = { root: Node | undefined } | { reason: string; at: number };

/** Reads one YAML document; `offset` is added to all places. What it cannot be read as is said, never thrown. */
export function readYaml(text: string, offset: number): Tree {
  try {
    return { root: treeOf(text, offset) };
  } catch (error) {
    // The parser asks for all that it throws to be caught.
    const { reason, mark } = error instanceof YAMLException ? error : { reason: String(error), mark: undefined };
    return { reason, at: offset + Math.min(mark?.position ?? 0, text.length) };
  }
}

function treeOf(text: string, offset: number): Node | undefined {
  const events = parseEvents(text, {});
  let next = 0;
  /** The end of what was read last. */
  let last = 0;

  const place = (start: number, end: number, tagStart: number) => {
    last = Math.max(last, end);
    const isTagged = tagStart >= 0;
    const begin = isTagged ? tagStart : start;
    return { start: offset + begin, end: offset + Math.max(begin, end), isTagged };
  };
  /** The next node; undefined at the end of a list, a map or the document. */
  const read = (): Node | undefined => {
    const event = events[next++];
    switch (event?.type) {
      case EVENT_ID.SCALAR: {
        const { valueStart, valueEnd, tagStart, style } = event;
        const value = getScalarValue(text, event);
        const isPlain = style === SCALAR_STYLE.PLAIN;
        const quote = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED ? 1 : 0;
        const [start, end] = valueStart < 0 ? [last, last] : [valueStart - quote, valueEnd + quote];
        const isEmpty = isPlain && /^(?:~|null|)$/i.test(value);
        return { kind: 'scalar', text: value, isEmpty, ...place(start, end, tagStart) };
      }
      case EVENT_ID.ALIAS:
        return { kind: 'alias', ...place(event.anchorStart - 1, event.anchorEnd, -1) };
      case EVENT_ID.SEQUENCE: {
        const at = place(event.start, event.start + 1, event.tagStart);
        const items: Node[] = [];
        for (let item = read(); item; item = read()) items.push(item);
        return { kind: 'list', items, ...at, end: Math.max(at.end, offset + last) };
      }
      case EVENT_ID.MAPPING: {
        const at = place(event.start, event.start + 1, event.tagStart);
        const entries: YamlMap['entries'] = [];
        for (let key = read(); key; key = read()) {
          const value = read();
          if (value) entries.push({ key, value });
        }
        return { kind: 'map', entries, isFlow: text[event.start] === '{', ...at, end: Math.max(at.end, offset + last) };
      }
      default:
        return undefined;
    }
  };

  if (events[next]?.type === EVENT_ID.DOCUMENT) next++;
  const root = read();
  const another = events.findIndex(({ type }, index) => index > 0 && type === EVENT_ID.DOCUMENT);
  if (another >= 0) YAMLException.throwAt(text, last, 'a second document begins');
  return root;
}
