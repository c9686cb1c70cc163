/**
 * What VS Code shows. Each thing takes only text that was made for its place (see `safeText.ts`): a plain string, which others
 * may have written, doesn't compile. The linter forbids making VS Code's own anywhere else.
 */
import {
  CodeAction,
  type CodeActionKind,
  CodeLens,
  type Command,
  CompletionItem,
  type CompletionItemKind,
  Diagnostic,
  type DiagnosticSeverity,
  DocumentLink,
  Hover,
  InlayHint,
  MarkdownString,
  type Position,
  type Range,
  StatusBarAlignment,
  TreeItem,
  type TreeItemCollapsibleState,
  type Uri,
  l10n as vscodeTexts,
  window,
} from 'vscode';
import {
  endOfRightToLeft,
  escapeAllInvisible,
  escapeInserted,
  excerpt,
  visibleText,
} from '../markup/escapeInvisible.ts';
import { type CardMarkdown, type IconText, type ShownText, shownText } from '../markup/safeText.ts';

export { type ShownText, shownText };

export const l10n = {
  /** Translates a text, and escapes what is inserted into it. */
  t: (text: string, ...inserted: readonly (string | number)[]) =>
    vscodeTexts.t(text, ...inserted.map((one) => (typeof one === 'string' ? escapeInserted(one) : one))) as ShownText,

  /** Translates Markdown, and escapes what is inserted into it. */
  markdown: (markdown: string, ...inserted: readonly string[]) =>
    vscodeTexts.t(markdown, ...inserted.map(plainMarkdown)) as CardMarkdown,
};

/** How much of a label is shown (UTF-16 units). */
const MAX_LABEL = 500;

/** A text on one line, perhaps after an icon, where VS Code makes icons of `$(name)`. */
export function iconText(text: string, icon?: string): IconText {
  const label = excerpt(text, MAX_LABEL).replaceAll('$(', '\\$(');
  return `${icon === undefined ? '' : `$(${icon}) `}${label}${endOfRightToLeft(label)}` as IconText;
}

/** VS Code cuts longer Markdown off (UTF-16 units). */
export const MAX_CARD = 100_000;
/** Escaping makes a character up to five times as long. */
const MAX_TEXT = MAX_CARD / 5;

/** Escapes text for a card, cutting off very long text. ASCII punctuation becomes entities. */
export const plainMarkdown = (text: string) =>
  visibleText(text, MAX_TEXT)
    // Indented text would be code, where entities aren't decoded.
    .replace(/^[ \t]+/, '')
    .replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/(?:\r\n?|\n)[ \t]*/g, '  \n') as CardMarkdown;

/** An icon in a card. */
export const icon = (name: string) => `$(${name})` as CardMarkdown;

/** A link of a card that runs a command, which the card must enable. */
export const commandLink = (iconName: string, label: ShownText, command: Uri) =>
  `[${icon(iconName)} ${plainMarkdown(label)}](${command})` as CardMarkdown;

/** Markdown as a tooltip or in a hover, perhaps with icons. Its links run no commands but these. */
export class Card extends MarkdownString {
  declare readonly value: CardMarkdown;

  constructor(markdown: CardMarkdown, { icons = true, enabledCommands = [] as readonly string[] } = {}) {
    super(markdown, icons);
    if (enabledCommands.length > 0) this.isTrusted = { enabledCommands };
  }
}

/** A card of plain text. */
export const textCard = (text: string) => new Card(plainMarkdown(text), { icons: false });

/**
 * A text on one line, for what VS Code shows as Markdown in some places and as plain text in others, where it knows
 * escaped characters but no entities. In the chat, it turns `$(name)` into an icon in spite of escapes: a zero-width space
 * prevents that.
 */
export const escapedText = (text: string) =>
  new MarkdownString(
    escapeAllInvisible(text)
      .replace(/\s+/g, ' ')
      .replace(/[!-/:-@[-`{-~]/g, '\\$&')
      .replaceAll('\\$\\(', '\\$\u200b\\('),
  );

/** A command with what people read of it. */
export interface ShownCommand extends Command {
  title: ShownText;
  tooltip?: ShownText;
}

/** A row of a tree. */
export class Row extends TreeItem {
  declare label: ShownText;
  declare description?: ShownText;
  declare tooltip?: ShownText | Card | undefined;
  declare command?: ShownCommand;
  declare accessibilityInformation?: { label: ShownText };

  constructor(label: ShownText, state?: TreeItemCollapsibleState) {
    super(label, state);
  }

  /** Sets what is beside the label, which may end in a right-to-left script. */
  describe(text: ShownText): void {
    this.description = shownText`${endOfRightToLeft(this.label)}${text}`;
  }
}

/** A line above a place in a document. */
export class Lens extends CodeLens {
  declare readonly command: ShownCommand;

  constructor(range: Range, command: ShownCommand) {
    super(range, { ...command, title: iconText(command.title) });
  }
}

/** A name beside an ID. */
export class Hint extends InlayHint {
  declare label: ShownText;
  declare tooltip?: Card;

  constructor(position: Position, label: ShownText) {
    super(position, label);
  }
}

/** What a pointer shows that rests on a range. */
export class CardHover extends Hover {
  declare contents: Card[];

  constructor(cards: Card | Card[], range: Range) {
    super(cards, range);
  }
}

/** A problem of a document. */
export class ShownDiagnostic extends Diagnostic {
  declare message: ShownText;

  constructor(range: Range, message: ShownText, severity: DiagnosticSeverity) {
    super(range, message, severity);
    this.source = 'Bot Chats';
  }
}

/** A quick fix. */
export class QuickFix extends CodeAction {
  declare title: ShownText;

  constructor(title: ShownText, kind: CodeActionKind) {
    super(title, kind);
  }
}

/** A suggestion while somebody writes. */
export class Suggestion extends CompletionItem {
  declare label: ShownText | { label: ShownText; detail?: ShownText; description?: ShownText };
  declare detail?: ShownText;
  declare documentation?: Card;

  constructor(label: Suggestion['label'], kind: CompletionItemKind) {
    super(label, kind);
  }
}

/** A link in a document. */
export class TextLink extends DocumentLink {
  declare tooltip: ShownText;

  constructor(range: Range, target: Uri, tooltip: ShownText) {
    super(range, target);
    this.tooltip = tooltip;
  }
}

/** An item at the left of the status bar. */
export interface StatusItem {
  text: IconText;
  tooltip: Card;
  name: ShownText;
  command: string;
  show(): void;
  dispose(): void;
}

export const createStatusItem = (id: string) => window.createStatusBarItem(id, StatusBarAlignment.Left) as StatusItem;
