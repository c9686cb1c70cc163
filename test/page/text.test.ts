import assert from 'node:assert/strict';
import { listed } from './messages.ts';
import {
  all,
  file,
  historyPage,
  html,
  image,
  links,
  markdown,
  one,
  open,
  text,
  textIn,
  withButtons,
} from './sharedHistory.ts';

describe('A text message', () => {
  it('keeps its lines, with its note below', async () => {
    await open([listed({ contentType: 'text', content: { text: 'One\n  two\n\n<b>three</b>', tip: 'Seen by all' } })]);
    assert.equal(await textIn('.text'), 'One\n  two\n\n<b>three</b>');
    assert.equal(await textIn('.tip'), 'Seen by all');
    assert.equal(await one('.text').getAttribute('dir'), 'auto');
    assert.equal(await one('.text').evaluate((element) => getComputedStyle(element).unicodeBidi), 'isolate');
  });

  it('links only web addresses, and shows the actual host of a disguised one', async () => {
    await open([
      text('See https://a.example/b?c=d (or http://例子.example/群). Not ftp://a.example or javascript:alert(1)'),
      text('https://bank.example@evil.example/login'),
    ]);
    assert.deepEqual((await links()).slice(0, -1), [
      ['https://a.example/b?c=d', 'https://a.example/b?c=d'],
      ['http://例子.example/群', 'http://例子.example/群'],
    ]);
    assert.equal(await one('a').getAttribute('rel'), 'noreferrer');
    assert.equal(await all('a').nth(1).getAttribute('title'), 'http://xn--fsqu00a.example/%E7%BE%A4');
    assert.equal(await all('.text').last().innerText(), 'https://bank.example@evil.example/login (→ evil.example)');
  });

  it("says if it's empty, or blank, as Markdown and HTML do", async () => {
    await open([text(''), text(' \n\u3000'), markdown(''), markdown('\n\n '), html(''), html('\n')]);
    await all('.tip').nth(5).waitFor();
    assert.deepEqual(await all('.tip').allInnerTexts(), Array(6).fill('This message is empty.'));
  });

  it('lists whom it mentions', async () => {
    await open([listed({ contentType: 'text', content: { text: 'Hi', at: ['7058314', 'a\u202Eb', '8'] } }), text('a')]);
    // A value with a bidirectional control isn't an ID.
    await historyPage.page.getByText('Mentions 7058314, 8', { exact: true }).waitFor();
    assert.equal(await historyPage.page.getByText('Mentions').count(), 1);
  });
});

describe('An invisible character', () => {
  it('is escaped wherever a message shows text', async () => {
    const hidden = 'a\u202Eb\u200Bc\u0007d';
    const escaped = 'a⟨U+202E⟩b⟨U+200B⟩c⟨U+0007⟩d';
    await open([
      text(hidden),
      markdown(
        `${hidden} a&#x202E;b\u200Bc&#7;d\n\n\`${hidden}\`\n\n\`\`\`js\n${hidden}\n\`\`\`\n\n    ${hidden}\n\n[${hidden}](https://a.example)`,
      ),
      file({ fileName: hidden, fileUrl: hidden }),
      image({ imageName: hidden, imageKey: hidden, imageUrl: hidden }),
      html(`<p>${hidden}</p><b>a&#x202E;b&#x200B;cd</b>`),
      listed({ contentType: hidden, content: { any: 'a\u202Eb\u200Bc' } }),
      withButtons([{ text: hidden, actionType: hidden, value: hidden }]),
    ]);
    await one('.html-page p').waitFor();
    await one('.markdown pre').first().waitFor();
    const everything = await historyPage.page.locator('main').evaluate((list) => list.outerHTML);
    assert.doesNotMatch(everything, /\u202E|\u200B/);
    assert.equal(await all('.text').first().innerText(), escaped);
    assert.equal(await textIn('.file-name'), escaped);
    assert.equal(await textIn('.html-page p'), escaped);
    assert.equal(await textIn('.preview-button'), escaped);
    const rendered = await all('.markdown').innerText();
    assert.equal(rendered.split(escaped).length - 1, 5, rendered);
    // HTML replaces character 7.
    assert.ok(rendered.includes('a⟨U+202E⟩b⟨U+200B⟩c\uFFFDd'), rendered);
  });
});
