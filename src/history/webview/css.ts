/** A grammar of CSS for highlight.js. Its own lists every property there is, and is as large as six other languages. */
import type { HLJSApi, Language } from 'highlight.js';

export function css(hljs: HLJSApi): Language {
  const values = [
    hljs.C_BLOCK_COMMENT_MODE,
    hljs.APOS_STRING_MODE,
    hljs.QUOTE_STRING_MODE,
    { scope: 'number', begin: /#[\da-f]{3,8}\b|[+-]?\b\d+(?:\.\d+)?(?:%|[a-z]+)?/i },
    { scope: 'built_in', begin: /[\w-]{1,40}(?=\()/ },
    { scope: 'keyword', begin: /!important\b/ },
  ];
  return {
    name: 'CSS',
    contains: [
      hljs.C_BLOCK_COMMENT_MODE,
      hljs.QUOTE_STRING_MODE,
      { scope: 'keyword', begin: /@[\w-]{1,40}/ },
      {
        scope: 'attribute',
        begin: /(?<![\w-])[\w-]{1,60}(?=\s{0,9}:\s)/,
        starts: { end: /(?=[;}])/, contains: values },
      },
      { scope: 'selector-id', begin: /#[\w-]{1,60}/ },
      { scope: 'selector-class', begin: /\.[a-z_-][\w-]{0,60}/i },
      { scope: 'selector-tag', begin: /\b[a-z][a-z\d]{0,20}\b/ },
    ],
  };
}
