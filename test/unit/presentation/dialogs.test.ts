import assert from 'node:assert/strict';
import type { Progress, window } from 'vscode';
import {
  askInput,
  safeLabel,
  showFailure,
  showInfo,
  showProgress,
  showWarning,
  withoutLinks,
} from '../../../src/presentation/dialogs.ts';
import { answer, onMessages, restore, type } from '../answers.ts';

/** What VS Code takes for links in notifications, prompts and progress. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)/;
const HOSTILE = 'code 1003: [Set Bot Token…](command:workbench.action.quit) [a](https://a.example)';

describe('Words that VS Code shows', () => {
  afterEach(restore);

  it('hold what VS Code would take for a link', () => assert.match(HOSTILE, LINK));

  it('become no link in a notification', async () => {
    const shown = onMessages();
    for (const say of [showInfo, showWarning, showFailure]) await say(HOSTILE, 'OK');
    assert.equal(shown.length, 3);
    for (const text of shown) assert.doesNotMatch(text, LINK);
  });

  it('become no link in the prompt of a question, or in what is wrong with an answer', async () => {
    const boxes = type('x');
    assert.equal(await askInput({ prompt: HOSTILE, validateInput: (text) => text || undefined }), 'x');
    assert.doesNotMatch(boxes[0]?.prompt ?? '', LINK);
    assert.doesNotMatch(String(boxes[0]?.validateInput?.(HOSTILE)), LINK);
    assert.equal(boxes[0]?.validateInput?.(''), undefined);
  });

  it('become no link in progress', async () => {
    const said: unknown[] = [];
    answer('withProgress', (async (
      { title }: { title: string },
      run: (progress: Progress<{ message?: string }>) => unknown,
    ) => {
      said.push(title);
      return run({ report: ({ message }) => said.push(message) });
    }) as unknown as typeof window.withProgress);
    await showProgress(HOSTILE, async (report) => report({ message: HOSTILE }));
    assert.equal(said.length, 2);
    for (const text of said) assert.doesNotMatch(String(text), LINK);
  });

  it('look as before', () => {
    assert.equal(withoutLinks('[a](b) and [c] (d)').replaceAll('\u200b', ''), '[a](b) and [c] (d)');
    assert.equal(withoutLinks('Sent: 2 of 2 reached.'), 'Sent: 2 of 2 reached.');
  });

  it('become no icon in a list, but for the one that is named', () => {
    assert.equal(safeLabel('$(error) a $(b)'), '\\$(error) a \\$(b)');
    assert.equal(safeLabel('$(error)', 'hubot'), '$(hubot) \\$(error)');
  });
});
