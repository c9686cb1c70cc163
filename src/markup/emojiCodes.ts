/** Emoji codes: names in brackets, such as `[.OK]`, that apps draw as emoji (observed). Pure. */
import { proseIn } from './markdownCode.ts';

/** The names that apps know. Some end with a variation selector, which not every sender writes. */
export const EMOJI_NAMES: readonly (readonly [name: string, emoji: string])[] = [
  ['OK', '👌'],
  ['上箭头\uFE0F', '⬆️'],
  ['下箭头\uFE0F', '⬇️'],
  ['书呆', '🤓'],
  ['亲亲猫', '😽'],
  ['仓鼠', '🐹'],
  ['保佑', '🙏'],
  ['偷看', '🫣'],
  ['冷汗', '😥'],
  ['击拳', '👊'],
  ['单眼吐舌', '😜'],
  ['右箭头\uFE0F', '➡️'],
  ['吃惊', '😮'],
  ['吐舌', '😛'],
  ['吐舌头', '😋'],
  ['呕吐', '🤮'],
  ['呼气', '😮‍💨'],
  ['咒骂', '🤬'],
  ['哭泣的猫', '😿'],
  ['喜笑颜开', '😊'],
  ['喷嚏', '🤧'],
  ['嘘', '🤫'],
  ['困', '😴'],
  ['墨镜', '😎'],
  ['大笑的猫', '😸'],
  ['失望', '😔'],
  ['头疼女', '🤦‍♀️'],
  ['头疼男', '🤦‍♂️'],
  ['奶瓶', '🍼'],
  ['奸笑的猫', '😼'],
  ['委屈', '🥲'],
  ['小鸡', '🐤'],
  ['小鸡破壳', '🐣'],
  ['崇拜', '🤩'],
  ['左箭头', '⬅️'],
  ['干杯', '🍻'],
  ['彩带', '🎉'],
  ['得意', '😏'],
  ['思考', '🤔'],
  ['披萨', '🍕'],
  ['担心', '😟'],
  ['按键1', '1️⃣'],
  ['按键2', '2️⃣'],
  ['按键3', '3️⃣'],
  ['按键4', '4️⃣'],
  ['按键5', '5️⃣'],
  ['按键6', '6️⃣'],
  ['按键7', '7️⃣'],
  ['按键8', '8️⃣'],
  ['按键9', '9️⃣'],
  ['捂嘴', '🫢'],
  ['捂嘴笑', '🤭'],
  ['握手', '🤝'],
  ['摊手女', '🤷‍♀️'],
  ['摊手男', '🤷‍♂️'],
  ['放声大哭', '😭'],
  ['斜嘴', '🫤'],
  ['斜眼', '😉'],
  ['无语', '😶'],
  ['松了口气', '😮‍💨'],
  ['柠檬', '🍋'],
  ['桃', '🍑'],
  ['棒棒糖', '🍭'],
  ['樱桃', '🍒'],
  ['橘子', '🍊'],
  ['比心', '🫰'],
  ['汉堡', '🍔'],
  ['流汗', '😅'],
  ['滑稽', '🤪'],
  ['点赞', '👍'],
  ['热带鱼', '🐠'],
  ['熊', '🐻'],
  ['爆米花', '🍿'],
  ['猪头', '🐷'],
  ['猫', '🐱'],
  ['生气的猫', '😠'],
  ['眉上扬', '🤨'],
  ['眯眼吐舌', '😝'],
  ['礼物', '🎁'],
  ['笑哭', '😂'],
  ['笑歪', '🤣'],
  ['米饭', '🍚'],
  ['累', '😩'],
  ['红苹果', '🍎'],
  ['缄默', '😶'],
  ['羞涩亲亲', '😚'],
  ['羞涩微笑', '🥰'],
  ['聚会笑脸', '🥳'],
  ['胜利', '✌️'],
  ['花痴', '😍'],
  ['花痴的猫', '😻'],
  ['茄子', '🍆'],
  ['草莓', '🍓'],
  ['菠萝', '🍍'],
  ['葡萄', '🍇'],
  ['蛋糕', '🎂'],
  ['蜗牛', '🐌'],
  ['融化', '🫠'],
  ['西瓜', '🍉'],
  ['西红柿', '🍅'],
  ['说谎', '🤥'],
  ['霸王龙', '🦖'],
  ['青苹果', '🍏'],
  ['青蛙', '🐸'],
  ['面条', '🍜'],
  ['飞吻', '😘'],
  ['香蕉', '🍌'],
  ['鸡', '🐔'],
  ['鸡尾酒', '🍸'],
  ['鼓掌', '👏'],
  ['龇牙咧嘴', '😬'],
  ['龟', '🐢'],
];

const emojiByName = new Map(EMOJI_NAMES.map(([name, emoji]) => [withoutSelector(name), emoji]));

/** A zero-width space may end a code. */
const CODE = /\[\.([^\s[\]\u200B]{1,20})\]\u200B?/gu;
/** Leaves the text of a link, which needs its brackets, and what follows a backslash, which would be left alone. */
const CODE_IN_MARKDOWN = /(?<!\\)\[\.([^\s[\]\u200B]{1,20})\](?![(:])\u200B?/gu;

/** The text with emoji instead of known codes and of the marks that end them. */
export function showEmojiCodes(text: string, pattern = CODE): string {
  if (!text.includes('[.')) return text;
  return text.replace(pattern, (code, name: string) => emojiByName.get(withoutSelector(name)) ?? code);
}

/** Does the same in sanitized Markdown, except in code. */
export function showEmojiCodesInMarkdown(markdown: string): string {
  let shown = '';
  let from = 0;
  for (const { start, end } of proseIn(markdown, '[.')) {
    shown += markdown.slice(from, start) + showEmojiCodes(markdown.slice(start, end), CODE_IN_MARKDOWN);
    from = end;
  }
  return shown + markdown.slice(from);
}

function withoutSelector(name: string): string {
  return name.replace(/\uFE0F$/, '');
}
