/** The label of an item in a list to pick from: an icon, and words. */
export const pickLabel = (icon: string, words: string) => `$(${icon}) ${withoutIcons(words)}`;

/** Words for any part of such an item: no `$(name)` in them becomes an icon. */
export const withoutIcons = (words: string) => words.replaceAll('$(', '\\$(');
