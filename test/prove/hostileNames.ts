/** Hostile names, IDs and error texts in VS Code's own interface. */
import '../unit/vscode.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import type { MarkdownString, Progress, window } from 'vscode';
import type { ShownText } from '../../src/markup/safeText.ts';
import { hostileTexts } from './hostileMessages/hostile.ts';
import { count, type Effort, type Proof, search } from './proof.ts';

/** What VS Code renders as a link in notifications, prompts and progress. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
/** What VS Code renders as an icon in lists, unless escaped by a backslash. */
const ICON = /(\\)?\$\([a-z0-9-]+(?:~[a-z]+)?\)/gi;

/** Stricter than VS Code, which allows no HTML in these texts. */
const reader = new MarkdownIt({ html: true });

async function run(effort: Effort): Promise<string[]> {
  // These import `vscode`, which is mocked by now.
  const [
    { answer, onMessages, restore, type },
    dialogs,
    { iconText, l10n, textCard },
    { errorText, shortErrorText },
    { ServiceError },
  ] = await Promise.all([
    import('../unit/answers.ts'),
    import('../../src/presentation/dialogs.ts'),
    import('../../src/presentation/shown.ts'),
    import('../../src/presentation/errorText.ts'),
    import('../../src/service/errors.ts'),
  ]);
  let texts = 0;

  /** Everything that VS Code is asked to show for this text. */
  const shownFor = async (words: ShownText): Promise<string[]> => {
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
      for (const say of [dialogs.showInfo, dialogs.showWarning, dialogs.showFailure]) await say(words);
      await dialogs.askInput({ prompt: words, validateInput: () => words });
      await dialogs.showProgress(words, async (report) => report({ message: words }));
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
    new ServiceError({ kind: 'unreadable', path: text, problem: { expected: text, actual: text } }),
    new Error(text),
  ];

  const properties = {
    'a name, an ID or an error text is never a link in a message or prompt': fc.asyncProperty(
      hostileTexts,
      async (text) => {
        texts++;
        for (const words of [
          l10n.t('{0}', text),
          ...errorsOf(text).flatMap((error) => [errorText(error), shortErrorText(error)]),
        ]) {
          for (const said of await shownFor(words)) assert.doesNotMatch(said, LINK, `a link that acts: ${said}`);
        }
      },
    ),
    'a name or an ID is never an icon in a list': fc.asyncProperty(hostileTexts, async (text) => {
      texts++;
      const { label } = dialogs.separator(l10n.t('{0}', text));
      for (const said of [iconText(text), label]) {
        for (const [icon, backslash] of said.matchAll(ICON)) assert.equal(backslash, '\\', `${icon} in ${said}`);
      }
    }),
    'a tooltip is plain text only': fc.asyncProperty(hostileTexts, async (text) => {
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

const name = 'hostileNames';
export const hostileNames: Proof = { name, run };
