/** Counts the steps in which a backtracking engine, such as V8's, runs a pattern over a text. */
import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** Goes on after a match that ends at an offset; false makes the pattern try something else. */
type Next = (at: number) => boolean;
type Matcher = (at: number, next: Next) => boolean;

/** A pattern takes longer than anybody waits. */
const MAX_STEPS = 500_000;
class TooManySteps extends Error {}

/** Steps to find all matches of a pattern in a text: infinitely many if there are too many. */
export function createStepCounter(pattern: RegExp): (text: string) => number {
  const { global, sticky, unicode, flags } = pattern;
  const parsed = new RegExpParser().parsePattern(pattern.source, 0, undefined, { unicode });
  const setFlags = flags.replace(/[gydm]/g, '');
  let text = '';
  let steps = 0;
  let captures: ([from: number, to: number] | undefined)[] = [];

  const step = () => {
    if (++steps > MAX_STEPS) throw new TooManySteps();
  };

  /** The end of the character at an offset, or its start if it's read backward; undefined at the end of the text. */
  const read = (at: number, isBackward: boolean): number | undefined => {
    if (isBackward) {
      if (at === 0) return undefined;
      return at - (unicode && at > 1 && (text.codePointAt(at - 2) ?? 0) > 0xffff ? 2 : 1);
    }
    if (at >= text.length) return undefined;
    return at + (unicode && (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  };

  /** Matches one character that is in a set. */
  const one = (raw: string, isBackward: boolean): Matcher => {
    const set = new RegExp(`^(?:${raw})$`, setFlags);
    const known: boolean[] = [];
    return (at, next) => {
      step();
      const end = read(at, isBackward);
      if (end === undefined) return false;
      const start = Math.min(at, end);
      const character = unicode ? (text.codePointAt(start) ?? 0) : text.charCodeAt(start);
      known[character] ??= set.test(String.fromCodePoint(character));
      return known[character] && next(end);
    };
  };

  const sequence = ({ elements }: AST.Alternative, isBackward: boolean): Matcher => {
    const matchers = elements.map((element) => matcherOf(element, isBackward));
    return (isBackward ? matchers : matchers.reverse()).reduce<Matcher>(
      (rest, first) => (at, next) => first(at, (end) => rest(end, next)),
      (at, next) => next(at),
    );
  };

  const anyOf = (alternatives: AST.Alternative[], isBackward: boolean): Matcher => {
    const matchers = alternatives.map((alternative) => sequence(alternative, isBackward));
    return (at, next) => matchers.some((matcher) => matcher(at, next));
  };

  const repeated = ({ element, min, max, greedy }: AST.Quantifier, isBackward: boolean): Matcher => {
    const matcher = matcherOf(element, isBackward);
    const from = (count: number, at: number, next: Next): boolean => {
      step();
      const more = () => count < max && matcher(at, (end) => (end !== at || count < min) && from(count + 1, end, next));
      const enough = () => count >= min && next(at);
      return greedy ? more() || enough() : enough() || more();
    };
    return (at, next) => from(0, at, next);
  };

  /** An assertion or a backreference, which V8 runs as it is; only what it looks at is counted. */
  const asserted = (assertion: AST.Assertion): Matcher => {
    if (assertion.kind === 'lookahead' || assertion.kind === 'lookbehind') {
      const matcher = anyOf(assertion.alternatives, assertion.kind === 'lookbehind');
      return (at, next) => matcher(at, () => true) !== assertion.negate && next(at);
    }
    const place = new RegExp(assertion.raw, `y${flags.replace(/[gyd]/g, '')}`);
    return (at, next) => {
      step();
      place.lastIndex = at;
      return place.test(text) && next(at);
    };
  };

  const matcherOf = (element: AST.Element, isBackward: boolean): Matcher => {
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return one(element.raw, isBackward);
      case 'Group':
        return anyOf(element.alternatives, isBackward);
      case 'CapturingGroup':
        return captured(element, isBackward);
      case 'Quantifier':
        return repeated(element, isBackward);
      case 'Assertion':
        return asserted(element);
      case 'Backreference':
        return repetition(element);
      default:
        throw new Error(`Unknown element: ${element.raw}`);
    }
  };

  const captured = (group: AST.CapturingGroup, isBackward: boolean): Matcher => {
    const number = groups.indexOf(group);
    const matcher = anyOf(group.alternatives, isBackward);
    return (at, next) =>
      matcher(at, (end) => {
        const before = captures[number];
        captures[number] = [Math.min(at, end), Math.max(at, end)];
        if (next(end)) return true;
        captures[number] = before;
        return false;
      });
  };

  const repetition = ({ resolved }: AST.Backreference): Matcher => {
    const number = Array.isArray(resolved) ? -1 : groups.indexOf(resolved);
    return (at, next) => {
      step();
      const [from, to] = captures[number] ?? [at, at];
      return text.startsWith(text.slice(from, to), at) && next(at + to - from);
    };
  };

  const groups: AST.CapturingGroup[] = [];
  visit(parsed, (node) => node.type === 'CapturingGroup' && groups.push(node));
  const matcher = anyOf(parsed.alternatives, false);

  return (searched) => {
    text = searched;
    steps = 0;
    try {
      for (let at = 0; at <= text.length; ) {
        captures = [];
        let end: number | undefined;
        matcher(at, (to) => {
          end = to;
          return true;
        });
        if (end === undefined ? sticky : !global) break;
        at = end === undefined || end === at ? (read(at, false) ?? at + 1) : end;
      }
    } catch (error) {
      if (error instanceof TooManySteps) return Number.POSITIVE_INFINITY;
      throw error;
    }
    return steps;
  };
}

/** Calls a function for each part of a pattern. */
export function visit(node: AST.Node, use: (node: AST.Node) => unknown): void {
  use(node);
  if ('alternatives' in node) for (const one of node.alternatives) visit(one, use);
  if (node.type === 'Alternative') for (const one of node.elements) visit(one, use);
  if (node.type === 'Quantifier') visit(node.element, use);
}
