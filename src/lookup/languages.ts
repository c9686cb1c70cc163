/** Languages of prose and data, where people write IDs down. */
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
