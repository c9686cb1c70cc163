/** A grammar of hostile messages: content that would run, load, navigate or imitate the product, in many spellings. */
import fc from 'fast-check';
import type { NamedType } from '../../../src/markup/messageContent.ts';
import { split } from '../proof.ts';

/** A page detects it by `window.__ran`. */
const RUN = 'window.__ran=1';
const EVIL = 'https://evil.example/a';

const TAGS = split(`
  a abbr animate annotation-xml article aside audio b base bdi body br button canvas caption center col dd desc details
  dialog div dl dt embed fieldset figure font foreignObject form frame frameset h1 head header hr html iframe image img
  input isindex keygen label li link listing main malignmark map area marquee math menu meta mglyph mi mn mo mtext nav
  noembed noframes noscript object ol option p param picture plaintext portal pre script section select set slot source
  span style summary svg table tbody td template textarea tfoot th thead title tr track ul use video x-y xmp`);
const HANDLERS = split(`
  onload onerror onclick onmouseover onfocus onfocusin onblur ontoggle onbeforetoggle onanimationstart ontransitionend
  onbegin onstart onscroll onpointerenter onhashchange onpageshow onmessage onsecuritypolicyviolation oncuechange`);
const NAMES = split(`
  style href xlink:href src srcset srcdoc action formaction data poster background ping target download http-equiv
  content id name class is slot part role aria-label aria-hidden data-x data-vscode-context tabindex autofocus accesskey
  contenteditable popover popovertarget type rel media attributeName to values from begin dur shadowrootmode form for
  list dir lang title alt width height colspan rowspan start reversed loading nonce itemprop usemap encoding xmlns
  color face size align bgcolor hidden open`);

const schemes = fc.constantFrom(
  `javascript:${RUN}`,
  `JaVaScRiPt://%0a${RUN}`,
  `vbscript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"/>`,
  'command:workbench.action.quit',
  'vscode://a/b',
  'file:///etc/passwd',
  'blob:https://evil.example/a',
  'filesystem:https://evil.example/a',
  '//evil.example/a',
  '/assets/page.js',
  '#message-m1',
  'mailto:a@evil.example?body=b',
  EVIL,
  `${EVIL}?a=1&b=2`,
  'https://bank.example@evil.example/a',
  'https://bank.example:x@evil.example',
  'http://xn--80ak6aa92e.example',
);

/** Break out of HTML, an attribute, a comment, a style or JSON. */
const BREAKS = ['">', "'>", '`>', '-->', '--!>', ']]>', '</style>', '</title>', '</textarea>', '</script>', '\\u003c'];
const breakouts = fc.constantFrom(...BREAKS).map((end) => `${end}<img src=x onerror=${RUN}>`);

const words = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'Sign in', 'bank.example', 'https://bank.example/login', '\u202Egpj') },
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  breakouts,
);

