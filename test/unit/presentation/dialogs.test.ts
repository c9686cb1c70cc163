import assert from 'node:assert/strict';
import type { Progress, QuickPickOptions, window } from 'vscode';
import { escapeInvisible } from '../../../src/markup/escapeInvisible.ts';
import {
  askInput,
  askModal,
  pickMany,
  pickOne,
  separator,
  showFailure,
  showInfo,
  showProgress,
  showWarning,
  withoutLinks,
} from '../../../src/presentation/dialogs.ts';
import { joinSentences } from '../../../src/presentation/formats.ts';
import { iconText, l10n } from '../../../src/presentation/shown.ts';
import { answer, onMessages, onModals, restore, type } from '../answers.ts';

/** The syntax that VS Code renders as links in notifications, prompts and progress. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)/;
const HOSTILE = escapeInvisible('code 1003: [Set Bot Token…](command:workbench.action.quit) [a](https://a.example)');

describe('Text shown in dialogs', () => {
  afterEach(restore);

  it("would contain a link if it weren't escaped", () => assert.match(HOSTILE, LINK));

  it("isn't linked in a notification", async () => {
    const shown = onMessages();
    for (const show of [showInfo, showWarning, showFailure]) await show(HOSTILE);
    assert.equal(shown.length, 3);
    for (const text of shown) assert.doesNotMatch(text, LINK);
  });

  it("isn't linked in the prompt or validation message of an input box", async () => {
    const boxes = type('x');
    assert.equal(await askInput({ prompt: HOSTILE, validateInput: (text) => escapeInvisible(text) || undefined }), 'x');
    assert.doesNotMatch(boxes[0]?.prompt ?? '', LINK);
    assert.doesNotMatch(String(boxes[0]?.validateInput?.(HOSTILE)), LINK);
    assert.equal(boxes[0]?.validateInput?.(''), undefined);
  });

  it("isn't linked in progress", async () => {
    const texts: unknown[] = [];
    answer('withProgress', (async (
      { title }: { title: string },
      run: (progress: Progress<{ message?: string }>) => unknown,
    ) => {
      texts.push(title);
      return run({ report: ({ message }) => texts.push(message) });
    }) as unknown as typeof window.withProgress);
    await showProgress(HOSTILE, async (report) => report({ message: HOSTILE }));
    assert.equal(texts.length, 2);
    for (const text of texts) assert.doesNotMatch(String(text), LINK);
  });

  it('looks unchanged', () => {
    assert.equal(withoutLinks(escapeInvisible('[a](b) and [c] (d)')).replaceAll('\u200b', ''), '[a](b) and [c] (d)');
    assert.equal(withoutLinks(escapeInvisible('Sent: 2 of 2 reached.')), 'Sent: 2 of 2 reached.');
  });

  it('hides and reverses nothing, and is cut off between characters', async () => {
    const hostile = escapeInvisible(`\u202Eexe\u2066\u200F\u{E0041}\0 ${'😀'.repeat(100_000)}`);
    const shown: string[] = onMessages();
    for (const show of [showInfo, showWarning, showFailure]) await show(hostile);
    await askModal(hostile, hostile);
    const modals = onModals(() => undefined);
    await askModal(hostile, hostile);
    shown.push(...modals.flatMap(({ message, detail }) => [message, detail]));
    const boxes = type('x');
    await askInput({ title: hostile, prompt: hostile, placeHolder: hostile, validateInput: () => hostile });
    const [box] = boxes;
    shown.push(box?.title ?? '', box?.prompt ?? '', box?.placeHolder ?? '', String(box?.validateInput?.('')));
    answer('showQuickPick', (async (_: unknown, options: QuickPickOptions) => {
      shown.push(options.title ?? '', options.placeHolder ?? '');
    }) as unknown as typeof window.showQuickPick);
    await pickOne([], { title: hostile, placeHolder: hostile });
    await pickMany([], { title: hostile, placeHolder: hostile });
    shown.push(iconText(hostile), separator(hostile).label);
    assert.equal(shown.length, 16);
    for (const text of shown) {
      assert.match(text, /^⟨U\+202E⟩exe⟨U\+2066⟩⟨U\+200F⟩⟨U\+E0041⟩⟨U\+0000⟩ 😀/u);
      assert.match(text, /😀…$/u);
      assert.ok(text.length <= 10_001, `${text.length}`);
      assert.doesNotMatch(text, /\p{Cs}/u);
    }
  });

  it('shows a byte order mark within a text', () => {
    assert.equal(l10n.t('“{0}”', '\uFEFFname'), '“⟨U+FEFF⟩name”');
    assert.equal(joinSentences('One.', '\uFEFFTwo.'), 'One. ⟨U+FEFF⟩Two.');
  });

  it('keeps the lines of a dialog, and none in a list', async () => {
    const shown = onModals(() => undefined);
    await askModal(escapeInvisible('a'), escapeInvisible('b\n\nc'));
    assert.deepEqual([...shown.map(({ detail }) => detail), iconText('b\n\nc')], ['b\n\nc', 'b c']);
  });

  it('ends right-to-left names in a list, so that a number beside one stays there', () => {
    assert.equal(iconText('مريم', 'account'), '$(account) مريم\u200E');
    assert.equal(iconText('ޢަލީ'), 'ޢަލީ\u200E');
    assert.equal(iconText('Ann 林'), 'Ann 林');
  });

  it('keeps the IDs of right-to-left names beside them in a dialog', async () => {
    const modals = onModals(() => undefined);
    await askModal(escapeInvisible('مريم（7）'), escapeInvisible('مريم (7), דנה (8), ޢަލީ (9)'));
    const shown = modals.flatMap(({ message, detail }) => [message, detail]);
    assert.deepEqual(shown, ['مريم\u200E（7）', 'مريم\u200E (7), דנה\u200E (8), ޢަލީ\u200E (9)']);
  });

  it('shows no icon in a list except the given one', () => {
    assert.equal(iconText('$(error) a $(b)'), '\\$(error) a \\$(b)');
    assert.equal(iconText('$(error)', 'hubot'), '$(hubot) \\$(error)');
  });
});
