import assert from 'node:assert/strict';
import { EventEmitter, env, type Progress, type QuickPickOptions, type window } from 'vscode';
import { escapeInvisible } from '../../../src/markup/escapeInvisible.ts';
import { shownText } from '../../../src/markup/safeText.ts';
import {
  askCheckedInput,
  askInput,
  askModal,
  copyText,
  pickMany,
  pickOne,
  reportShare,
  separator,
  showFailure,
  showInfo,
  showProgress,
  showWarning,
  signalOf,
  withoutLinks,
} from '../../../src/presentation/dialogs.ts';
import { joinSentences } from '../../../src/presentation/formats.ts';
import { iconText, l10n, type ShownText } from '../../../src/presentation/shown.ts';
import { answer, onInputBox, onMessages, onModals, onStatusBar, restore, type } from '../answers.ts';
import { deferred, settled } from '../deferred.ts';

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

describe('A text that is checked when the user presses Enter', () => {
  afterEach(restore);
  let asked: Promise<string | undefined>;
  let checked: string[];
  let signals: AbortSignal[];
  let warningOf: (text: string) => Promise<ShownText | undefined>;
  let input: ReturnType<typeof onInputBox>;

  const message = () => input.box.validationMessage?.message;

  beforeEach(() => {
    checked = [];
    signals = [];
    warningOf = async () => undefined;
    input = onInputBox();
    asked = askCheckedInput({
      title: shownText`Set Bot Token`,
      prompt: shownText`Enter the token.`,
      hides: (text) => text.startsWith('secret'),
      validate: (text) => (text ? undefined : shownText`The token is missing.`),
      check: (text, signal) => {
        checked.push(text);
        signals.push(signal);
        return warningOf(text);
      },
    });
  });
  it('is used if nothing speaks against it, and not checked before', async () => {
    await input.enter();
    assert.equal(message(), 'The token is missing.');
    assert.deepEqual(checked, []);
    input.type('a');
    assert.equal(message(), undefined);
    await input.enter();
    assert.equal(await asked, 'a');
    assert.deepEqual(checked, ['a']);
  });

  it('is used in spite of a warning if Enter is pressed once more, unless it has changed', async () => {
    warningOf = async () => shownText`The service refuses it.`;
    for (const text of ['a', 'b']) {
      input.type(text);
      assert.equal(message(), undefined);
      await input.enter();
      assert.equal(message(), 'The service refuses it.');
      assert.equal(input.box.busy, false);
    }
    await input.enter();
    assert.equal(await asked, 'b');
    assert.deepEqual(checked, ['a', 'b']);
  });

  it('is checked once, and what the check says is ignored once the text has changed', async () => {
    const check = deferred<ShownText | undefined>();
    warningOf = (text) => (text === 'a' ? check.promise : Promise.resolve(undefined));
    input.type('a');
    await input.enter();
    await input.enter();
    assert.equal(message(), 'Checking…');
    assert.equal(input.box.busy, true);
    assert.deepEqual(checked, ['a']);
    input.type('b');
    assert.equal(signals[0]?.aborted, true);
    assert.equal(input.box.busy, false);
    check.resolve(shownText`The service refuses it.`);
    await settled();
    assert.equal(message(), undefined);
    await input.enter();
    assert.equal(await asked, 'b');
  });

  it('is none if the user cancels, which ends the check', async () => {
    warningOf = () => new Promise(() => {});
    input.type('a');
    await input.enter();
    input.escape();
    assert.equal(await asked, undefined);
    assert.equal(signals[0]?.aborted, true);
  });

  it('is hidden as long as it may be a secret', () => {
    for (const [text, isHidden] of [
      ['secret', true],
      ['7', false],
    ] as const) {
      input.type(text);
      assert.equal(input.box.password, isHidden);
    }
  });
});

describe('What is going on', () => {
  afterEach(restore);
  it('is shown with a button to cancel it', async () => {
    const shown: unknown[] = [];
    const token = { isCancellationRequested: false };
    answer('withProgress', (async (options: object, run: (progress: Progress<object>, token: object) => unknown) => {
      shown.push(options);
      return run({ report: (step) => shown.push(step) }, token);
    }) as unknown as typeof window.withProgress);
    const result = await showProgress(shownText`Exporting…`, async (report, given) => {
      assert.equal(given, token);
      report({ increment: 5 });
      report({ message: shownText`1 of 20` });
      return 'done';
    });
    assert.equal(result, 'done');
    const [options, ...steps] = shown;
    assert.partialDeepStrictEqual(options, { title: 'Exporting…', cancellable: true });
    assert.deepEqual(steps, [{ increment: 5 }, { message: '1 of 20' }]);
  });

  it('is reported in whole percents', () => {
    const increments: unknown[] = [];
    const report = reportShare(({ increment }) => increments.push(increment));
    for (const done of [0, 0.004, 0.25, 0.259, 0.5, 1]) report(done);
    assert.deepEqual(increments, [25, 25, 50]);
  });

  it('is canceled at once, or when the user asks for it', () => {
    const canceling = new EventEmitter<void>();
    const token = { onCancellationRequested: canceling.event };
    assert.equal(signalOf({ ...token, isCancellationRequested: true }).aborted, true);
    const signal = signalOf({ ...token, isCancellationRequested: false });
    assert.equal(signal.aborted, false);
    canceling.fire();
    assert.equal(signal.aborted, true);
  });
});

describe('A choice', () => {
  afterEach(restore);
  it('is of one item or several', async () => {
    const many: unknown[] = [];
    answer('showQuickPick', (async (_: unknown, { canPickMany = false }: QuickPickOptions) => {
      many.push(canPickMany);
    }) as unknown as typeof window.showQuickPick);
    await pickOne([], {});
    await pickMany([], {});
    assert.deepEqual(many, [false, true]);
  });
});

describe('A typed text', () => {
  afterEach(restore);
  it('says what it means, if it can be used and that needs to be said', async () => {
    const boxes = type('x');
    await askInput({
      validateInput: (text) => (text === 'no' ? shownText`Enter a day.` : undefined),
      noteFor: (text) => (text === 'today' ? shownText`= May 2` : undefined),
    });
    const said = ['no', 'today', '2026-05-02'].map((text) => boxes[0]?.validateInput?.(text));
    assert.equal(said[0], 'Enter a day.');
    assert.partialDeepStrictEqual(said[1], { message: '= May 2' });
    assert.equal(said[2], undefined);
  });
});

describe('A copied text', () => {
  afterEach(restore);
  it('is in the clipboard, which the status bar says', async () => {
    const said = onStatusBar();
    await copyText('7058314');
    assert.equal(await env.clipboard.readText(), '7058314');
    assert.deepEqual(said, ['Copied']);
  });
});
