import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { parseSync, Visitor } from 'oxc-parser';
import { analyse } from 'scslre';
import { createStepCounter, visit } from './patternSteps.ts';

/** Patterns that may take more than linear time, because the texts that they run over are short: by file, with the reason. */
const BOUNDED: Record<string, { sources: string[]; why: string }> = {
  'src/ids/findIds.ts': {
    sources: [
      String.raw`:\/\/[\w.~:/?#@&=%+-]*$`,
      String.raw`(?:(?:^|\n)(?:\s*(?:[*+]|\d+[.)])\s)?|[[({<>,:;|"'${'`'}=@/“‘「『（【，、：；-])\s*$`,
    ],
    why: 'They run over the 128 units before an ID.',
  },
  'src/markup/variablePlaces.ts': {
    sources: [String.raw`(?:^|[\r\n])[\s>*+\-\d.)]*$`],
    why: 'It runs over the 64 units before a variable.',
  },
};

type Exports = Record<string, (...args: unknown[]) => unknown>;

/** What makes a file build its patterns, if it builds any. */
const BUILDERS: Record<string, (file: Exports) => unknown> = {
  'src/ids/findIds.ts': ({ candidatePattern }) => candidatePattern?.(['a b', 'a-b*']),
  'src/markup/csv.ts': ({ readCsv }) => Array.from(readCsv?.('a,b', ',') as Iterable<unknown>),
  'src/markup/escapeInvisible.ts': ({ escapeInvisible, escapeAllInvisible }) => [
    escapeInvisible?.('\0'),
    escapeAllInvisible?.('\0'),
  ],
  'src/markup/escapeMarkdown.ts': ({ codeSpan }) => codeSpan?.('a'),
  'src/markup/pastedIds.ts': () => {},
  'src/markup/variablePlaces.ts': ({ placesIn }) =>
    ['markdown', 'html', 'text'].map((format) => placesIn?.(['<style></style>', ''], format)),
  'src/markup/webAddress.ts': () => {},
  'src/markup/words.ts': () => {},
  'src/service/redaction.ts': ({ redactToken, redactTokenFields }) => {
    redactToken?.('', 'a b&25%25');
    redactTokenFields?.({ avatar: 'https://chat.example/?token=1' });
  },
};

interface Pattern {
  file: string;
  pattern: RegExp;
}

/** The patterns that stand in the sources, and the files that build others. */
function patternsInSources(): { literals: Pattern[]; builders: string[] } {
  const literals: Pattern[] = [];
  const builders = new Set<string>();
  for (const path of globSync('src/**/*.{ts,tsx}')) {
    const file = path.replaceAll('\\', '/');
    const { program } = parseSync(file, readFileSync(file, 'utf8'));
    new Visitor({
      Literal(node) {
        if ('regex' in node) literals.push({ file, pattern: new RegExp(node.regex.pattern, node.regex.flags) });
      },
      NewExpression({ callee }) {
        if (callee.type === 'Identifier' && callee.name === 'RegExp') builders.add(file);
      },
      CallExpression({ callee }) {
        if (callee.type === 'Identifier' && callee.name === 'RegExp') builders.add(file);
      },
    }).visit(program);
  }
  return { literals, builders: [...builders].sort() };
}

/** The patterns that a file builds when it runs. */
async function builtPatterns(file: string): Promise<Pattern[]> {
  const built: Pattern[] = [];
  const { RegExp: original } = globalThis;
  globalThis.RegExp = new Proxy(original, {
    construct(target, [source, flags]) {
      const pattern = new target(source, flags);
      built.push({ file, pattern });
      return pattern;
    },
  });
  try {
    // The query loads the file once more.
    BUILDERS[file]?.((await import(`../../${file}?patterns`)) as Exports);
  } finally {
    globalThis.RegExp = original;
  }
  assert.notDeepEqual(built, [], `${file} builds no pattern.`);
  return built;
}

/** Characters that most sets contain or exclude: a set is tried with the first one that it contains. */
const CHARACTERS = ['a', '0', ' ', ...'\n\t-._:/,;|<>(){}[]"\'`#*=@!?&%+~^$\\“中\u200B\u0301', '\u{1F600}'];
const ENDS = ['', '\n\n', '\0'];

/** Texts that may take a pattern long: what its parts match, repeated after what precedes them. */
function hostileTexts(pattern: RegExp): ((times: number) => string)[] {
  const parsed = new RegExpParser().parsePattern(pattern.source, 0, undefined, { unicode: pattern.unicode });
  let isBounded = true;
  visit(parsed, (node) => (isBounded &&= node.type !== 'Quantifier' || node.max <= 1));
  if (isBounded) return [];
  const words = new Map<string, { start: string; word: string }>();
  for (const sample of [sampleOf(), sampleOf(CHARACTERS), sampleOf(CHARACTERS.toReversed())]) {
    visit(parsed, (node) => {
      if (node.type !== 'Alternative') return;
      const parts = partsOf(node).map((part) => part.map((element) => sample(element, pattern)).join(''));
      for (const from of parts.keys()) {
        for (let to = from + 1; to <= parts.length; to++) {
          const [start, word] = [parts.slice(0, from).join(''), parts.slice(from, to).join('')];
          if (word) words.set(`${start} ${word}`, { start, word }).set(word, { start: '', word });
        }
      }
    });
  }
  return [...words.values()].flatMap(({ start, word }) =>
    ENDS.map((end) => (times: number) => start + word.repeat(times) + end),
  );
}

