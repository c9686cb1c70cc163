/** Random ways to write one and the same thing: a text in YAML, lists and maps, a cell of a CSV file, an ID in a setting. */

/** Chooses by a number, of which 0 always chooses the first, plainest way. */
export class Spelling {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  pick<T>(first: T, ...others: T[]): T {
    if (this.#state === 0) return first;
    // A linear congruential generator: its high bits are random enough.
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0 || 1;
    return [first, ...others][Math.floor((this.#state / 2 ** 32) * (others.length + 1))] ?? first;
  }

  /** A text with white space around it that doesn't count. */
  padded(text: string): string {
    const space = () => this.pick('', '', '', ' ', '  ', '\u00A0', '\u3000');
    return space() + text + space();
  }

  /** An umlaut is one character, or a letter and two dots. */
  composed = (text: string) => this.pick(text, text.normalize('NFC'), text.normalize('NFD'));

  /** With what people, programs and input methods leave around an ID. A number may lack quotation marks, if it keeps its digits. */
  settingId(id: string): unknown {
    const isNumber = String(Number(id)) === id && Number.isSafeInteger(Number(id));
    const wide = id.replace(/[a-z\d]/gi, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0));
    const noted = /\d{5}/.test(id) ? this.pick(`#${id}`, `${id} (Ann)`, `Ann（${wide}）`, `群${id}`) : `<${id}>`;
    return this.pick<unknown>(id, this.padded(id), isNumber ? Number(id) : id, wide, `${id}。`, `\u200B${id}`, noted);
  }

  cell(text: string, separator: string): string {
    const isNumber = /^0\d*$|^\d{3,}$/.test(text);
    const spelled = isNumber ? this.pick(text, text, `="${text}"`, `'${text}`) : text;
    const padded = this.pick(spelled, spelled, this.padded(spelled));
    const needsQuotes = /["\r\n]/.test(padded) || padded.includes(separator);
    const quoted = `"${padded.replaceAll('"', '""')}"`;
    return needsQuotes ? quoted : this.pick(padded, quoted);
  }

  /** A text within a YAML value that is in braces or brackets, or not. `isKey` and the word `present` need care. */
  scalar(text: string, { isWord = false, mayPad = false } = {}): string {
    if (isWord) return text;
    const isPlain = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_ .'\\-]*[\p{L}\p{M}\p{N}_.'\\])?$/u.test(text);
    const isSpecial = /^(?:null|present)$/i.test(text);
    const inQuotes = mayPad ? this.pick(text, this.padded(text)) : text;
    const escaped = (of: string) =>
      JSON.stringify(of).replace(/[^\0-~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
    const double = this.pick(JSON.stringify(inQuotes), escaped(inQuotes));
    const single = text.includes('\n') ? double : `'${inQuotes.replaceAll("'", "''")}'`;
    return isPlain && !isSpecial ? this.pick(text, text, double, single) : this.pick(double, single);
  }
}

/** What stands under a key: a text, a list of texts, or a map. */
export type Node =
  | { readonly text: string; readonly isWord?: boolean; readonly mayPad?: boolean }
  | { readonly items: readonly string[]; readonly mayPad?: boolean }
  | { readonly map: readonly (readonly [string, Node])[] };

/** The lines of a map, in block style. Below the first level, keys are quoted where they need it. */
export function blockLines(map: readonly (readonly [string, Node])[], indent: number, spell: Spelling): string[] {
  const pad = ' '.repeat(indent);
  return map.flatMap(([name, node]) => {
    const key = spell.scalar(name);
    const comment = () => spell.pick('', '', '', ' # all', ' # : [');
    const between = spell.pick<string[]>([], [], [], [''], [`${pad}# groups: [1]`], ['# {']);
    if (spell.pick(true, true, true, false)) return [...between, ...openLines(key, node, indent, spell, comment)];
    if ('items' in node) {
      const [start, end] = spell.pick(['[', ']'], [`[\n${pad}    `, `\n${pad}  ]`]);
      const items = node.items.map((item) => spell.scalar(item, node));
      const joined =
        items.join(spell.pick(', ', ',', ` ,\n${pad}    `)) + (items.length > 0 ? spell.pick('', ',') : '');
      return [...between, ...`${pad}${key}: ${start}${joined}${end}${comment()}`.split('\n')];
    }
    return [...between, `${pad}${key}: ${flow(node, spell)}${comment()}`];
  });
}

function openLines(key: string, node: Node, indent: number, spell: Spelling, comment: () => string): string[] {
  const pad = ' '.repeat(indent);
  if ('map' in node) {
    const deeper = indent + spell.pick(2, 2, 4, 1);
    return [`${pad}${key}:${comment()}`, ...blockLines(node.map, deeper, spell)];
  }
  if ('items' in node) {
    if (node.items.length === 0) return [`${pad}${key}: []`];
    // A list may have the indentation of its key.
    const dash = `${' '.repeat(indent + spell.pick(2, 0, 4))}-${spell.pick(' ', '   ')}`;
    const items = node.items.map((item) => `${dash}${spell.scalar(item, node)}${comment()}`);
    return [`${pad}${key}:${comment()}`, ...items];
  }
  const isLine = !/^\s|\s$|\n/.test(node.text) && node.text !== '' && !node.isWord;
  const style = spell.pick('line', 'line', 'question', 'block');
  if (style === 'question') return [`${pad}? ${key}`, `${pad}: ${spell.scalar(node.text, node)}`];
  if (style === 'block' && isLine)
    return [`${pad}${key}: ${spell.pick('|-', '>-', '|')}${comment()}`, `${pad}  ${node.text}`];
  return [`${pad}${key}: ${spell.scalar(node.text, node)}${comment()}`];
}

function flow(node: Node, spell: Spelling): string {
  if ('text' in node) return spell.scalar(node.text, node);
  if ('items' in node) return `[${node.items.map((item) => spell.scalar(item, node)).join(spell.pick(', ', ' , '))}]`;
  const fields = node.map.map(([name, value]) => `${spell.scalar(name)}: ${flow(value, spell)}`);
  return `{ ${fields.join(', ')} }`;
}
