/** Markdown to HTML, loaded when the first Markdown message is shown. Message content is hostile. */
import MarkdownIt from 'markdown-it';

// Raw HTML stays text, and links lead to the web or to mail: no command:, vscode: or file: address.
const parser = new MarkdownIt({ html: false, linkify: false, breaks: true });
parser.validateLink = (url) => /^(?:https?|mailto):/i.test(url.trim());

// A picture would be a request that nobody asked for: its address is shown as a link instead.
parser.renderer.rules.image = (tokens, index) => {
  const token = tokens[index];
  const address = parser.utils.escapeHtml(String(token?.attrGet('src') ?? ''));
  return `<a href="${address}" title="${address}">${parser.utils.escapeHtml(token?.content || address)}</a>`;
};

// The page's policy allows no style attributes: the alignment of a table's columns becomes a class.
parser.core.ruler.push('align', ({ tokens }) => {
  for (const token of tokens) {
    const align = /^text-align:(\w+)$/.exec(String(token.attrGet('style') ?? ''))?.[1];
    if (align) token.attrs = [['class', align]];
  }
});

/** HTML that holds nothing but what Markdown can say. */
export function render(text: string): string {
  return parser.render(text);
}
