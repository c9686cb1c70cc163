/** Numbers as the reader writes them. */
const language = document.documentElement.lang;
const numbers = new Intl.NumberFormat(language);

export const numberText = (value: number) => numbers.format(value);
