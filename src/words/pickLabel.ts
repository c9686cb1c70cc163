/** The label of an item in a list to pick from: an icon, and words of which no `$(name)` becomes another icon. */
export function pickLabel(icon: string, words: string): string {
  return `$(${icon}) ${words.replaceAll('$(', '\\$(')}`;
}
