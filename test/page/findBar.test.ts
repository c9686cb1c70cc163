import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fold } from '../../src/markup/caseFolding.ts';
import { searchableText } from '../../src/markup/rendered/shownText.ts';
import type { EdgeView } from '../../src/protocol/history.ts';
import type { Listed } from '../../src/service/message.ts';
import { CHAT, openArchive } from '../unit/chats/archive/archives.ts';
import { inView, isInView } from '../window/seeing.ts';
import { listed } from './messages.ts';
import { closeEachPage, frames } from './numberedHistory.ts';
import { assertHarmless, historyPage, html, markdown, openFresh, text } from './sharedHistory.ts';

const WORDS = ['one', 'Two', '重要', '会议', 'AT&amp;T', '1 &lt; 2', 'caf&eacute;', 'كِتاب', 'a_b', '2*3', '!'];
const SPACES = ['', ' ', '\n', '&nbsp;', '  '];
const MARKS = [
  '**',
  '*',
  '_',
  '`',
  '~~',
  '[',
  '](https://bank.example/a)',
  '![',
  '<b>',
  '\\',
  'https://a.example/b',
  '|',
];
const BLOCKS = ['\n\n', '\n# ', '\n- ', '\n1. ', '\n> ', '\n- [ ] ', '\n```js\n', '\n---\n', '\n|a|b|\n|-|-|\n|'];

const word = fc.constantFrom(...WORDS);
const space = fc.constantFrom(...SPACES);
const mark = fc.constantFrom('**bold**', '`code`', ...MARKS);
const block = fc.constantFrom(...BLOCKS);

/** Random Markdown, whether or not its marks belong together. */
const someMarkdown = fc
  .array(fc.oneof(word, space, mark, block), { maxLength: 20 })
  .map((pieces) => markdown(pieces.join('')));

/** Random HTML, whose elements are closed. */
const someHtml = fc
  .letrec<{ inline: string; block: string }>((tie) => ({
    inline: fc.oneof(
      { maxDepth: 3 },
      fc.tuple(word, space).map((pieces) => pieces.join('')),
      fc.constantFrom(
        '<br>',
        '<!-- no -->',
        '<style>p { margin: 0 }</style>',
        '<img src="https://a.example/b.png" alt="pic">',
      ),
      fc
        .tuple(fc.constantFrom('b', 'i', 'span', 'code', 'u', 'font', 'sup'), fc.array(tie('inline'), { maxLength: 3 }))
        .map(([name, inner]) => `<${name} class="c">${inner.join('')}</${name}>`),
      word.map((label) => `<a href="https://a.example/b">${label}</a>`),
    ),
    block: fc.oneof(
      { maxDepth: 3 },
      fc.array(tie('inline'), { maxLength: 4 }).map((inner) => `<p>${inner.join('')}</p>`),
      fc.array(tie('inline'), { maxLength: 4 }).map((inner) => `<pre>${inner.join('')}</pre>`),
      fc
        .array(tie('inline'), { maxLength: 3 })
        .map((cells) => `<table><tr><td>${cells.join('</td><td>')}</td></tr></table>`),
      fc.array(tie('block'), { maxLength: 3 }).map((items) => `<ul><li>${items.join('</li><li>')}</li></ul>`),
      fc.array(fc.oneof(tie('inline'), tie('block')), { maxLength: 3 }).map((inner) => `<div>${inner.join('')}</div>`),
    ),
  }))
  .block.map((page) => html(page));