/** The elements of an alternative. Characters that follow one another are one part, because no piece of them repeats alone. */
function partsOf({ elements }: AST.Alternative): AST.Element[][] {
  const parts: AST.Element[][] = [];
  for (const [at, element] of elements.entries()) {
    const continues = element.type === 'Character' && elements[at - 1]?.type === 'Character';
    if (continues) parts.at(-1)?.push(element);
    else parts.push([element]);
  }
  return parts;
}

/** A short text that a part of a pattern matches: its quantifiers at least once if the `characters` are given. */
function sampleOf(characters?: readonly string[]) {
  const sample = (node: AST.Element | AST.Alternative, pattern: RegExp): string => {
    switch (node.type) {
      case 'Alternative':
        return node.elements.map((element) => sample(element, pattern)).join('');
      case 'Group':
      case 'CapturingGroup':
        return sample(node.alternatives[0] as AST.Alternative, pattern);
      case 'Quantifier':
        return sample(node.element, pattern).repeat(Math.max(node.min, characters && node.max > 0 ? 1 : 0));
      case 'Character':
        return String.fromCodePoint(node.value);
      case 'CharacterSet':
      case 'CharacterClass': {
        const set = new RegExp(`^${node.raw}$`, pattern.flags.replace(/[gyd]/g, ''));
        return (characters ?? CHARACTERS).find((one) => set.test(one)) ?? '';
      }
      default:
        return '';
    }
  };
  return sample;
}

/** Repetitions of the shortest text. */
const TIMES = 13;

/** A text for which four times the length takes much more than four times the steps, twice; undefined if there's none. */
function growing(pattern: RegExp): string | undefined {
  const stepsIn = createStepCounter(pattern);
  const grows = (text: (times: number) => string, times: number) => {
    const long = stepsIn(text(4 * times));
    return long === Number.POSITIVE_INFINITY || long > 6 * stepsIn(text(times));
  };
  const found = hostileTexts(pattern).find((text) => grows(text, TIMES) && grows(text, 4 * TIMES));
  return found && JSON.stringify(found(3));
}

/** What makes a pattern slow; empty if nothing does. */
function problemsOf(pattern: RegExp): string[] {
  const { reports } = analyse({ source: pattern.source, flags: pattern.flags });
  const text = growing(pattern);
  return [
    ...reports.map(({ type, character }) => `${type}: many of ${character.literal.source}`),
    ...(text === undefined ? [] : [`Too many steps: ${text}`]),
  ];
}

describe('Patterns', () => {
  const { literals, builders } = patternsInSources();
  const folderOf = (file: string) => file.split('/').slice(0, 2).join('/');
  const folders = new Set(literals.map(({ file }) => folderOf(file)));

  // A folder has a test of its own, and so a time limit of its own.
  for (const folder of folders) {
    it(`of ${folder} take linear time, whatever the text is`, async () => {
      const patterns = literals.filter(({ file }) => folderOf(file) === folder);
      for (const file of builders) if (folderOf(file) === folder) patterns.push(...(await builtPatterns(file)));
      const exempt = new Set(
        Object.entries(BOUNDED).flatMap(([file, { sources }]) =>
          folderOf(file) === folder ? sources.map((source) => `${file}: ${source}`) : [],
        ),
      );
      const slow = patterns.flatMap(({ file, pattern }) => {
        const problems = problemsOf(pattern);
        const isExempt = problems.length > 0 && exempt.delete(`${file}: ${pattern.source}`);
        return problems.length > 0 && !isExempt ? [[`${file}: ${pattern}`, ...problems].join('\n  ')] : [];
      });
      assert.deepEqual(slow, []);
      assert.deepEqual([...exempt], [], 'These are exempt, but not slow.');
    });
  }

  it('of all folders are found', () => {
    assert.ok(literals.length > 200);
    for (const file of [...Object.keys(BOUNDED), ...builders]) assert.ok(folders.has(folderOf(file)), file);
  });

  it('that are built when they run are checked, too', () => {
    assert.deepEqual(Object.keys(BUILDERS), builders);
  });

  for (const [what, pattern] of Object.entries({
    'nested repetitions': /^(?:a|aa)+$/,
    'blanks before something': /[ \t]+$/,
    'repetitions of each other': /^(.*?[:-][ \t]+)(\{\{.*?)[ \t]*$/,
    'a word of which each may be the first': /:\/\/[\w.:/]*$/,
    'what opens and never closes': /<[^>]*>/g,
    'looking back over all there is': /(?<=(?<!\\)(?:\\\\)*)\[/,
  })) {
    it(`are found slow because of ${what}`, () => {
      assert.notDeepEqual(problemsOf(pattern), []);
    });
  }
});
