/** HTML's names of characters in Markdown that is rendered for others, out of a browser: theirs know all of them. */
import type { Token } from 'markdown-it';

const NAME = /(&[a-z][a-z0-9]{1,31};)/i;

/** Names of what nobody would see, or that a browser reads as such a character and the rest of a word. */
const UNSEEN =
  /^&(?:zwn?j|lrm|rlm|shy\w*|NoBreak|ZeroWidthSpace|Negative\w+Space|Invisible\w+|ApplyFunction|af|ic|it);$/;

/** Takes names out of text, but for that of addresses, as tokens of their own to be drawn just as they are. */
export function leaveNames(tokens: Token[], create: (type: string) => Token): void {
  for (const token of tokens) {
    let isAddress = false;
    token.children &&= token.children.flatMap((part) => {
      if (part.type.startsWith('link_')) isAddress = part.type === 'link_open' && part.markup !== '';
      if (part.type !== 'text' || isAddress) return part;
      return part.content.split(NAME).map((content) => {
        const piece = create(NAME.test(content) && !UNSEEN.test(content) ? 'name' : 'text');
        return Object.assign(piece, { content, level: part.level });
      });
    });
  }
}
