/** The nodes of the sidebar's tree, as plain data. `nodeItems.ts` makes tree items of them. */
import type { Fact } from '../presentation/factParts.ts';
import type { ShownCommand, ShownText } from '../presentation/shown.ts';
import type { Kind } from '../service/model.ts';
import type { ChatRow } from './rows.ts';

/** The listed groups, bots or people. */
export interface SectionNode {
  readonly type: 'section';
  readonly kind: Kind;
}

/** A fact about a row. */
export interface FactNode {
  readonly type: 'fact';
  readonly parent: ChatRow | FactNode | ReferenceNode;
  /** The position among its siblings. */
  readonly index: number;
  readonly fact: Fact;
}

/** A fact that refers to another group, bot or user, whose facts are its children. */
export interface ReferenceNode extends Omit<FactNode, 'type'> {
  readonly type: 'reference';
  readonly kind: Kind;
  readonly id: string;
}

/** A sentence among the rows. Selecting it runs the command. */
export interface NoteNode {
  readonly type: 'note';
  readonly parent?: FactNode['parent'];
  readonly text: ShownText;
  readonly icon: 'add' | 'debug-disconnect' | 'gear' | 'info' | 'key' | 'search' | 'warning';
  readonly command: ShownCommand;
}

export type ChatNode = SectionNode | ChatRow | FactNode | ReferenceNode | NoteNode;

/** A node that stands for a group, bot or user. */
export type ResourceNode = ChatRow | ReferenceNode;

export const isRow = (node: ChatNode): node is ChatRow => node.type === 'chat';
export const isResourceNode = (node: ChatNode): node is ResourceNode =>
  node.type === 'chat' || node.type === 'reference';

/** The text of a node for the clipboard or an editor: its ID or value, or empty. */
export function nodeText(node: ChatNode): string {
  switch (node.type) {
    case 'chat':
    case 'reference':
      return node.id;
    case 'fact':
      return node.fact.value;
    case 'note':
      return node.text;
    case 'section':
      return '';
  }
}

/** Facts as the children of a node. */
export function factNodes(parent: FactNode['parent'], facts: readonly Fact[]): (FactNode | ReferenceNode)[] {
  return facts.map((fact, index) =>
    fact.reference
      ? { type: 'reference', parent, index, fact, ...fact.reference }
      : { type: 'fact', parent, index, fact },
  );
}