/** Spellings that some parser decodes to the same text. */
const spellings = fc.constantFrom<((text: string) => string)[]>(
  (text) => text,
  (text) => text,
  (text) => text,
  (text) => text.replace(/[a-z:]/gi, (one) => `&#${one.codePointAt(0)};`),
  (text) => text.replace(/[a-z:]/gi, (one) => `&#x${one.codePointAt(0)?.toString(16)}`),
  (text) => text.replace(':', '&colon;').replace('(', '&lpar;'),
  (text) => text.replace(/^(.{3})/, '$1&Tab;').replace(':', '&NewLine;:'),
  (text) => text.replace(/^(.{2})/, '$1\t').replace(':', '\n:'),
  (text) => `\u0001 ${text}`,
  (text) => text.replace(/^(.)/, '$1\0'),
  (text) => text.replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  (text) => text.replaceAll('&', '&amp;'),
  (text) => text.replace(/[<>"':]/g, encodeURIComponent),
  (text) => text.toUpperCase(),
);

const values = fc
  .tuple(fc.oneof(schemes, words, fc.constant(RUN), fc.constant(`background:url(${EVIL});position:fixed`)), spellings)
  .map(([value, spell]) => spell(value));
const quotes = fc.constantFrom('"', "'", '', '`');
const gaps = fc.constantFrom(' ', ' ', '/', '\n', '\t', '\f', ' / ', '\0');

const attribute = fc.oneof(
  fc.constantFrom(...HANDLERS).map((name) => `${name}=${RUN}`),
  fc.tuple(fc.constantFrom(...NAMES), values, quotes).map(([name, value, quote]) => `${name}=${quote}${value}${quote}`),
  fc.constantFrom(`src="${EVIL}"`, `src=x onerror=${RUN}`, `srcset="${EVIL} 2x"`, 'open', 'autofocus'),
  fc.constantFrom(`http-equiv=refresh content="0;url=${EVIL}"`, `attributeName=href to="javascript:${RUN}"`),
);

/** Known sanitizer bypasses: markup that parses to another tree the second time, or in another context. */
const idioms = fc.constantFrom(
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
  `<svg></p><style><a id="</style><img src=1 onerror=${RUN}>">`,
  `<math><annotation-xml encoding="text/html"><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<svg><foreignObject><p><style><!--</style><img src=x onerror=${RUN}>--></style></p></foreignObject></svg>`,
  `<!--><img src=x onerror=${RUN}>--><![CDATA[><img src=x onerror=${RUN}>]]><?xml ><img src=x onerror=${RUN}>?>`,
  `<select><iframe></select><img src=x onerror=${RUN}>`,
  `<table><td><math><mi><table><tr><td><style></math><img src=x onerror=${RUN}>`,
  `<svg><annotation-xml><foreignObject><style><!--</style><p id="--><img src=x onerror=${RUN}>">`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<div><template shadowrootmode=open><slot></slot><script>${RUN}</script></template></div>`,
  `<form id=f><input name=attributes><input name=nodeName><input name=parentNode><img onerror=${RUN} src=x></form>`,
  `<a><a id=x><svg><style><img src="</style><img src=x onerror=${RUN}>">`,
  `<svg><set attributeName=onmouseover to=${RUN}><animate attributeName=href values=javascript:${RUN}><a><text>a`,
  '<article id="message-m1" class="entry row">a</article><p class="heading button" id=labels>b</p>',
  `<meta http-equiv="Content-Security-Policy" content="script-src *"><base href="${EVIL}">`,
  `<textarea></textarea><title></title><xmp><img src=x onerror=${RUN}></xmp><plaintext><img src=x onerror=${RUN}>`,
);

const { node: htmlNode } = fc.letrec<{ node: string; element: string; nodes: string }>((tie) => ({
  nodes: fc.array(tie('node'), { maxLength: 3, depthIdentifier: 'html' }).map((all) => all.join('')),
  element: fc
    .tuple(
      fc.constantFrom(...TAGS),
      fc.array(attribute, { maxLength: 3 }),
      gaps,
      tie('nodes'),
      fc.constantFrom('whole', 'whole', 'whole', 'unclosed', 'self-closed', 'upper', 'half', 'doubled'),
    )
    .map(([name, attributes, gap, inner, how]) => {
      const open = [name, ...attributes].join(gap);
      switch (how) {
        case 'unclosed':
          return `<${open}>${inner}`;
        case 'self-closed':
          return `<${open}/>${inner}`;
        case 'upper':
          return `<${open.toUpperCase()}>${inner}</${name.toUpperCase()} x>`;
        case 'half':
          return `<${open} ${inner}`;
        case 'doubled':
          return `<<${open}>${inner}</${name}></${name}>`;
        default:
          return `<${open}>${inner}</${name}>`;
      }
    }),
  node: fc.oneof(
    { depthIdentifier: 'html', maxDepth: 5 },
    words,
    { weight: 4, arbitrary: tie('element') },
    { weight: 2, arbitrary: idioms },
    fc.tuple(words, spellings).map(([text, spell]) => spell(`<img src=x onerror=${RUN}>${text}`)),
    tie('nodes').map((inner) => `<!--${inner}-->`),
    tie('nodes').map((inner) => `<![CDATA[${inner}]]>`),
    fc
      .tuple(fc.constantFrom('style', 'script', 'title', 'noscript', 'xmp', 'iframe'), tie('nodes'))
      .map(([name, inner]) => `<svg><${name}>${inner}</${name}>`),
  ),
}));

const html = fc.array(htmlNode, { minLength: 1, maxLength: 4 }).map((all) => all.join(''));

const addresses = fc.tuple(fc.oneof(schemes, breakouts), spellings).map(([address, spell]) => spell(address));

const markdownPiece = fc.oneof(
  html,
  fc.tuple(words, addresses, words).map(([text, address, title]) => `[${text}](${address} "${title}")`),
  fc.tuple(words, addresses).map(([text, address]) => `[${text}](<${address}>)`),
  fc.tuple(words, addresses).map(([text, address]) => `![${text}](${address})`),
  fc.tuple(words, addresses).map(([text, address]) => `[${text}][ref]\n\n[ref]: ${address} '${text}'\n`),
  fc.tuple(words, addresses, addresses).map(([text, one, other]) => `[![${text}](${one})](${other})`),
  addresses.map((address) => `<${address}> ${address}`),
  fc.tuple(words, html).map(([language, code]) => `\n\`\`\`${language}\n${code}\n\`\`\`\n`),
  fc
    .tuple(fc.constantFrom('js', 'html', 'xml', 'css', 'ts" onload="x'), html)
    .map(([language, code]) => `\n\`\`\`${language}\n${code}\n\`\`\`\n`),
  fc.tuple(words, html).map(([head, cell]) => `\n| ${head} |\n|:-:|\n| ${cell.replaceAll('\n', ' ')} |\n`),
  fc
    .tuple(fc.constantFrom('# ', '> ', '- ', '1. ', '- [x] ', '    ', '`', '**', '~~'), html)
    .map(([mark, inner]) => `\n${mark}${inner}${mark.trim()}\n`),
);
const markdown = fc.array(markdownPiece, { minLength: 1, maxLength: 4 }).map((all) => all.join(' '));

const button = fc.record(
  {
    text: fc.oneof(words, html),
    actionType: fc.constantFrom<unknown[]>(1, 1, 2, 3, 9, '1', null, '<b>'),
    url: addresses,
    value: fc.oneof(addresses, html),
  },
  { requiredKeys: ['text', 'actionType'] },
);
const buttons = fc.array(fc.array(button, { maxLength: 3 }), { maxLength: 2 });

const markedUp = fc.oneof(html, markdown);
const media = fc.record({ text: html, videoUrl: addresses, audioUrl: addresses, imageUrl: addresses, imageName: html });
const said = fc.record({ text: html });

/** Contents of each type that the extension knows. */
const KNOWN: Readonly<Record<NamedType, fc.Arbitrary<object>>> = {
  html: said,
  markdown: fc.record({ text: markdown }),
  text: fc.oneof(
    fc.record({ text: markedUp, tip: fc.oneof(html, addresses), at: fc.array(words), buttons }),
    fc.record({ text: words, parent: html, parentVideoUrl: addresses, parentFileName: html }),
  ),
  image: fc.record({ imageUrl: addresses, imageName: html, imageKey: words }),
  file: fc.record({ fileUrl: addresses, fileName: html, buttons }),
  video: media,
  audio: media,
  expression: media,
  tip: media,
  post: fc.record({ postTitle: html, postContent: markdown, postContentType: fc.constantFrom(1, 2) }),
  form: fc.record({ formJson: fc.array(fc.record({ label: html, value: addresses }), { minLength: 1 }) }),
  a2ui: fc.record({
    text: fc.oneof(
      html,
      html.map((text) => `\`\`\`json\n${JSON.stringify({ text })}\n\`\`\``),
    ),
  }),
  audioCall: said,
  videoCall: said,
  liveAudio: said,
};

/** The markup of these is their own. */
const OFTEN = ['html', 'markdown'];

const contents = fc.oneof(
  ...Object.entries(KNOWN).map(([contentType, content]) => ({
    weight: OFTEN.includes(contentType) ? 6 : 1,
    arbitrary: fc.record({ contentType: fc.constant(contentType), content }),
  })),
  fc.record({
    contentType: fc.oneof(words, html),
    content: fc.oneof(said, fc.dictionary(words, html, { maxKeys: 3, noNullPrototype: true })),
  }),
);

/** The fields of a listed message. */
export const hostileFields = fc
  .tuple(
    contents,
    fc.record(
      {
        senderId: words,
        senderType: words,
        senderNickname: fc.oneof(words, html),
        commandName: html,
        parentId: words,
      },
      { requiredKeys: [] },
    ),
  )
  .map(([content, others]): Record<string, unknown> => ({ ...others, ...content }));

const icons = fc.constantFrom('$(error)', '\\$(error)', '$(sync~spin)', '$$(a)', '$(');

/** Names, IDs and error texts. */
export const hostileTexts = fc
  .array(
    fc.oneof(
      words,
      html,
      markdown,
      addresses,
      icons,
      fc.tuple(words, addresses, words).map(([text, address, title]) => `[${text}](${address} "${title}")`),
      fc.tuple(words, schemes).map(([text, address]) => `[${text}](${address})`),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((all) => all.join(''));
