import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { htmlProblems, markdownProblems } from '../../../../../src/deliveries/draft/document/textProblems.ts';
import { applied } from './read.ts';

/** The URLs found. */
const found = (text: string, find = markdownProblems) => find(text, 0).map(({ start, end }) => text.slice(start, end));

describe('Local images', () => {
  it('are local files and data: URLs', () => {
    const text =
      '![](a.png) ![x](./x) ![y](<c d.png> "title") ![](file:///e) ![](data:image/png;base64,AA) ![](/f(1).png)';
    assert.deepEqual(found(text), ['a.png', './x', 'c d.png', 'file:///e', 'data:image/png;base64,AA', '/f(1).png']);
  });

  it('are neither images on the web nor links', () => {
    assert.deepEqual(
      found('![](https://x.y/a) ![](HTTP://x.y) ![](//x.y/a) ![]() [a](b.png) ![a] (b) !\\[a](b) \\![a](b)'),
      [],
    );
    assert.deepEqual(found('![a](b.png'), []);
  });

  it('may have their addresses elsewhere', () => {
    assert.deepEqual(found('![a][x] ![Y z][] ![w]\n\n[X]: a.png\n[y  z]: <b c.png> "title"\n> [w]:\n> c.png'), [
      'a.png',
      'b c.png',
      'c.png',
    ]);
    assert.deepEqual(found('[x]: a.png\n[x]: b.png\n[y]: c.png\n\n![a][x] [b][y] ![c][x]'), ['a.png']);
    assert.deepEqual(found('![a][x] ![b][y]\n\n[x]: https://x.y/a.png\n[y]: {{url}}\n[a]: a.png'), []);
    assert.deepEqual(found('![x]\n\n```\n[x]: a.png\n```'), []);
  });

  it('may be written as note apps do', () => {
    assert.deepEqual(found('![[a b.PNG]] ![[x/c.jpg|300]] ![[d.webp|a | b]]'), ['a b.PNG', 'x/c.jpg', 'd.webp']);
    assert.deepEqual(found('![[a note]] [[a.png]] `![[a.png]]` \\![[a.png]] ![[a.png|b](c.png)'), []);
  });

  it('are no addresses that variables stand for', () => {
    assert.deepEqual(found('![]({{avatarUrl}}) ![]({{ url }}) ![](<{{url}}>) ![](a/{{name}}.png)'), ['a/{{name}}.png']);
    assert.deepEqual(found('<img src="{{url}}"> <img src="a/{{name}}.png">', htmlProblems), ['a/{{name}}.png']);
  });

  it('may be in links and have brackets in their text', () => {
    assert.deepEqual(found('[![a](b.png)](https://x.y)'), ['b.png']);
    assert.deepEqual(found('![a [b] ![c](d.png)](e.png) ]['), ['d.png', 'e.png']);
  });

  it('are ignored in code', () => {
    assert.deepEqual(found('`![](a)` ``![](b) ` `` ![](c)'), ['c']);
    assert.deepEqual(found('```md\n![](a)\n~~~\n![](b)\n```\n![](c)'), ['c']);
    assert.deepEqual(found('~~~\n![](a)\n```\n~~~ x\n~~~~\n![](b)'), ['b']);
    assert.deepEqual(found('- ```\n  ![](a)\n  ```\n- ![](b)\n> ```\n> ![](c)\n> ```'), ['b']);
    assert.deepEqual(found('![](a)\n\n```\n![](b)'), ['a']);
  });

  it('are found after unclosed backticks', () => {
    assert.deepEqual(found('` ![](a) `` ![](b)'), ['a', 'b']);
    assert.deepEqual(found('` ![](a)\n\n` ![](b)'), ['a', 'b']);
    assert.deepEqual(found('\\`![](a)`'), ['a']);
    assert.deepEqual(found('``` a ``` ![](b)'), ['b']);
  });

  it('are found in HTML', () => {
    const html = `<img src="a.png"><IMG alt='x' SRC='b.png'/> <img src=c.png> <img src="https://x.y"> <img alt="x">
      <video src="d"> <img data-src="e" src="data:,"> <img
      src = "f">`;
    assert.deepEqual(found(html, htmlProblems), ['a.png', 'b.png', 'c.png', 'data:,', 'f']);
  });

  it('are reported at most 100 times', () => {
    assert.equal(markdownProblems('![](a)\n\n'.repeat(200), 0).length, 100);
    assert.equal(markdownProblems('![](a)'.repeat(200), 0).length, 100);
    assert.equal(htmlProblems('<img src=a>'.repeat(200), 0).length, 100);
  });
});

const problemsIn = (text: string) => markdownProblems(text, 0);

/** The text after all fixes. */
const fixed = (text: string) =>
  applied(text, { edits: problemsIn(text).flatMap(({ fixes = [] }) => fixes.flatMap((fix) => fix.edits)) });

const hasStars = (text: string) => new MarkdownIt().render(text).includes('**');

describe('Bold text between letters', () => {
  it('is warned of where Markdown leaves its stars, and a space makes it bold', () => {
    for (const [text, after] of [
      ['**重要：**会议', '**重要：** 会议'],
      ['请看**“通知”**', '请看 **“通知”**'],
      ['请看**“通知”**谢谢', '请看 **“通知”** 谢谢'],
      ['见**[文档](https://x.y)**了解', '见 **[文档](https://x.y)** 了解'],
      ['**Note:**text and **注意！**1 点', '**Note:** text and **注意！** 1 点'],
      ['好，**庆祝🎉**开始', '好，**庆祝🎉** 开始'],
    ] as const) {
      assert.ok(hasStars(text), text);
      assert.equal(fixed(text), after);
      assert.ok(!hasStars(after), after);
    }
  });

  it('is fine where it is bold, is code, or depends on a value', () => {
    for (const text of [
      '**重要**：会议',
      '**一！** **二**',
      '**“一”**，**二**',
      '很**好**的，**好。**',
      '**a：**\n会议',
    ]) {
      assert.ok(!hasStars(text), text);
      assert.deepEqual(problemsIn(text), [], text);
    }
    for (const text of ['`**a：**b`', '```\n**a：**b\n```', '\\**a：**b', '2 ** 3：**b', '你好**{{name}}**先生', '***'])
      assert.deepEqual(problemsIn(text), [], text);
  });
});
