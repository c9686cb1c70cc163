/** Hostile texts through everything that reads texts from outside: four times the text never takes much more than that. */
import '../unit/vscode.ts';
import { runInThisContext } from 'node:vm';
import fc from 'fast-check';
import { messageRow } from '../../src/agent/readTool.ts';
import { blockLocationAt } from '../../src/deliveries/draft/document/blockLocation.ts';
import { parseDraft } from '../../src/deliveries/draft/document/parseDraft.ts';
import { htmlProblems, markdownProblems } from '../../src/deliveries/draft/document/textProblems.ts';
import { variableProblems } from '../../src/deliveries/draft/recipients/variableProblems.ts';
import { candidatePattern, findIds, isValue } from '../../src/ids/findIds.ts';
import { rangesOf } from '../../src/markup/caseFolding.ts';
import { readCsv } from '../../src/markup/csv.ts';
import { excerpt, visibleText } from '../../src/markup/escapeInvisible.ts';
import { codeBlock, codeSpan, escapeLabel, escapeValue, markdownLink } from '../../src/markup/escapeMarkdown.ts';
import { parseWebAddress, safeLink, splitLinks } from '../../src/markup/links.ts';
import { idInCell } from '../../src/markup/listedId.ts';
import { escapeProse, escapeVariables } from '../../src/markup/markdownVariables.ts';
import { fileNameIn, hasExpired } from '../../src/markup/media.ts';
import { toDraft } from '../../src/markup/messageDraft.ts';
import { toMarkdown } from '../../src/markup/messageFormats.ts';
import { MessageTemplate } from '../../src/markup/messageTemplate.ts';
import { idsIn } from '../../src/markup/pastedIds.ts';
import { htmlEntry } from '../../src/markup/rendered/exportHtml.ts';
import { markdownEntry } from '../../src/markup/rendered/exportMarkdown.ts';
import { renderMarkdown } from '../../src/markup/rendered/markdownHtml.ts';
import { onOneLine, searchableText, toText } from '../../src/markup/rendered/shownText.ts';
import { parseQuery } from '../../src/markup/searchTerms.ts';
import { tokensOf } from '../../src/markup/words.ts';
import { isTableWithoutIds } from '../../src/presentation/recipientCsv.ts';
import type { Message } from '../../src/service/message.ts';
import { createTokenRedactor, redactFragments, redactToken } from '../../src/service/redaction.ts';
import { exportLabels, newConversation } from '../unit/markup/exportLabels.ts';
import { count, type Effort, type Proof, search, split } from './proof.ts';

/** What is written again and again: whatever begins, ends or escapes something for one of the readers. */
const WORDS = [
  ...[' ', '\t', '\n', '\r\n', '\n\n', '\n  ', '\n> ', '\n- ', '\n1. ', '\n# ', '\n    ', '\n---\n', '\n| '],
  ...['[a]: ', ']: ', '<a ', 'a: ', '? ', '\0', '\u0301', '\u200B', '\u202E', '\uD800', '\uFFFF'],
  ...split(`
    a 7 [ ] ( ) < > { } {{ }} {{a}} {{a| \\ \\{{ * _ ~~ \` \`\`\` ![ ]( ](< [a]( ][ (( </ <!-- --> <![CDATA[ <?
    <style> <script> href=" =' & &amp; &# ; " "" ' , : / // https:// www. @ a@b.c . ?a= % %2 chat: # ! | = + - 中 😀`),
];
const HEADS = [
  '',
  '---\nchat:\n  bot: 1\n---\n',
  '---\nchat:\n  ',
  '---\nchat:\n  groups: [7]\n  type: html\n---\n',
  'id,',
];

const words = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...WORDS) },
  fc.array(fc.constantFrom(...WORDS), { minLength: 2, maxLength: 3 }).map((all) => all.join('')),
);
/** What surrounds the growing word may grow, too. */
const part = fc.record({ word: words, grows: fc.boolean() });
const growingTexts = fc
  .tuple(fc.constantFrom(...HEADS), fc.array(part, { maxLength: 2 }), words, fc.array(part, { maxLength: 1 }))
  .map(([head, before, word, after]) => ({ head, parts: [...before, { word, grows: true }, ...after] }));
