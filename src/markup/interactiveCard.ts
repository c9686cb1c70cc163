/** Reads the texts of interactive cards (`a2ui`): JSON documents in code fences, from which apps draw components. Pure. */

/** The fields of a component that people read, in versions 0.8 and 0.9. */
const TEXT_FIELDS = ['text', 'label', 'title', 'description', 'placeholder', 'literalString'];

/** From a line that a fence begins to one that another begins or ends: the texts of a document may have fences, too. */
const FENCE = /^[ \t]*```[ \t]*(?:\w+[ \t]*)?\r?\n(.*?)(?:^[ \t]*```|```[ \t]*$)/gms;

/** How much of a card is read (UTF-16 units), and how many documents may fail to parse: more would block. */
const MAX_LENGTH = 100_000;
const MAX_DOCUMENTS = 100;

/** The texts of a card's components, one a line, with what is around its documents. Undefined if there are none. */
export function cardText(source: string): string | undefined {
  if (source.length > MAX_LENGTH) return undefined;
  const whole = textsIn(source);
  if (whole) return whole.join('\n');
  let isRead = false;
  let documents = 0;
  const text = source.replace(FENCE, (fence, json: string) => {
    const texts = documents++ < MAX_DOCUMENTS ? textsIn(json) : undefined;
    isRead ||= texts !== undefined;
    return texts?.join('\n') ?? fence;
  });
  return isRead ? text.trim() : undefined;
}

/** The texts of a document, or of one a line, in their order; undefined if there are none. */
function textsIn(json: string): string[] | undefined {
  const texts: string[] = [];
  const read = (document: string) => {
    try {
      JSON.parse(document, (name, value) => {
        if (TEXT_FIELDS.includes(name) && typeof value === 'string' && value.trim()) texts.push(value);
        return value;
      });
      return true;
    } catch {
      // The document isn't JSON, or is nested too deeply for the stack.
      return false;
    }
  };
  const isWhole = read(json) || json.split('\n').every((line) => line.trim() === '' || read(line));
  return isWhole && texts.length > 0 ? texts : undefined;
}
