/**
 * Words as a notification shows them without making more of them: VS Code takes `[label](address)` there for a link,
 * commands included, and names of files or texts of the service may hold anything.
 */
export function notice(words: string): string {
  return words.replaceAll('](', ']\u200b(');
}
