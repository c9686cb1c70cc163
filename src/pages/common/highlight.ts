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

/** Grammars, each with the names of the languages that have it. Some have the grammar of a similar one. */
const NAMED: readonly (readonly [grammar: unknown, names: string])[] = [
  [bash, 'bash sh shell zsh console'],
  [c, 'c c++ cpp h hpp'],
  [css, 'css'],
  [diff, 'diff patch'],
  [docker, 'docker dockerfile'],
  [go, 'go golang'],
  [html, 'html htm'],
  [ini, 'ini'],
  [java, 'java cs csharp kotlin kt'],
  [js, 'js cjs javascript jsx mjs'],
  [json, 'json jsonc json5'],
  [py, 'py python'],
  [rs, 'rs rust'],
  [sql, 'sql'],
  [toml, 'toml'],
  [ts, 'ts tsx typescript'],
  [xml, 'xml svg'],
  [yaml, 'yaml yml'],
];

const GRAMMARS = new Map(
  // Each grammar has its own literal type.
  NAMED.flatMap(([grammar, names]) => names.split(' ').map((name) => [name, grammar as ShjLanguageData])),
);
const LANGUAGES = Object.fromEntries(GRAMMARS);

/** Splits code into tokens, each with its kind if known (`kwd`, `str`…); undefined if the language isn't known. */
export function highlightCode(code: string, language: string): [text: string, kind: string | undefined][] | undefined {
  const grammar = GRAMMARS.get(language);
  if (!grammar) return undefined;
  const tokens: [string, string | undefined][] = [];
  tokenizeWith(code, grammar, (text, kind) => tokens.push([text, kind]), { languages: LANGUAGES });
  return tokens;
}