describe('The find bar', () => {
  closeEachPage();

  const bar = () => historyPage.page.getByRole('search');
  const count = () => bar().getByRole('status');
  /** Types words, and waits until the bar says which of how many matches is the current one, such as "1 of 2". */
  const find = async (words: string, match?: string) => {
    await historyPage.post({ type: 'find' });
    await bar().getByRole('textbox').fill(words);
    if (match) await count().getByText(match).waitFor();
  };
  /** Waits until the page highlights these texts, in any order: in the current match, and in others. */
  const waitForHighlights = (current: readonly string[], others: readonly string[]) =>
    historyPage.page.waitForFunction(
      (expected) => {
        const marked = (name: string) => Array.from(CSS.highlights.get(name) ?? [], (range) => `${range}`).sort();
        return JSON.stringify([marked('found-here'), marked('found')]) === expected;
      },
      JSON.stringify([current, others]),
    );
  /** Waits until the current match is on the screen, and stays there while rows are measured for some frames. */
  const waitUntilMatchIsVisible = async () => {
    const { page } = historyPage;
    const isVisible = () =>
      page.waitForFunction(() => {
        const [range] = CSS.highlights.get('found-here') ?? [];
        const { top = -1, bottom = Infinity } = range instanceof Range ? range.getBoundingClientRect() : {};
        const list = document.querySelector('main')?.getBoundingClientRect();
        const box = range?.startContainer.parentElement?.closest('pre')?.getBoundingClientRect() ?? list;
        if (!list || !box) return false;
        return top >= Math.max(list.top, box.top) && bottom <= Math.min(list.bottom, box.bottom);
      });
    await isVisible();
    await frames(40);
    await isVisible();
  };
  const from = (senderNickname: string, senderId: string) =>
    listed({ contentType: 'text', content: { text: 'Hi' }, senderNickname, senderId });
  const withId = (msgId: string, words: string) => listed({ msgId, contentType: 'text', content: { text: words } });

  it('highlights every match it counts, in all forms of its letters', async () => {
    await openFresh([text('ＦＵＬＬ width'), text('cafe\u0301 full'), text('İabc')]);
    for (const [words, current, others] of [
      ['Full', ['full'], ['ＦＵＬＬ']],
      ['café', ['cafe\u0301'], []],
      // After a letter that becomes longer in lowercase.
      ['abc', ['abc'], []],
    ] as const) {
      await find(words, `1 of ${1 + others.length}`);
      await waitForHighlights(current, others);
    }
    await assertHarmless();
  });

  it("highlights nothing in what isn't a message", async () => {
    await openFresh([text('First'), text('Last, the end of 2025')]);
    const edge = { at: 'failed', text: 'The service cannot be reached.' };
    const gap = { type: 'gap', key: 'gap 1', id: 1, edge };
    await historyPage.post({ type: 'splice', at: 1, removed: 0, items: [gap] });
    await historyPage.page.getByText(edge.text).waitFor();
    await find('the');
    await waitForHighlights(['the'], []);
    await find('2025');
    await waitForHighlights(['2025'], []);
  });

  it('finds and highlights words that markup runs through', async () => {
    await openFresh([
      markdown('明天的**重要**会议'),
      html('<div>明天的<b>重要</b>会议</div>'),
      html('<p>重要</p><p>会议</p>'),
    ]);
    await find('重要会议', '1 of 2');
    await waitForHighlights(['重要会议'], ['重要会议']);
    await openFresh([markdown('One **giant** step'), markdown('an **un**important note')]);
    await find('giant step', '1 of 1');
    await waitForHighlights(['giant step'], []);
  });

  it('finds whatever it shows in one line, and so does the archive', async () => {
    const archive = openArchive();
    const chat = archive.addChat(CHAT);
    const entries = [someMarkdown, someHtml].flatMap((some) => fc.sample(some, 100));
    archive.addPage(
      chat,
      entries.map(({ raw }) => JSON.stringify(raw)),
    );
    await openFresh([], { height: 8_000 });
    for (let at = 0; at < entries.length; at += 20) {
      const shown = entries.slice(at, at + 20);
      await historyPage.show(shown);
      const texts = await textsOf(shown.map((entry) => (entry.readable ? `message-${entry.message.msgId}` : '')));
      for (const [index, entry] of shown.entries()) findsWhatIsShown(entry, texts[index] ?? assert.fail());
    }

    /** The texts of these elements, once all of them are complete. */
    async function textsOf(ids: string[]): Promise<string[][]> {
      const texts = await historyPage.page.waitForFunction((ids) => {
        const elements = ids.map((id) => document.getElementById(id));
        if (elements.some((one) => !one || one.querySelector('[aria-busy=true]'))) return undefined;
        return elements.map((one) =>
          Array.from(
            one?.querySelectorAll<HTMLElement>('.markdown, .html-page, .text') ?? [],
            (part) => part.innerText,
          ),
        );
      }, ids);
      return (await texts.jsonValue()) ?? assert.fail();
    }

    function findsWhatIsShown(entry: Listed, texts: string[]): void {
      assert.ok(entry.readable);
      const { msgId, content } = entry.message;
      for (const line of texts.flatMap((one) => one.split(/[\n\t]/)).filter((one) => one.trim())) {
        const what = `${JSON.stringify(content.text)} › ${JSON.stringify(line)}`;
        assert.ok(fold(searchableText(entry)).includes(fold(line.trim())), what);
        if (!/[\p{L}\p{N}]/u.test(line)) continue;
        const phrase = `"${line.replace(/["“”]/g, ' ')}"`;
        const { found } = archive.search({ text: phrase, order: 'newest' }, 1000);
        assert.ok(
          found.some((one) => one.msgId === msgId),
          `The archive doesn't find ${what}`,
        );
      }
    }
  });

  it("highlights nothing after it's closed, even in new messages", async () => {
    await openFresh([text('a word')]);
    await find('word', '1 of 1');
    await bar().getByRole('textbox').press('Escape');
    await bar().waitFor({ state: 'detached' });
    await historyPage.show([text('a word'), text('a word more')]);
    await historyPage.page.getByText('a word more').waitFor();
    // Let the mutation observer run.
    await historyPage.page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    assert.equal(await historyPage.page.evaluate(() => CSS.highlights.size), 0);
  });

  it('shows a match at the top of the newest message, although its end is visible', async () => {
    await openFresh([text('one'), text(`A kettle\n${'and a line\n'.repeat(80)}`)]);
    const { page } = historyPage;
    await page.waitForFunction(() => (document.querySelector('main')?.scrollTop ?? 0) > 0);
    await find('kettle', '1 of 1');
    await waitUntilMatchIsVisible();
  });

  it('shows a match far below the top of its message, and one far above its end', async () => {
    const lines = (name: string) => Array.from({ length: 120 }, (_, at) => `${name} line ${at}.`).join('\n');
    await openFresh([text('before'), text(lines('pot')), text('between'), text(lines('lid')), text('after')]);
    for (const words of ['pot line 60.', 'lid line 119.', 'pot line 3.', 'lid line 30.', 'pot line 119.']) {
      await find(words, '1 of 1');
      await waitForHighlights([words], []);
      await waitUntilMatchIsVisible();
    }
    // It is still there when the page was hidden.
    const state = (await historyPage.state()) as { offset: number };
    assert.ok(state.offset < -1000, `${state.offset}`);
  });

  it('shows a match in the rest of a long text, and in code that scrolls', async () => {
    const code = Array.from({ length: 100 }, (_, at) => `let kettle${at};`).join('\n');
    await openFresh([
      text(`${'a long text\n'.repeat(2500)}THE END`),
      markdown(`\`\`\`\n${code}\n\`\`\``),
      text('after'),
    ]);
    for (const words of ['THE END', 'kettle77']) {
      await find(words, '1 of 1');
      await waitForHighlights([words], []);
      await waitUntilMatchIsVisible();
    }
  });

  describe('while not the whole chat is loaded', () => {
    const scope = () => historyPage.page.locator('.find-scope');
    const ways = () => scope().getByRole('button').allInnerTexts();
    const titles = () =>
      scope()
        .locator('button')
        .evaluateAll((all) => all.map((one) => (one as HTMLElement).title));
    const edges = (older: EdgeView['at']) =>
      historyPage.post({ type: 'edges', older: { at: older }, newer: { at: 'open' } });
    const posted = async () => (await historyPage.posted()).filter(({ type }) => type !== 'atNewest');

    it('is left with Escape from there, too', async () => {
      await openFresh([text('a kettle')]);
      await find('spoon');
      await scope().getByText('Load Entire History').press('Escape');
      await bar().waitFor({ state: 'detached' });
      assert.equal(await scope().count(), 0);
    });

    it('gives the focus back when all of it is loaded', async () => {
      await openFresh([text('a kettle')]);
      await edges('open');
      await find('spoon');
      await scope().getByText('Load Older Messages').press('Enter');
      await edges('end');
      await scope().waitFor({ state: 'detached' });
      await bar().locator('input:focus').waitFor();
    });

    it('says what it searched, and leads to the rest of the chat in ways that each say what they do', async () => {
      await openFresh([text('a kettle'), text('a pot')]);
      await edges('open');
      await find('spoon ');
      await scope().getByText('Searched the 2 loaded messages.').waitFor();
      assert.deepEqual(await ways(), ['Load Older Messages', 'Load Entire History']);
      await historyPage.post({ type: 'archived', is: false });
      assert.deepEqual(await ways(), ['Load Older Messages', 'Load Entire History', 'Archive This Chat…']);
      assert.deepEqual(await titles(), [
        'Loads the next messages before those that are loaded, and searches them, too.',
        'Loads all messages of this chat to search them, which may take a while. You can cancel it.',
        'Keeps a copy of all messages of this chat on this computer, which you can search at any time.',
      ]);
      await historyPage.forget();
      for (const one of await scope().getByRole('button').all()) await one.click();
      await historyPage.post({ type: 'archived', is: true });
      assert.deepEqual(await ways(), ['Search the Archive', 'Load Older Messages']);
      assert.equal((await titles())[0], 'Searches all messages of this chat that are kept on this computer.');
      await scope().getByText('Search the Archive').click();
      assert.deepEqual(await posted(), [
        { type: 'older' },
        { type: 'loadHistory' },
        { type: 'archiveHere' },
        { type: 'searchArchive', text: 'spoon' },
      ]);
      await edges('loading');
      assert.deepEqual(await ways(), ['Search the Archive', 'Loading…']);
    });

    it('shows the first match that more messages bring', async () => {
      const newest = Array.from({ length: 60 }, (_, at) => text(`pot ${at}`));
      await openFresh(newest);
      await find('kettle');
      await scope().getByText('Searched the 60 loaded messages.').waitFor();
      await scope().getByText('Load Older Messages').click();
      await historyPage.show([text('an old kettle'), ...newest]);
      await count().getByText('1 of 1').waitFor();
      await waitUntilMatchIsVisible();
    });

    it('searches only what a filter leaves', async () => {
      await openFresh([from('Ann', '7'), from('Bo', '8')]);
      await find('Hi');
      await scope().getByText('Searched the 2 loaded messages.').waitFor();
      await bar().getByRole('combobox', { name: 'All senders' }).selectOption('bot 7');
      await scope().getByText('Searched the 1 loaded message.').waitFor();
    });

    it('keeps a filter that is chosen during a search, even if it hides the match found', async () => {
      await openFresh([from('Ann', '7'), from('Bo', '8')]);
      // The search pauses after each message, and goes on once the page is rendered with the filter.
      await historyPage.page.evaluate(() => {
        const [now, later] = [performance.now, window.setTimeout];
        const choose = (goOn: () => void) => {
          const [select] = document.getElementsByTagName('select');
          const [scope] = document.getElementsByClassName('find-scope');
          if (!select || !scope) throw new Error('There is no find bar.');
          new MutationObserver((_, observer) => {
            observer.disconnect();
            Object.assign(performance, { now });
            goOn();
          }).observe(scope, { subtree: true, characterData: true, childList: true });
          select.value = 'bot 7';
          select.dispatchEvent(new Event('change', { bubbles: true }));
        };
        let jumped = 0;
        performance.now = () => ++jumped * 1000;
        Object.assign(window, {
          setTimeout(run: () => void, ms?: number) {
            if (ms !== 0) return later(run, ms);
            Object.assign(window, { setTimeout: later });
            choose(run);
          },
        });
      });
      await find('Hi', '1 of 1');
      await frames(3);
      assert.equal(await bar().getByRole('combobox', { name: 'All senders' }).inputValue(), 'bot 7');
    });

    it('says so however much it finds, until it has searched the whole chat', async () => {
      await openFresh([text('one word'), text('two words'), text('three words'), text('four words')]);
      await find('word', '1 of 4');
      await scope().getByText('Searched the 4 loaded messages.').waitFor();
      await edges('end');
      await scope().waitFor({ state: 'detached' });
      const gap = { type: 'gap', key: 'gap 1', id: 1, edge: { at: 'open' } };
      await historyPage.post({ type: 'splice', at: 1, removed: 0, items: [gap] });
      await scope().getByText('Searched the 4 loaded messages.').waitFor();
      assert.deepEqual(await ways(), ['Load Entire History']);
    });

    it('begins all its lines where the heading begins, even where it is narrow', async () => {
      await openFresh([text('a kettle')]);
      const { page } = historyPage;
      await historyPage.post({ type: 'heading', name: 'Shop', summary: '', readAs: '', service: '' });
      await edges('open');
      await historyPage.post({ type: 'archived', is: false });
      await find('spoon');
      await page.setViewportSize({ width: 420, height: 500 });
      const starts = await page.evaluate(() => {
        const startOf = (element: Element) => {
          const range = new Range();
          range.selectNodeContents(element);
          return Math.round(range.getBoundingClientRect().left);
        };
        const texts = [...document.querySelectorAll('h1, .find-scope > span:first-child, .find-scope button')];
        const boxes = [...document.querySelectorAll('.bar input')];
        return [...texts.map(startOf), ...boxes.map((box) => Math.round(box.getBoundingClientRect().left))];
      });
      const firsts = starts.filter((start) => start < 60);
      assert.ok(firsts.length >= 4, `${starts}`);
      assert.deepEqual([...new Set(firsts)], [20]);
    });
  });

  it('is not needed to see what a search elsewhere has found, until it is opened', async () => {
    await openFresh([withId('a', 'kettle and tea'), withId('b', 'Tea! A KETTLE, and a teapot')]);
    await historyPage.post({ type: 'show', key: 'b', found: 'kettle "tea" -cup' });
    await waitForHighlights(['KETTLE', 'Tea'], []);
    await historyPage.post({ type: 'find' });
    await waitForHighlights([], []);
    await historyPage.post({ type: 'show', key: 'a', found: 'kettle' });
    await waitForHighlights(['kettle'], []);
    await historyPage.post({ type: 'show', key: 'b' });
    await waitForHighlights([], []);
  });

  it('has its arrows in the order of VS Code: up before down', async () => {
    await openFresh([withId('a', 'kettle')]);
    await historyPage.post({ type: 'find' });
    const buttons = await bar().getByRole('button').all();
    const labels = await Promise.all(buttons.map((button) => button.getAttribute('aria-label')));
    assert.deepEqual(labels, ['Next older match', 'Next newer match', 'Close']);
  });

  describe('in a long history', () => {
    const pots = Array.from({ length: 90 }, (_, n) => withId(`p${n}`, n % 10 === 5 ? `kettle ${n}` : `pot ${n}`));
    const message = (n: number) => historyPage.page.locator(`#message-p${n}`);
    const waitForMatch = (n: number, words = 'kettle') =>
      historyPage.page.waitForFunction(
        (match) => {
          const [range] = CSS.highlights.get('found-here') ?? [];
          return `${range}` === match.words && range?.startContainer.textContent === match.text;
        },
        { words, text: `kettle ${n}` },
      );

    it('begins at the first match at or below the topmost visible message, and goes on from there', async () => {
      await openFresh(pots);
      await historyPage.post({ type: 'show', key: 'p42', isAtTop: true });
      await inView(message(42));
      await find('ket');
      await waitForMatch(45, 'ket');
      await count().getByText('5 of 9').waitFor();
      await waitUntilMatchIsVisible();
      // The visible messages begin with an older match now.
      for (const words of ['kett', 'kettle']) {
        await bar().getByRole('textbox').fill(words);
        await waitForMatch(45, words);
      }
    });

    it('is open at the same match when the page is shown again', async () => {
      await openFresh(pots);
      await find('kettle', '1 of 9');
      for (const _ of [1, 2]) await bar().getByRole('textbox').press('Enter');
      await count().getByText('3 of 9').waitFor();
      await waitForMatch(65);
      await waitUntilMatchIsVisible();
      await historyPage.page.waitForFunction(
        () => (window.__host.state as { find?: { match?: string } }).find?.match === 'p65',
      );
      const state = await historyPage.state();
      await historyPage.close();
      // The newest messages come first.
      await openFresh(pots.slice(80), { state: { ...state } });
      assert.equal(await bar().getByRole('textbox').inputValue(), 'kettle');
      await count().getByText('1 of 1').waitFor();
      await historyPage.show(pots);
      await count().getByText('3 of 9').waitFor();
      await waitForMatch(65);
      await inView(message(65));
      // It had the focus before.
      await historyPage.page.keyboard.press('Enter');
      await count().getByText('4 of 9').waitFor();
      await historyPage.page.keyboard.press('Escape');
      await bar().waitFor({ state: 'detached' });
      await historyPage.page.waitForFunction(() => (window.__host.state as { find?: object }).find === undefined);
    });
  });

  it('knows that its box has the focus, even if it gets that at once', async () => {
    await openFresh([text('a kettle')]);
    await historyPage.page.evaluate(() => {
      new MutationObserver((_, observer) => {
        const box = document.querySelector<HTMLElement>('search input');
        if (!box) return;
        observer.disconnect();
        box.focus();
      }).observe(document.body, { subtree: true, childList: true });
    });
    await find('kettle', '1 of 1');
    assert.equal(((await historyPage.state()) as { hasFindFocus?: boolean }).hasFindFocus, true);
  });

  it('leaves the focus elsewhere when the page is shown again if it was elsewhere', async () => {
    await openFresh([text('a kettle'), text('a pot')]);
    await find('pot');
    await bar().getByRole('button', { name: 'Next older match' }).focus();
    await historyPage.page.waitForFunction(() => {
      const { find, hasFindFocus } = window.__host.state as { find?: { match?: string }; hasFindFocus?: boolean };
      return find?.match !== undefined && hasFindFocus === false;
    });
    const state = await historyPage.state();
    await historyPage.close();
    await openFresh([text('a kettle'), text('a pot')], { state: { ...state } });
    await count().getByText('1 of 1').waitFor();
    assert.equal(await bar().locator(':focus').count(), 0);
  });

  it("doesn't search for what an input method is still composing, and leaves its keys to it", async () => {
    await openFresh([text('nine kettles'), text('a pot'), text('商店 and a nook')]);
    await find('n', '1 of 2');
    const { page } = historyPage;
    const session = await page.context().newCDPSession(page);
    const box = bar().getByRole('textbox');
    await box.fill('');
    await session.send('Input.imeSetComposition', { text: 'n', selectionStart: 1, selectionEnd: 1 });
    // A repaint must not take the text away.
    await historyPage.post({ type: 'archived', is: true });
    for (const key of ['Enter', 'Escape']) {
      await box.evaluate((element, key) => {
        element.dispatchEvent(
          new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, isComposing: true }),
        );
      }, key);
    }
    await frames(10);
    assert.equal(await box.inputValue(), 'n');
    assert.equal(await count().innerText(), '');
    await session.send('Input.insertText', { text: '商店' });
    await count().getByText('1 of 1').waitFor();
    assert.equal(await box.inputValue(), '商店');
  });

  it('leaves the list where it was scrolled when it is closed', async () => {
    await openFresh(Array.from({ length: 300 }, (_, at) => withId(`m${at}`, `message ${at}`)));
    const { page } = historyPage;
    await inView(page.locator('#message-m299'));
    await page.locator('main').hover();
    while (await isInView(page.locator('#message-m299'))) {
      await page.mouse.wheel(0, -300);
      await frames(3);
    }
    const top = () => page.locator('main').evaluate((main) => main.scrollTop);
    for (const words of ['', 'nothing like it']) {
      await find(words);
      await frames(30);
      const before = await top();
      await page.keyboard.press('Escape');
      await bar().waitFor({ state: 'detached' });
      await frames(30);
      assert.equal(await top(), before);
      await inView(page.locator('.entry:focus'));
    }
  });

  it('stays at its match when newer ones arrive', async () => {
    const first = [withId('a', 'one word'), withId('b', 'two words')];
    await openFresh(first);
    await find('word', '1 of 2');
    await historyPage.page.getByRole('button', { name: 'Next older match' }).click();
    await count().getByText('2 of 2').waitFor();
    await historyPage.show([...first, withId('c', 'three words')]);
    await count().getByText('3 of 3').waitFor();
    await historyPage.page.waitForFunction(() => {
      const [range] = CSS.highlights.get('found-here') ?? [];
      return range?.startContainer.textContent === 'one word';
    });
  });

  for (const language of ['en', 'zh-cn'] as const) {
    it(`fits on one line from 400 pixels on, with numbers that can be read (${language})`, async () => {
      const longName = 'The keeper of the kettle and of everything around it';
      const messages = Array.from({ length: 1200 }, () =>
        listed({ contentType: 'markdown', content: { text: 'a word' }, senderNickname: longName }),
      );
      await openFresh(messages, { language });
      await find('word');
      await count().getByText(/1,200/).waitFor();
      for (const width of [400, 600, 1400]) {
        await historyPage.page.setViewportSize({ width, height: 500 });
        const boxes = await bar()
          .locator('.bar')
          .evaluate((element) =>
            [...element.children].map((child) => ({
              name: child.getAttribute('aria-label') ?? child.className,
              isNumber: child.matches('.count'),
              rect: child.getBoundingClientRect().toJSON() as DOMRect,
              scrollWidth: child.scrollWidth,
              clientWidth: child.clientWidth,
            })),
          );
        const middles = boxes.map(({ rect }) => Math.round(rect.top + rect.height / 2));
        assert.ok(Math.max(...middles) - Math.min(...middles) <= 1, `${width}: ${middles}`);
        for (const [index, { name, rect, isNumber, scrollWidth, clientWidth }] of boxes.entries()) {
          const what = `${name} at ${width}`;
          assert.ok(rect.width >= 20 && rect.right <= width, `${what}: ${rect.left} to ${rect.right}`);
          assert.ok(rect.left >= (boxes[index - 1]?.rect.right ?? 0), `${what} overlaps`);
          assert.ok(!isNumber || scrollWidth <= clientWidth, `${what} is cut off`);
        }
        assert.equal(await historyPage.page.evaluate(() => document.documentElement.scrollWidth), width);
      }
      assert.match((await bar().locator('option').nth(1).textContent()) ?? '', /[(（]1,200[)）]$/);
    });
  }

  it('escapes invisible characters in names and kinds, and keeps counts after right-to-left names', async () => {
    const kind = listed({ contentType: 'a\u202Eb', content: {}, senderId: '9', senderNickname: 'Ann' });
    await openFresh([from('a\u202Eb', '7'), from('a\u202Eb', '7'), from('שלום', '8'), kind]);
    await find('');
    const [senders, kinds] = await bar()
      .locator('select')
      .evaluateAll((lists) =>
        (lists as HTMLSelectElement[]).map((list) => [...list.options].map((option) => option.text)),
      );
    assert.deepEqual(senders?.slice(1), ['\u2068a⟨U+202E⟩b\u2069 (2)', '\u2068שלום\u2069 (1)', '\u2068Ann\u2069 (1)']);
    assert.deepEqual(kinds?.slice(1), ['a⟨U+202E⟩b', 'Text']);
  });
});