type GrowingText = typeof growingTexts extends fc.Arbitrary<infer T> ? T : never;

/** About this many UTF-16 units long. */
const grow = ({ head, parts }: GrowingText, length: number) => {
  const each = length / parts.filter(({ grows }) => grows).length;
  return head + parts.map(({ word, grows }) => word.repeat(grows ? Math.ceil(each / word.length) : 1)).join('');
};

const drain = (all: Iterable<unknown>) => {
  for (const _ of all);
};
const draftOf = (text: string, keepFrontMatter = false) => parseDraft(text, { keepFrontMatter, audiences: () => [] });

const TYPES = ['text', 'markdown', 'html', 'post', 'file', 'tip'];

/** Messages that have this text in one of their parts. */
const messagesWith = (text: string): Message[] => {
  const message: Message = {
    msgId: '1',
    parentId: '2',
    senderId: '3',
    senderType: 'user',
    senderNickname: 'A',
    contentType: 'text',
    content: {},
    sendTime: 1,
    commandName: '',
    commandId: 0,
  };
  return [
    ...TYPES.map((contentType) => ({ ...message, contentType, content: { text } })),
    { ...message, contentType: 'post', content: { postTitle: text, postContent: text } },
    { ...message, content: { parent: text } },
    { ...message, contentType: 'file', content: { fileName: text, fileUrl: `https://a.test/${text}` } },
    { ...message, content: { buttons: [[{ text, actionType: 1, url: text, value: text }]] } },
    { ...message, senderNickname: text, commandName: text },
  ];
};
const entriesWith = (text: string) =>
  messagesWith(text).map((message) => ({ readable: true, message, raw: text }) as const);
const readEntries = (read: (entry: ReturnType<typeof entriesWith>[number]) => unknown) => (text: string) =>
  entriesWith(text).map(read);

const FORMATS = ['markdown', 'html', 'text'] as const;
const template = (contentType: (typeof FORMATS)[number], text: string) =>
  new MessageTemplate({ contentType, content: { text } });
const VARIED = '{{a}} [a](https://a.test/{{a}}) {{a}}';

const IDS = { candidates: candidatePattern(['a.b', '7_c', '中']), isKnown: () => true, likely: /^\d{7,}$/ };

