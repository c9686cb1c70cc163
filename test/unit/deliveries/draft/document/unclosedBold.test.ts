import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { unclosedBold } from '../../../../../src/deliveries/draft/document/unclosedBold.ts';

const problemsIn = (text: string) => unclosedBold(text, 0);

/** The text after all fixes. */
function fixed(text: string): string {
  const edits = problemsIn(text).flatMap(({ fixes = [] }) => fixes.flatMap((fix) => fix.edits));
  return edits.toReversed().reduce((now, { start, end, text }) => now.slice(0, start) + text + now.slice(end), text);
}

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
      assert.deepEqual([hasStars(text), problemsIn(text)], [false, []], text);
    }
    for (const text of ['`**a：**b`', '```\n**a：**b\n```', '\\**a：**b', '2 ** 3：**b', '你好**{{name}}**先生', '***'])
      assert.deepEqual(problemsIn(text), [], text);
  });
});
