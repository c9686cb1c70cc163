/** Languages of prose and data, where people write IDs down: in others a number is rather one of the program's. */
export const LANGUAGES: readonly string[] = [
  ...['markdown', 'plaintext', 'restructuredtext', 'asciidoc', 'latex', 'html', 'xml'],
  ...['json', 'jsonc', 'jsonl', 'yaml', 'toml', 'ini', 'properties', 'csv', 'tsv'],
  // Files of logs, and the panels of output.
  ...['log', 'Log'],
];

/** Whether a document is of another language. */
export const isProgram = ({ languageId }: { readonly languageId: string }) => !LANGUAGES.includes(languageId);
