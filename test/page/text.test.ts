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
} from './testPage.ts';

describe('A text message', () => {
  it('keeps its lines, and has its note below', async () => {
    await open([listed({ contentType: 'text', content: { text: 'One\n  two\n\n<b>three</b>', tip: 'Seen by all' } })]);
    assert.equal(await textIn('.text'), 'One\n  two\n\n<b>three</b>');
    assert.equal(await textIn('.tip'), 'Seen by all');
    assert.equal(await one('.text').getAttribute('dir'), 'auto');
    assert.equal(await one('.text').evaluate((element) => getComputedStyle(element).unicodeBidi), 'isolate');
  });

  it('has its addresses of the web as links, and no others', async () => {
    await open([
      text('See https://a.example/b?c=d (or http://例子.example/群). Not ftp://a.example or javascript:alert(1)'),
    ]);
    assert.deepEqual(await links(), [
      ['https://a.example/b?c=d', 'https://a.example/b?c=d'],
      ['http://例子.example/群', 'http://例子.example/群'],
    ]);
    assert.equal(await one('a').getAttribute('rel'), 'noreferrer');
    assert.equal(await all('a').nth(1).getAttribute('title'), 'http://xn--fsqu00a.example/%E7%BE%A4');
  });

  it('names the real host of an address that is disguised', async () => {
    await open([text('https://bank.example@evil.example/login')]);
    assert.equal(await textIn('.text'), 'https://bank.example@evil.example/login (→ evil.example)');
  });

  it('says so where it is empty', async () => {
    await open([text('')]);
    assert.equal(await textIn('.tip'), 'This message is empty.');
  });

  it('says whom a message mentions', async () => {
    await open([listed({ contentType: 'text', content: { text: 'Hi', at: ['7058314', 'a\u202Eb'] } }), text('a')]);
    // What holds a character that turns the text around is no ID.
    await historyPage.page.getByText('Mentions 7058314', { exact: true }).waitFor();
    assert.equal(await historyPage.page.getByText('Mentions').count(), 1);
  });
});

describe('What cannot be seen', () => {
  it('is made visible wherever a message says something', async () => {
    const hidden = 'a\u202Eb\u200Bc\u0007d';
    const seen = 'a⟨U+202E⟩b⟨U+200B⟩c⟨U+0007⟩d';
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
    assert.equal(await all('.text').first().innerText(), seen);
    assert.equal(await textIn('.file-name'), seen);
    assert.equal(await textIn('.html-page p'), seen);
    assert.equal(await textIn('.preview-button'), seen);
    const said = await all('.markdown').innerText();
    assert.equal(said.split(seen).length - 1, 5, said);
    // HTML has no character of the number 7.
    assert.ok(said.includes('a⟨U+202E⟩b⟨U+200B⟩c\uFFFDd'), said);
  });
});
