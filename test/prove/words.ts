/** Hostile names, IDs and texts of errors where VS Code itself shows them. */
import '../unit/vscode.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import type { MarkdownString, Progress, window } from 'vscode';
import { hostileTexts } from './hostile.ts';
import { count, type Effort, type Proof, search } from './proof.ts';

/** What VS Code makes links of in notifications, prompts and progress. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
/** What VS Code makes icons of in lists, unless a backslash is before it. */
const ICON = /(\\)?\$\([a-z0-9-]+(?:~[a-z]+)?\)/gi;

/** VS Code lets HTML pass in no such text, but others may come to do so. */
const reader = new MarkdownIt({ html: true });

async function run(effort: Effort): Promise<string[]> {
  // They import what only VS Code has, or what stands in for it from here on.
  const [
    { answer, onMessages, restore, type },
    doors,
    { textTooltip: textCard },
    { errorText: explain, shortErrorText: brief },
    { ServiceError },
  ] = await Promise.all([
    import('../unit/answers.ts'),
    import('../../src/presentation/dialogs.ts'),
    import('../../src/presentation/card.ts'),
    import('../../src/presentation/errorText.ts'),
    import('../../src/service/errors.ts'),
  ]);
  let texts = 0;

  /** All that VS Code is given where these words are said, asked or told of. */
  const saidBy = async (words: string): Promise<string[]> => {
    const shown: string[] = onMessages();
    const boxes = type('x');
    answer('withProgress', (async (
      { title }: { title: string },
      task: (progress: Progress<{ message?: string }>) => unknown,
    ) => {
      shown.push(title);
      return task({ report: ({ message }) => message !== undefined && shown.push(message) });
    }) as unknown as typeof window.withProgress);
    try {
      for (const say of [doors.showInfo, doors.showWarning, doors.showFailure]) await say(words, 'OK');
      await doors.askInput({ prompt: words, validateInput: () => words });
      await doors.showProgress(words, async (report) => report({ message: words }));
      const wrong = await boxes[0]?.validateInput?.(words);
      return [...shown, boxes[0]?.prompt ?? '', String(wrong ?? '')];
    } finally {
      restore();
    }
  };

  const errorsOf = (text: string) => [
    new ServiceError({ kind: 'rejected', code: 1003, text, status: 200 }),
    new ServiceError({ kind: 'http', status: 502, excerpt: text }),
    new ServiceError({ kind: 'notFound', what: 'user', id: text, code: -1, text }),
    new ServiceError({ kind: 'unreadable', path: text, problem: text }),
    new Error(text),
  ];

  const properties = {
    'whatever a name, an ID or an error says, it is no link where VS Code says or asks it': fc.asyncProperty(
      hostileTexts,
      async (text) => {
        texts++;
        for (const words of [text, ...errorsOf(text).flatMap((error) => [explain(error), brief(error)])]) {
          for (const said of await saidBy(words)) assert.doesNotMatch(said, LINK, `a link that acts: ${said}`);
        }
      },
    ),
    'whatever a name or an ID says, it is no icon in a list': fc.asyncProperty(hostileTexts, async (text) => {
      texts++;
      const { label } = doors.separator(text);
      for (const said of [doors.safeLabel(text), label]) {
        for (const [icon, backslash] of said.matchAll(ICON)) assert.equal(backslash, '\\', `${icon} in ${said}`);
      }
    }),
    'whatever a tooltip says, it is text alone': fc.asyncProperty(hostileTexts, async (text) => {
      texts++;
      const card: MarkdownString = textCard(text);
      assert.ok(!card.isTrusted && !card.supportHtml);
      for (const { type, children } of reader.parse(card.value, {})) {
        assert.match(type, /^(?:paragraph_(?:open|close)|inline)$/, card.value);
        for (const { type } of children ?? []) {
          assert.match(type, /^(?:text|text_special|hardbreak|softbreak)$/, `a link that acts, or HTML: ${card.value}`);
        }
      }
    }),
  };
  const { found } = await search({ name, properties, runsPerRound: 200 }, effort);
  effort.tally('payloads', texts);
  const result = found.length === 0 ? '0 links, 0 icons' : `${found.length} found`;
  effort.report(`${name}: ${count(texts, 'hostile texts')}, ${result}`);
  return found;
}

const name = 'words';
export const words: Proof = { name, run };
