/**
 * Languages of prose and data, where people write IDs down. The manifest wakes the extension for each of them but JSON,
 * of which VS Code opens documents of its own at every start.
 */
export const LANGUAGES = [
  'markdown',
  'plaintext',
  'json',
  'jsonc',
  'yaml',
  'csv',
  'tsv',
  'log',
  'xml',
  'html',
  'toml',
  'ini',
];
