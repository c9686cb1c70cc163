/**
 * The IDs in what a person typed or pasted, each once: between blanks, commas and the like, in quotes or brackets, and
 * between characters that nobody sees, which come along with copied text.
 */
export function parseIds(text: string): string[] {
  return [...new Set(text.split(/[\p{C}\p{Z}\p{DI}\u2800,;，；、"'“”‘’`[\]]+/u).filter(Boolean))];
}
