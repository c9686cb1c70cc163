/** What the Markdown parser imports and never calls: it is given answers of our own instead, see addresses.ts. */
export class LinkifyIt {}
export default {};
