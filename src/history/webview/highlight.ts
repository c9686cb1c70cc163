/** Marks the words of code, loaded when the first code is shown that says which language it is in. */
import core from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { css } from './css.ts';

const LANGUAGES = { bash, cpp, csharp, css, diff, go, java, json, markdown, python, rust, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) core.registerLanguage(name, language);
// What holds for a language holds for the one within it.
core.registerAliases(['javascript', 'js', 'jsx', 'mjs', 'cjs'], { languageName: 'typescript' });
core.registerAliases(['c', 'h'], { languageName: 'cpp' });
core.registerAliases(['shell', 'console'], { languageName: 'bash' });

/** Code as HTML, escaped, its words in spans of class `hljs-…`; undefined where the language is not known. */
export function highlight(code: string, language: string): string | undefined {
  return core.getLanguage(language) && core.highlight(code, { language, ignoreIllegals: true }).value;
}