/** Each reads a text in one way, so that what takes linear time doesn't hide what takes more. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'a draft': draftOf,
  'a draft whose front matter is sent': (text) => draftOf(text, true),
  'the variables of a draft': (text) => variableProblems(text, draftOf(text), undefined),
  'the keys at the cursor': (text) => blockLocationAt(text, text.length),
  'pictures and bold text in Markdown': (text) => markdownProblems(text, 0),
  'pictures in HTML': (text) => htmlProblems(text, 0),
  'variables to be escaped': escapeVariables,
  'variables to be escaped outside code': escapeProse,
  'Markdown to be shown': (text) => renderMarkdown(text, { loadImages: true }),
  'Markdown to be escaped': escapeValue,
  'a label': escapeLabel,
  code: (text) => [codeSpan(text), codeBlock('', text)],
  'an address': (text) => markdownLink('a', text),
  'an error text': (text) => excerpt(text, 1e6),
  'a name': (text) => visibleText(text, 1e6),
  'a text with links': splitLinks,
  'a link': (text) => safeLink(`https://a.test/${text}`, text),
  'the address of a file': (text) => [fileNameIn(text), hasExpired(parseWebAddress(text) ?? '', 0)],
  'a text with IDs': (text) => drain(findIds(text, IDS)),
  'values that are IDs': (text) => {
    for (const found of findIds(text, IDS)) isValue(text, found);
  },
  'a list of IDs': (text) => drain(idsIn(text)),
  CSV: (text) => drain(readCsv(text, ',')),
  'a list of recipients without columns': isTableWithoutIds,
  'a cell with an ID': idInCell,
  'a search': parseQuery,
  'words to be found': tokensOf,
  'a text that is searched': (text) => rangesOf(text, 'a7'),
  'a token to be removed': (text) => redactToken(text, 'aa&7%25'),
  'pieces of a token to be removed': (text) => redactFragments(text, 'aa&7%25'),
  'data with a token': (text) => createTokenRedactor(text, 'aa&7%25')({ text }),
  'a message as text': readEntries((entry) => toText(entry)),
  'a message as Markdown': readEntries((entry) => toMarkdown(entry)),
  'a message as a draft': readEntries((entry) => toDraft(entry)),
  'what a message answers': readEntries((entry) => newConversation().next(entry)),
  'a message exported as Markdown': readEntries((entry) => markdownEntry(entry, SETTING, exportLabels, 0)),
  'a message exported as HTML': readEntries((entry) => htmlEntry(entry, SETTING, { labels: exportLabels, now: 0 })),
  'a message to be found': readEntries((entry) => searchableText(entry)),
  'a message that was found': readEntries((entry) => onOneLine(searchableText(entry))),
  'a message for an agent': readEntries((entry) => messageRow(entry)),
  ...Object.fromEntries(
    FORMATS.flatMap((format) => [
      [`a template in ${format}`, (text: string) => template(format, text).render(() => 'a')],
      [`a value in ${format}`, (text: string) => template(format, VARIED).render(() => text)],
    ]),
  ),
};
const SETTING = newConversation().next({ readable: false, raw: '' });

/** UTF-16 units of the shortest text. */
const LENGTH = 8_000;
/** Nobody waits so long (milliseconds). */
const TIMEOUT = 3_000;
/** What takes less isn't told from noise, and what takes more isn't noise (milliseconds of CPU time). */
const [LEAST, CLEAR] = [12, 500];
/** Linear time is 4, sorting little more; quadratic time is 16. */
const MAX_GROWTH = 9;
/** Other work of the machine and its first compilation must not count. */
const TRIES = 3;

/** Milliseconds of CPU time that reading takes, the least of several tries; infinite if it doesn't end. */
function timeOf(read: (text: string) => unknown, text: string): number {
  let least = Infinity;
  for (let left = TRIES; left > 0 && least > LEAST && (left === TRIES || least < CLEAR); left--)
    least = Math.min(
      least,
      timeOnce(() => read(text)),
    );
  return least;
}

/** A script can be stopped in the middle of a pattern, too. */
function timeOnce(run: () => unknown, timeout = TIMEOUT): number {
  const global = globalThis as { __run?: () => unknown };
  global.__run = run;
  const before = process.threadCpuUsage();
  const taken = () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  try {
    runInThisContext('__run()', { timeout });
    return taken();
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    // The timeout is one of the wall clock: on a busy machine, others may have had most of it.
    return taken() < TIMEOUT / 2 ? timeOnce(run, 2 * timeout) : Infinity;
  } finally {
    delete global.__run;
  }
}

async function run(effort: Effort): Promise<string[]> {
  let texts = 0;
  let most = 0;
  const properties = Object.fromEntries(
    Object.entries(READERS).map(([what, read]) => [
      `reading ${what} takes linear time`,
      fc.asyncProperty(growingTexts, async (text) => {
        texts++;
        const times = (length: number) => timeOf(read, grow(text, length));
        let [before, now, length] = [0, times(LENGTH), LENGTH];
        do {
          length *= 4;
          [before, now] = [now, times(length)];
          if (now <= LEAST || (now < Infinity && now / Math.max(before, LEAST / 4) <= MAX_GROWTH)) {
            most = Math.max(most, now);
            return;
          }
        } while (now < CLEAR);
        throw new Error(
          `It hangs: ${Math.round(now)} ms for ${length} characters, ${Math.round(before)} ms for a quarter`,
        );
      }),
    ]),
  );
  const { found, cases } = await search({ name, properties, runsPerRound: 20 }, effort);
  effort.tally('grown texts', texts);
  effort.report(`${name}: ${count(cases, 'texts that grow')}, at most ${Math.round(most)} ms`);
  return found;
}

const name = 'slowTexts';
export const slowTexts: Proof = { name, run };
