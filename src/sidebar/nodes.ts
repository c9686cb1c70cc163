/** What the sidebar consists of. Plain data: `items` makes it visible. */
import type { Command } from 'vscode';
import type { Fact } from '../presentation/factParts.ts';
import type { Kind } from '../service/model.ts';
import type { ChatRow } from './rows.ts';

/** A section: the groups, the bots or the people that are listed. */
export interface SectionNode {
  readonly type: 'section';
  readonly kind: Kind;
}

/** One thing that is known of a row. */
export interface FactNode {
  readonly type: 'fact';
  readonly parent: ChatRow | FactNode | LeadNode;
  /** Tells it from its siblings. */
  readonly index: number;
  readonly fact: Fact;
}

/** A fact that names another group, bot or user, whose own facts are under it. */
export interface LeadNode extends Omit<FactNode, 'type'> {
  readonly type: 'lead';
  readonly kind: Kind;
  readonly id: string;
}

/** A sentence for the person in place of rows; `command` is what choosing it does. */
export interface NoteNode {
  readonly type: 'note';
  readonly parent?: FactNode['parent'];
  readonly text: string;
  readonly icon: 'add' | 'debug-disconnect' | 'gear' | 'key' | 'search' | 'warning';
  readonly command: Command;
}

export type ChatNode = SectionNode | ChatRow | FactNode | LeadNode | NoteNode;

/** A node that is about a group, bot or user. */
export type Subject = ChatRow | LeadNode;

export const isRow = (node: ChatNode): node is ChatRow => node.type === 'chat';
export const isSubject = (node: ChatNode): node is Subject => node.type === 'chat' || node.type === 'lead';

/** What a node gives to the clipboard or to an editor: its ID or value; empty where it has none. */
export function nodeText(node: ChatNode): string {
  switch (node.type) {
    case 'chat':
    case 'lead':
      return node.id;
    case 'fact':
      return node.fact.value;
    case 'note':
      return node.text;
    case 'section':
      return '';
  }
}

/** The facts of a resource as nodes under another. */
export function factNodes(parent: FactNode['parent'], facts: readonly Fact[]): (FactNode | LeadNode)[] {
  return facts.map((fact, index) =>
    fact.reference ? { type: 'lead', parent, index, fact, ...fact.reference } : { type: 'fact', parent, index, fact },
  );
}
