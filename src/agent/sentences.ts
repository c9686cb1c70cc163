/** Joins sentences, without those that don't apply. */
export const sentences = (...all: (string | false | undefined)[]) => all.filter(Boolean).join(' ');

/** Joins lines likewise. */
export const lines = (...all: (string | false | undefined)[]) => all.filter(Boolean).join('\n');
