/** The IDs in what a person typed or pasted, each once: between blanks, commas and the like, in quotes or brackets. */
export function idsIn(text: string): string[] {
  return [...new Set(text.split(/[\s,;，；、"'“”‘’`[\]]+/).filter(Boolean))];
}
