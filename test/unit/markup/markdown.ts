import MarkdownIt from 'markdown-it';

/** Markdown as an ordinary reader shows it: without raw HTML, each line break as one. */
const reader = new MarkdownIt({ html: false, linkify: false, breaks: true });

export const render = (text: string): string => reader.render(text);
