/** Task lists in Markdown: `- [ ]` and `- [x]`. */
import type { Token } from 'markdown-it';

/** Turns the boxes of list items into tasks, each within a label, so that it is called by the item's own words. */
export function tasks(tokens: Token[], create: (type: string) => Token): void {
  tokens.forEach((token, index) => {
    const [item, paragraph] = tokens.slice(Math.max(0, index - 2), index);
    if (token.type !== 'inline' || paragraph?.type !== 'paragraph_open' || item?.type !== 'list_item_open') return;
    const first = token.children?.[0];
    const [box, mark] = /^\[([ xX])\](?=\s|$)\s*/.exec(first?.type === 'text' ? first.content : '') ?? [];
    if (!first || !token.children || box === undefined) return;
    item.attrSet('class', 'task');
    first.content = first.content.slice(box.length);
    const task = create('task');
    task.meta = { isDone: mark !== ' ' };
    token.children = [create('task_label_open'), task, ...token.children, create('task_label_close')];
  });
}
