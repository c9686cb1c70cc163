/** Syntax highlighting, loaded when the first code block with a known language is shown. */
import bash from '@speed-highlight/core/languages/bash.js';
import c from '@speed-highlight/core/languages/c.js';
import css from '@speed-highlight/core/languages/css.js';
import diff from '@speed-highlight/core/languages/diff.js';
import docker from '@speed-highlight/core/languages/docker.js';
import go from '@speed-highlight/core/languages/go.js';
import html from '@speed-highlight/core/languages/html.js';
import ini from '@speed-highlight/core/languages/ini.js';
import java from '@speed-highlight/core/languages/java.js';
import js from '@speed-highlight/core/languages/js.js';
import json from '@speed-highlight/core/languages/json.js';
import py from '@speed-highlight/core/languages/py.js';
import rs from '@speed-highlight/core/languages/rs.js';
import sql from '@speed-highlight/core/languages/sql.js';
import toml from '@speed-highlight/core/languages/toml.js';
import ts from '@speed-highlight/core/languages/ts.js';
import xml from '@speed-highlight/core/languages/xml.js';
import yaml from '@speed-highlight/core/languages/yaml.js';
import { type ShjLanguageData, tokenizeWith } from '@speed-highlight/core/tokenize';

// Each grammar has its own literal type.
const LANGUAGES = {
  ...{ bash, c, css, diff, docker, go, html, ini, java, js, json, py, rs, sql, toml, ts, xml, yaml },
} as Record<string, ShjLanguageData>;

/** Grammars by language name and alias. Some languages use the grammar of a similar one. */
const GRAMMARS = new Map<string, unknown>([
  ...Object.entries(LANGUAGES),
  ...Object.entries({
    ...{ sh: bash, shell: bash, zsh: bash, console: bash, dockerfile: docker, golang: go, htm: html, svg: xml },
    ...{ 'c++': c, cpp: c, h: c, hpp: c, cs: java, csharp: java, kotlin: java, kt: java, patch: diff },
    ...{ cjs: js, javascript: js, jsx: js, mjs: js, jsonc: json, json5: json, python: py, rust: rs },
    ...{ tsx: ts, typescript: ts, yml: yaml },
  }),
]);

/** Splits code into tokens, each with its kind if known (`kwd`, `str`…); undefined if the language isn't known. */
export function highlightCode(code: string, language: string): [text: string, kind: string | undefined][] | undefined {
  const grammar = GRAMMARS.get(language) as ShjLanguageData | undefined;
  if (!grammar) return undefined;
  const tokens: [string, string | undefined][] = [];
  tokenizeWith(code, grammar, (text, kind) => tokens.push([text, kind]), { languages: LANGUAGES });
  return tokens;
}
