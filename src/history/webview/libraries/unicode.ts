/** Punctuation and symbols, for the Markdown parser: the engine knows them, so that no table of them is packed. */
export const P = /\p{P}/u;
export const S = /\p{S}/u;
