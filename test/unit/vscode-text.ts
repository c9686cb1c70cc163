/** Places in texts, and what language features say about them, in the stub of `vscode`. */
import type { URI } from 'vscode-uri';
import type { MarkdownString } from './vscode-values.ts';

export class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    if (line < 0 || character < 0) throw new Error('illegal argument');
    [this.line, this.character] = [line, character];
  }

  compareTo(other: Position): number {
    return Math.sign(this.line - other.line || this.character - other.character);
  }
  isEqual(other: Position): boolean {
    return this.compareTo(other) === 0;
  }
  translate(lines = 0, characters = 0): Position {
    return new Position(this.line + lines, this.character + characters);
  }
  with({ line = this.line, character = this.character }: { line?: number; character?: number }): Position {
    return new Position(line, character);
  }
}

type Places = [Position, Position] | [number, number, number, number];

const positionsOf = (places: Places): [Position, Position] => {
  if (places.length === 2) return places;
  const [startLine, startCharacter, endLine, endCharacter] = places;
  return [new Position(startLine, startCharacter), new Position(endLine, endCharacter)];
};

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(...places: Places) {
    const [one, other] = positionsOf(places);
    [this.start, this.end] = one.compareTo(other) <= 0 ? [one, other] : [other, one];
  }

  get isEmpty(): boolean {
    return this.start.isEqual(this.end);
  }
  isEqual({ start, end }: Range): boolean {
    return this.start.isEqual(start) && this.end.isEqual(end);
  }
  contains(what: Position | Range): boolean {
    const { start, end } = what instanceof Range ? what : { start: what, end: what };
    return this.start.compareTo(start) <= 0 && end.compareTo(this.end) <= 0;
  }
  intersection(other: Range): Range | undefined {
    const start = this.start.compareTo(other.start) < 0 ? other.start : this.start;
    const end = this.end.compareTo(other.end) < 0 ? this.end : other.end;
    return start.compareTo(end) > 0 ? undefined : new Range(start, end);
  }
}

export class Selection extends Range {
  readonly anchor: Position;
  readonly active: Position;
  constructor(...places: Places) {
    super(...places);
    [this.anchor, this.active] = positionsOf(places);
  }
}

// Edits

export class TextEdit {
  readonly range: Range;
  readonly newText: string;
  constructor(range: Range, newText: string) {
    [this.range, this.newText] = [range, newText];
  }
  static replace(range: Range, newText: string): TextEdit {
    return new TextEdit(range, newText);
  }
}

export class SnippetString {
  value: string;
  constructor(value: string) {
    this.value = value;
  }
}

export class SnippetTextEdit {
  readonly range: Range;
  readonly snippet: SnippetString;
  constructor(range: Range, snippet: SnippetString) {
    [this.range, this.snippet] = [range, snippet];
  }
  static replace(range: Range, snippet: SnippetString): SnippetTextEdit {
    return new SnippetTextEdit(range, snippet);
  }
}

export class WorkspaceEdit {
  readonly #edits = new Map<string, { uri: URI; edits: (TextEdit | SnippetTextEdit)[] }>();

  set(uri: URI, edits: (TextEdit | SnippetTextEdit)[]): void {
    this.#edits.set(`${uri}`, { uri, edits });
  }
  replace(uri: URI, range: Range, newText: string): void {
    this.set(uri, [...this.get(uri), new TextEdit(range, newText)]);
  }
  insert(uri: URI, position: Position, newText: string): void {
    this.replace(uri, new Range(position, position), newText);
  }
  delete(uri: URI, range: Range): void {
    this.replace(uri, range, '');
  }
  get(uri: URI): (TextEdit | SnippetTextEdit)[] {
    return this.#edits.get(`${uri}`)?.edits ?? [];
  }
  /** Snippets are no text edits, but VS Code lists them, too. */
  entries(): [URI, (TextEdit | SnippetTextEdit)[]][] {
    return [...this.#edits.values()].map(({ uri, edits }) => [uri, edits]);
  }
}

// What language features say

export class Hover {
  readonly contents: (MarkdownString | string)[];
  readonly range: Range | undefined;
  constructor(contents: MarkdownString | string | (MarkdownString | string)[], range?: Range) {
    [this.contents, this.range] = [[contents].flat(), range];
  }
}

export class InlayHint {
  readonly position: Position;
  readonly label: string;
  constructor(position: Position, label: string) {
    [this.position, this.label] = [position, label];
  }
}

export class DocumentLink {
  readonly range: Range;
  readonly target: URI | undefined;
  constructor(range: Range, target?: URI) {
    [this.range, this.target] = [range, target];
  }
}

export class CodeLens {
  readonly range: Range;
  readonly command: object | undefined;
  constructor(range: Range, command?: object) {
    [this.range, this.command] = [range, command];
  }
}

export class CodeAction {
  readonly title: string;
  readonly kind: object | undefined;
  constructor(title: string, kind?: object) {
    [this.title, this.kind] = [title, kind];
  }
}

export class CompletionItem {
  readonly label: string | object;
  readonly kind: number | undefined;
  constructor(label: string | object, kind?: number) {
    [this.label, this.kind] = [label, kind];
  }
}

export class Diagnostic {
  readonly range: Range;
  readonly message: string;
  readonly severity: number;
  constructor(range: Range, message: string, severity: number = DiagnosticSeverity.Error) {
    [this.range, this.message, this.severity] = [range, message, severity];
  }
}

export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 };
export const CodeActionKind = { QuickFix: { value: 'quickfix' } };
export const TextEditorSelectionChangeKind = { Command: 3 };

export const CompletionItemKind = {
  Field: 4,
  Variable: 5,
  Class: 6,
  Property: 9,
  File: 16,
  Reference: 17,
  EnumMember: 19,
  Event: 22,
  User: 25,
};
