/** What the HTTP library imports and never calls for us: bases and queries of addresses, and lenient JSON. */
export const withBase = undefined;
export const withQuery = undefined;
export default undefined;
